// Rules for every kind of account: its secret, and a row in use.
import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { REGISTRAR_TYPES } from '../../../src/shared/accounts/registrar-types.ts';
import { KEY } from '../../support/cloudflare-state.ts';
import { request } from '../../support/server.ts';
import { makeOperation, newName } from '../calls.ts';
import { account, ask, make, MASK, other, owner, PROXY, rowOf, server, ssh, stored, useTeam } from './world.ts';

useTeam();

describe('a secret', () => {
  const secrets = [
    ['cloudflare_accounts', 'api_key', account, 'POST'],
    ['servers', 'ssh_password', ssh, 'PUT'],
  ] as const;

  test.each(secrets)('of %s is shown only to its creator and to admins', async (path, field, body, method) => {
    const made = await make(path, body());
    expect(made[field]).toBe(body()[field as never]);
    expect(await stored(path, field, made.id)).toMatch(/^v1\./);
    expect((await rowOf(path, made.id, server.admin))[field]).toBe(made[field]);
    const seen = await rowOf(path, made.id, other);
    expect([seen[field], seen.can_edit]).toEqual([MASK, false]);
    const refused = await ask(`${method} /api/${path}/${made.id}`, { name: 'Mine' }, other);
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    expect((await ask(`DELETE /api/${path}/${made.id}`, undefined, other)).status).toBe(403);
  });

  test.each(secrets)('of %s leaves the machine only under TLS', async (path, field, body) => {
    const { id } = await make(path, body());
    const seen = async (headers: Record<string, string>, from?: string) =>
      (await rowOf(path, id, owner, { headers, ...(from && { from }) }))[field] !== MASK;
    expect(await seen({})).toBe(true);
    expect(await seen({ 'x-forwarded-proto': 'https' }, PROXY)).toBe(true);
    expect(await seen({ 'x-forwarded-proto': 'http' }, PROXY)).toBe(false);
    expect(await seen({}, PROXY)).toBe(false);
    // The headers of a caller that is no listed proxy are not trusted, and the caller no longer counts as local.
    expect(await seen({ 'x-forwarded-proto': 'https' })).toBe(false);
    expect(await seen({ 'x-forwarded-for': '198.51.100.7' })).toBe(false);
  });

  test.each(secrets)('of %s that was copied from another row is not shown', async (path, field, body, method) => {
    const [one, two] = [await make(path, body()), await make(path, body())];
    await transaction(() =>
      execute(`UPDATE ${path} SET ${field} = (SELECT ${field} FROM ${path} WHERE id = $one) WHERE id = $two`, {
        one: one.id,
        two: two.id,
      }),
    );
    expect((await rowOf(path, two.id, owner))[field]).toBe(MASK);
    expect((await ask(`${method} /api/${path}/${two.id}`, { [field]: `new ${KEY}` })).body.data[field]).toBe(
      `new ${KEY}`,
    );
  });

  const away = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

  test.runIf(away)('is masked for every caller on the network without TLS', async () => {
    const { id } = await make('servers', ssh());
    const url = `http://${away}:${server.port}`;
    const { body } = await request({ url }, 'GET /api/servers', { token: owner.token });
    const row = body.data.find((one: { id: number }) => one.id === id);
    expect(row).toMatchObject({ ssh_password: MASK, can_edit: true });
  });
});

describe('a row as it was read', () => {
  const registrar = (type: string) => ({ type, name: newName(), login: 'ops', password: 'correct horse' });
  const rows = [
    ['cloudflare_accounts', account({ api_key: 'unknown' }), 'POST'],
    ['servers', ssh(), 'PUT'],
    ...REGISTRAR_TYPES.map((type) => ['registrars', registrar(type), 'PUT'] as const),
    ['xmlriver', { name: newName(), login: '1', key: 'correct horse' }, 'PUT'],
  ] as const;

  test.each(rows)('of %s is taken back, with null where nothing is set', async (path, body, method) => {
    const { id } = await make(path, body);
    const read = await rowOf(path, id, owner);
    const answer = await ask(`${method} /api/${path}/${id}`, { ...read, name: `${read.name} 2` });
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    // The login is tested anew at each save.
    const kept = await rowOf(path, id, owner);
    expect({ ...kept, checked_at: null }).toEqual({ ...read, name: `${read.name} 2`, checked_at: null });
  });
});

