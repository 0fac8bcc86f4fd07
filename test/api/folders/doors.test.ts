// Ways other than the form by which a domain comes to a folder on a server.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { createPerson, request, type Person } from '../../support/server.ts';
import { pointingAt, startCdn, type Cdn } from '../../support/cdn.ts';
import { newName } from '../calls.ts';

let cdn: Cdn;
let victim: Person;
let attacker: Person;
let server: number;

beforeAll(async () => {
  cdn = await startCdn();
  victim = await createPerson(cdn.server);
  attacker = await createPerson(cdn.server);
  server = (await cdn.call('GET /api/servers')).body.data[0].id;
});
afterAll(() => cdn.close());

const ask = (person: Person, call: string, body?: unknown) =>
  request(cdn.server, call, { token: person.token, ...(body !== undefined && { body }) });
const add = async (person: Person, server_id: number | null, file_path: string, domain_name = newName()) => {
  const { status, body } = await ask(person, 'POST /api/domains', { domain_name, server_id, file_path });
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data as { id: number; domain_name: string };
};
const placeOf = async (person: Person, id: number) => {
  const { server_id, file_path } = (await ask(person, `GET /api/domains/${id}`)).body.data;
  return { server_id, file_path };
};
const writes = () => cdn.fake.requests.filter(({ method }) => method !== 'GET').length;

test('a change of DNS does not bring a domain to a folder of another user: nothing is written outside', async () => {
  const path = `/srv/${newName()}`;
  const held = await add(victim, server, path);
  for (const file_path of [path, `${path}/one`]) {
    const { id, domain_name } = await add(attacker, null, file_path);
    cdn.addZone(domain_name, ['A @ 198.51.100.1']);
    const before = writes();
    for (const call of ['POST /api/manage_dns/plan', 'POST /api/manage_dns']) {
      const refused = await ask(attacker, call, pointingAt(cdn, domain_name));
      expect([call, refused.status, refused.body.code]).toEqual([call, 422, 'path_shared']);
      expect(refused.body.fields).toHaveProperty('ipAddress');
      expect(refused.text).not.toContain(held.domain_name);
    }
    expect([writes(), (await placeOf(attacker, id)).server_id]).toEqual([before, null]);
  }
  // A free folder is given as before; so is the server to a row of a former version with a folder that is no site's.
  const { id, domain_name } = await add(attacker, null, `/srv/${newName()}`);
  await transaction(() => execute(`UPDATE domains SET file_path = '/var/www' WHERE id = $id`, { id }));
  cdn.addZone(domain_name, ['A @ 198.51.100.1']);
  const { body } = await ask(attacker, 'POST /api/manage_dns', pointingAt(cdn, domain_name));
  expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'succeeded' });
  expect((await placeOf(attacker, id)).server_id).toBe(server);
});

test('restoring a change of DNS does not bring a domain back to a folder that has gone to another user', async () => {
  const path = `/srv/${newName()}`;
  const far = (
    await ask(attacker, 'POST /api/servers', {
      name: newName(),
      ssh_host: '203.0.113.99',
      ssh_user: 'root',
      ssh_password: 'x',
    })
  ).body.data.id;
  const { id, domain_name } = await add(attacker, far, path);
  cdn.addZone(domain_name, ['A @ 198.51.100.1']);
  const { body } = await ask(attacker, 'POST /api/manage_dns', pointingAt(cdn, domain_name));
  expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'succeeded' });
  await add(victim, far, path);
  const back = await ask(attacker, `POST /api/operations/${body.operation.id}/restore`, {});
  await cdn.ended(back.body.operation.id);
  expect((await placeOf(attacker, id)).server_id).toBe(server);
});

