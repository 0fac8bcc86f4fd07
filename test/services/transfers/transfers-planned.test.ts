// The plan for moving a site from a main domain to a reserve.
import { describe, expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { planTransfer, startTransfer } from '../../../src/services/transfers/transfers.ts';
import { MAIN, OLDER, pairOf, RESERVE, SPARE } from '../../support/moves-portfolio.ts';
import { error, move, moves, said, useMoves } from './transfers.ts';

useMoves();

describe('a plan', () => {
  const plan = (source: string, target: string, force = false) =>
    planTransfer(SYSTEM, { ...pairOf(source, target), force });

  test('lists every act and writes nothing', async () => {
    await moves.reset({ site: true });
    const { acts, failed, hash, readiness, warnings } = await plan(MAIN, RESERVE);
    expect(failed).toEqual([]);
    expect(acts.map(({ act }) => act)).toEqual([
      'upload',
      'dns',
      'tls_1_3',
      'security_level',
      'activate',
      'redirect',
      'swap',
      `chain:${OLDER}`,
    ]);
    expect(moves.fake.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(readiness).toMatchObject({
      list: 'unknown',
      zone: { status: 'active' },
      server: { name: 'srv', of: 'source' },
      account: { name: 'Account 2', of: 'target' },
      site: 'source',
      expired_at: null,
      expiring: false,
    });
    expect(warnings.map(({ key }) => key)).toEqual(['transfer.target_unknown']);
    const asked = { ...pairOf(MAIN, RESERVE), force: false };
    moves.zone(RESERVE).records[0]!.content = '192.0.2.99';
    expect(await error(startTransfer(SYSTEM, { ...asked, plan: hash }))).toBe('conflict operation.plan_stale');
    const { hash: newer } = await plan(MAIN, RESERVE);
    const { id } = await startTransfer(SYSTEM, { ...asked, plan: newer });
    expect(said(await moves.run(id))).toBe('transfer.done');
  });

  test('warns of everything that a person has to know', async () => {
    const past = '2020-01-01T00:00:00.000Z';
    await transaction(() => execute('UPDATE domains SET expired_at = $past, server_id = NULL', { past }));
    for (const record of moves.zone(MAIN).records) record.proxied = false;
    const { warnings, readiness } = await plan(MAIN, SPARE);
    expect(warnings.map(({ key }) => key)).toEqual([
      'transfer.target_unknown',
      'transfer.target_expired',
      'transfer.zone_made',
      'transfer.no_server',
      'transfer.not_proxied',
    ]);
    expect(readiness).toMatchObject({
      account: { of: 'source' },
      server: null,
      site: null,
      zone: { status: 'missing' },
    });
  });

  test('reports the readiness of the reserve while the CDN is away', async () => {
    moves.fake.faults.push({ kind: 'status', status: 503, times: 1_000 });
    const { failed, acts, readiness } = await plan(MAIN, RESERVE);
    expect([acts, failed.map(({ error: { key } }) => key)]).toEqual([[], ['provider.unavailable']]);
    expect(readiness).toMatchObject({ zone: { status: 'unknown' }, account: { of: 'target' } });
  });

  test('tells of a pending zone who enters its name servers: a person, or Change DNS where the registrar can', async () => {
    moves.zone(RESERVE).status = 'pending';
    const told = async () => (await plan(MAIN, RESERVE)).warnings.map(({ key }) => key);
    expect(await told()).toContain('transfer.zone_pending');
    await transaction(async () => {
      await execute(
        `INSERT INTO registrars (id, type, name, login, password, created_at)
         VALUES (1, 'reg.ru', 'Shop', 'ann', '', '2026-01-01T00:00:00.000Z')`,
      );
      await execute('UPDATE domains SET registrars_id = 1 WHERE domain_name = $name', { name: RESERVE });
    });
    const keys = await told();
    expect([keys.includes('transfer.zone_settable'), keys.includes('transfer.zone_pending')]).toEqual([true, false]);
    // Once a DNS change has entered them there is nothing left to do.
    const id = await moves.start(MAIN, RESERVE);
    const enter = (state: string, name_servers: readonly string[]): Promise<unknown> =>
      transaction(() =>
        execute(
          `UPDATE operation_items SET lock_kind = 'dns', lock_name = $name, acts = $acts WHERE operation_id = $id`,
          { id, name: RESERVE, acts: JSON.stringify([{ name: 'name_servers', state, after: { name_servers } }]) },
        ),
      );
    const waits = async () => (await told()).filter((key) => key.startsWith('transfer.zone_'));
    await transaction(() => execute(`UPDATE operations SET state = 'succeeded', finished_at = changed_at`));
    for (const [state, servers, key] of [
      ['done', moves.zone(RESERVE).name_servers, 'transfer.zone_waits'],
      ['done', ['ns1.elsewhere.example'], 'transfer.zone_settable'],
      ['undone', moves.zone(RESERVE).name_servers, 'transfer.zone_settable'],
      ['noop', [], 'transfer.zone_waits'],
    ] as const) {
      await enter(state, servers);
      expect([state, await waits()]).toEqual([state, [key]]);
    }
    await transaction(async () => {
      await execute('UPDATE domains SET registrars_id = NULL');
      await execute('DELETE FROM registrars');
    });
  });

  test('warns of records that would be lost, which need a confirmation', async () => {
    await moves.reset({ copy: true });
    const zone = moves.zone(RESERVE);
    const [one] = zone.records;
    zone.records.push(
      ...Array.from({ length: 12 }, (_, n) => ({ ...one!, id: `${n}`.padStart(32, 'f'), content: `192.0.2.${n + 1}` })),
    );
    const { warnings } = await plan(MAIN, RESERVE);
    expect(warnings.map(({ key }) => key)).toContain('transfer.dns_many');
    const refused = await move(MAIN, RESERVE);
    expect((await moves.item(refused.id)).error).toBe('transfer.dns_many');
    expect(moves.fake.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(said(await move(MAIN, RESERVE, { force: true }))).toBe('transfer.done');
  });
});