describe('a row in use', () => {
  test('is not deleted while only others use it, and the refusal says so', async () => {
    const { id, name } = await make('servers', ssh());
    const foreign = await make('domains', { domain_name: newName(), server_id: id }, other);
    const refused = await ask(`DELETE /api/servers/${id}`);
    expect([refused.status, refused.body.error]).toEqual([
      409,
      `«${name}» используют другие пользователи (доменов, проектов или покупок: 1). Кто именно, видит администратор`,
    ]);
    expect((await ask(`DELETE /api/servers/${id}`, undefined, server.admin)).body.error).toContain(foreign.domain_name);
  });

  test('is not deleted while an operation works on it', async () => {
    const { id } = await make('cloudflare_accounts', account());
    const operation = await makeOperation(owner);
    const set = (state: string) =>
      transaction(() => execute('UPDATE operations SET state = $state WHERE id = $operation', { operation, state }));
    await set('running');
    await transaction(() =>
      execute(
        `INSERT INTO operation_uses (operation_id, kind, used_id) VALUES ($operation, 'cloudflare_accounts', $id)`,
        { operation, id },
      ),
    );
    const refused = await ask(`DELETE /api/cloudflare_accounts/${id}`);
    expect([refused.status, refused.body.error.includes(`операция #${operation}.`)]).toEqual([409, true]);
    const headers = { 'accept-language': 'en' };
    const english = await ask(`DELETE /api/cloudflare_accounts/${id}`, undefined, owner, { headers });
    expect(english.body.error).toContain(`operation #${operation}.`);
    const group = await make('cloudflare_groups', { name: 'Held', accounts: [id] });
    const both = await ask(`DELETE /api/cloudflare_accounts/${id}`);
    expect([both.status, both.body.code]).toEqual([409, 'in_use']);
    expect(both.body.error).toContain(`Held; операция #${operation}.`);
    await ask(`DELETE /api/cloudflare_groups/${group.id}`);
    await set('succeeded');
    expect((await ask(`DELETE /api/cloudflare_accounts/${id}`)).status).toBe(200);
  });

  test('is not deleted, and the refusal names its uses; domains of another user are only counted', async () => {
    const [cloudflare, host] = [await make('cloudflare_accounts', account()), await make('servers', ssh())];
    const references = { cloudflare_account_id: cloudflare.id, server_id: host.id };
    const mine = await make('domains', { domain_name: newName(), ...references });
    const foreign = await make('domains', { domain_name: newName(), ...references }, other);
    const group = await make('cloudflare_groups', { name: 'Holder', accounts: [cloudflare.id] });
    const refused = await ask(`DELETE /api/cloudflare_accounts/${cloudflare.id}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'in_use']);
    expect(refused.body.error).toContain(`${mine.domain_name}, +1; Holder`);
    expect(refused.body.error).not.toContain(foreign.domain_name);
    expect((await ask(`DELETE /api/servers/${host.id}`)).body.error).toContain(`${mine.domain_name}, +1`);

    await ask(`DELETE /api/domains/${mine.id}`);
    await ask(`DELETE /api/domains/${foreign.id}`, undefined, other);
    await ask(`DELETE /api/cloudflare_groups/${group.id}`);
    expect((await ask(`DELETE /api/cloudflare_accounts/${cloudflare.id}`)).status).toBe(200);
    expect((await ask(`DELETE /api/servers/${host.id}`)).status).toBe(200);
    // A restored domain has lost its references to rows that were deleted meanwhile.
    const restored = await ask(`POST /api/domains/${mine.id}/restore`, {});
    expect(restored.body.data).toMatchObject({ server_id: null, cloudflare_account_id: null });
  });
});