test('a deleted domain whose folder has gone to another user comes back without its server', async () => {
  const path = `/srv/${newName()}`;
  const { id } = await add(attacker, server, path);
  const kept = await add(attacker, server, `/srv/${newName()}`);
  for (const one of [id, kept.id]) await ask(attacker, `DELETE /api/domains/${one}`);
  const now = await add(victim, server, `${path}/`);
  const restored = await ask(attacker, `POST /api/domains/${id}/restore`, {});
  expect([restored.status, restored.body.data.server_id, restored.body.data.file_path]).toEqual([200, null, path]);
  expect((await ask(attacker, `POST /api/domains/${kept.id}/restore`, {})).body.data.server_id).toBe(server);
  // It can have the folder again once that is free.
  expect((await ask(attacker, `POST /api/domains/${id}`, { server_id: server })).status).toBe(422);
  await ask(victim, `DELETE /api/domains/${now.id}`);
  expect((await ask(attacker, `POST /api/domains/${id}`, { server_id: server })).status).toBe(200);
});

test('domains that were deleted together come back without the server where their folder is another user’s', async () => {
  const path = `/srv/${newName()}`;
  const [one, two] = [await add(attacker, server, path), await add(attacker, server, `/srv/${newName()}`)];
  const selection = { names: [one.domain_name, two.domain_name] };
  const deleted = await ask(attacker, 'POST /api/domains_bulk', { selection, act: { kind: 'delete' } });
  await add(victim, server, path);
  const undone = await ask(attacker, `POST /api/domains_bulk/${deleted.body.data.undo}/undo`, {});
  expect(undone.body.data).toEqual({ restored: 2, kept: 0 });
  expect((await placeOf(attacker, one.id)).server_id).toBe(null);
  expect((await placeOf(attacker, two.id)).server_id).toBe(server);
});

test('the undo of an import leaves a row whose former folder has gone to another user', async () => {
  const [path, other] = [`/srv/${newName()}`, `/srv/${newName()}`];
  const { id, domain_name } = await add(attacker, server, path);
  const text = `domain;path\n${domain_name};${other}\n`;
  const imported = await ask(attacker, 'POST /api/imports', { text, mode: 'overwrite' });
  expect([imported.status, imported.body.error]).toEqual([200, undefined]);
  await add(victim, server, path);
  const undone = await ask(attacker, `POST /api/imports/${imported.body.import.id}/undo`, {});
  expect([undone.status, (await placeOf(attacker, id)).file_path]).toEqual([200, other]);
});

// Folders are refused at saving that rows of former versions have.
test.each(['/srv/.hidden/x', '/srv/cafe\u0301', '/srv/shop /x', '/var/www'])(
  'a row that has %j already keeps it and may change all else',
  async (file_path) => {
    const body = { name: newName(), ssh_host: '203.0.113.90', ssh_user: 'root', ssh_password: 'ssh secret' };
    const other = (await ask(victim, 'POST /api/servers', body)).body.data.id as number;
    const { id, domain_name } = await add(victim, server, `/srv/${newName()}`);
    await transaction(() => execute('UPDATE domains SET file_path = $file_path WHERE id = $id', { id, file_path }));
    const edit = await ask(victim, `POST /api/domains/${id}`, { server_id: other, file_path });
    expect([edit.status, edit.body.error]).toEqual([200, undefined]);
    expect(await placeOf(victim, id)).toEqual({ server_id: other, file_path });
    const act = { selection: { names: [domain_name] }, act: { kind: 'edit', fields: { server_id: server } } };
    const many = await ask(victim, 'POST /api/domains_bulk', act);
    expect([many.status, many.body.error]).toEqual([200, undefined]);
    expect(await placeOf(victim, id)).toEqual({ server_id: server, file_path });
    const text = `domain;path;type\n${domain_name};${file_path};reserve\n`;
    const imported = await ask(victim, 'POST /api/imports', { text, mode: 'overwrite', commit: 'on' });
    expect(imported.body.counts).toMatchObject({ update: 1, error: 0 });
    expect((await ask(victim, `POST /api/domains/${id}`, { file_path: `${file_path}/.y` })).status).toBe(422);
  },
);
