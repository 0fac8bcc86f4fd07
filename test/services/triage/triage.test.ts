// What of a portfolio needs somebody: its order, its causes, and whose it is.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dialect, execute, select, transaction } from '../../../db/index.ts';
import { recordEvents } from '../../../db/events.ts';
import { checkAgain, readTriage } from '../../../src/services/triage/triage.ts';
import type { Actor } from '../../../src/services/access/scope.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { filters } from '../../../src/services/portfolio/filters.ts';
import { english } from '../../support/english.ts';
import { startDatabase } from '../../support/database.ts';
import { addPortfolio } from '../notices/world.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;
const ANN: Actor = { id: 2, login: 'ann', role: 'user' };
const BOB: Actor = { id: 3, login: 'bob', role: 'user' };
const NOW = Date.now();
const at = (hours: number): string => new Date(NOW + hours * 3_600_000).toISOString();

beforeEach(async () => {
  database = await startDatabase();
  // The reserves 5 and 6 are ann's, as are the main domains 1 to 4 and 9 to 12; 7 and 8 are bob's, who has no reserve.
  await addPortfolio({ domains: 12, reserves: [5, 6], ofBob: [7, 8], onSecond: [9, 10, 11, 12] });
  await set('http_status_code = 200, last_http_check_at = $now', 'id > 0', { now: at(-1) });
});
afterEach(() => database.close());

const set = (values: string, where: string, bind: Record<string, unknown> = {}): Promise<unknown> =>
  transaction(() => execute(`UPDATE domains SET ${values} WHERE ${where}`, bind));

const brief = async (actor: Actor) => {
  const { items } = await readTriage(actor, NOW);
  return items.map(({ kind, count, names, text, act }) => [
    kind,
    count,
    names.map(({ unicode_name }) => unicode_name).join(),
    english(text),
    act.kind,
  ]);
};

test('a calm portfolio needs nobody, and days without a check are unknown', async () => {
  const triage = await readTriage(ANN, NOW);
  expect(triage).toMatchObject({ items: [], total: 0, names: 0, all: 10 });
  expect(triage.days).toHaveLength(30);
  expect(triage.trends.blocked).toEqual({ values: Array.from({ length: 30 }, () => null), total: null });
  expect(triage.trends.repair.total).toBeNull();
});

test('items come by weight, each with its act; others see their own alone', async () => {
  await set(`status = 'blocked'`, 'id IN (1, 7)');
  await set(`transfer_type = 'manual'`, 'id = 1');
  await set('http_status_code = 503', 'id IN (9, 10, 11)');
  await set(`http_status_code = NULL, http_error = 'timeout'`, 'id = 2');
  await set('expired_at = $soon', 'id = 3', { soon: at(24 * 10) });
  await set('expired_at = $later', 'id = 5', { later: at(24 * 100) });
  const ofAnn = await brief(ANN);
  expect(ofAnn).toEqual([
    ['blocked', 1, 'd1.example', '→ d5.example is ready, Manually', 'transfer'],
    ['cause', 3, 'd9.example,d11.example', '3 of 4', 'check'],
    ['down', 1, 'd2.example', 'No answer in time', 'check'],
    ['ends', 1, 'd3.example', expect.stringMatching(/^Until \d{4}-\d{2}-\d{2}$/), 'domain'],
  ]);
  expect((await readTriage(ANN, NOW)).items[0]?.act).toEqual({ kind: 'transfer', id: 1, target_id: 5 });
  expect(await brief(BOB)).toEqual([['no_reserve', 1, 'd7.example', 'The project has no reserve', 'buy']]);
  const all = await readTriage(SYSTEM, NOW);
  expect(all).toMatchObject({ total: 5, names: 7, all: 12 });
  expect(all.items.map(({ kind }) => kind)).toEqual(['no_reserve', 'blocked', 'cause', 'down', 'ends']);
  expect(all.items[2]).toMatchObject({ key: 'server:2', cause: { kind: 'server', name: 'srv2', of: 4 } });
});

test('a reserve that is down or about to end is not ready; a server of which most names answer is no cause', async () => {
  await set(`status = 'blocked'`, 'id = 1');
  await set('http_status_code = 503', 'id IN (5, 3)');
  await set('expired_at = $soon', 'id = 6', { soon: at(24 * 5) });
  const kinds = (await brief(ANN)).map(([kind, , names, text, act]) => [kind, names, text, act]);
  expect(kinds[0]).toEqual(['no_reserve', 'd1.example', '2 reserves, none is ready', 'transfer']);
  expect(kinds.filter(([kind]) => kind === 'cause')).toEqual([]);
  expect(kinds.filter(([kind]) => kind === 'down').map(([, names]) => names)).toEqual(['d3.example', 'd5.example']);
});

test('a reserve that visitors get no https from, or with a warning, is not ready; one that was not looked at is', async () => {
  await set(`status = 'blocked'`, 'id = 1');
  await set('expired_at = $later', 'id = 5', { later: at(24 * 100) });
  const looked = (values: Record<string, unknown>): Promise<unknown> =>
    transaction(async () => {
      await execute('DELETE FROM certificates');
      for (const [id, sound] of [
        [5, values],
        [6, { not_after: at(24 * 60), names_ok: 1 }],
      ] as const) {
        const row = {
          fault: null,
          error: null,
          not_after: null,
          names_ok: null,
          domain_name: `d${id}.example`,
          ...sound,
        };
        await execute(
          `INSERT INTO certificates (domain_id, side, domain_name, names_ok, fault, not_after, looked_at, error)
           VALUES ($id, 'edge', $domain_name, $names_ok, $fault, $not_after, $looked_at, $error)`,
          { id, ...row, looked_at: at(-1) },
        );
      }
    });
  const targets = async () => (await brief(ANN)).map(([, , , text]) => text);
  expect(await targets()).toEqual(['→ d5.example is ready, Automatically']);
  for (const bad of [
    { error: 'tls' },
    { not_after: at(24 * 60), names_ok: 0, fault: 'wrong_name' },
    { not_after: at(24 * 60), names_ok: 1, fault: 'untrusted' },
    { not_after: at(-1), names_ok: 1 },
  ]) {
    await looked(bad);
    expect(await targets()).toEqual(['→ d6.example is ready, Automatically']);
  }
  for (const good of [
    { not_after: at(24 * 60), names_ok: 1, error: 'timeout' },
    { error: 'tls', domain_name: 'former.example' },
  ]) {
    await looked(good);
    expect(await targets()).toEqual(['→ d5.example is ready, Automatically']);
  }
  await looked({ error: 'tls' });
  await set('http_status_code = 503', 'id = 6');
  expect((await targets())[0]).toBe('2 reserves, none is ready');
});

test('a reserve whose CDN account refuses its key is not ready; one whose account does not answer is', async () => {
  await set(`status = 'blocked'`, 'id = 1');
  await set('expired_at = $later', 'id = 5', { later: at(24 * 100) });
  await transaction(() =>
    execute(
      `INSERT INTO cloudflare_accounts (id, name, email, api_key, zones, created_at) VALUES (9, 'Own', 'a@b.example', '', 0, $at)`,
      { at: at(-1) },
    ),
  );
  await set('cloudflare_account_id = 9', 'id = 5');
  const targetWith = async (key: string | null) => {
    const check_error = key && JSON.stringify({ key });
    await transaction(() =>
      execute('UPDATE cloudflare_accounts SET check_error = $check_error WHERE id = 9', { check_error }),
    );
    return (await brief(ANN))[0]?.[3];
  };
  expect(await targetWith(null)).toBe('→ d5.example is ready, Automatically');
  expect(await targetWith('provider.credentials')).toBe('→ d6.example is ready, Automatically');
  expect(await targetWith('provider.unavailable')).toBe('→ d5.example is ready, Automatically');
});

test('what is behind a cause is checked again once, and only what is the caller’s', async () => {
  await set('http_status_code = 503', 'id IN (9, 10, 11)');
  const started = await checkAgain(ANN, { key: 'server:2' });
  expect(await checkAgain(ANN, { key: 'server:2' })).toEqual({ id: started.id, started: false });
  const [row] = await select<{ input: string }>('SELECT input FROM operations WHERE id = $id', { id: started.id });
  expect(JSON.parse(row?.input ?? '')).toMatchObject({ domain_ids: [9, 10, 11] });
  await expect(checkAgain(BOB, { key: 'server:2' })).rejects.toMatchObject({ kind: 'refused' });
  await expect(checkAgain(ANN, { key: 'domain:1' })).rejects.toMatchObject({ kind: 'refused' });
});

test('repairs of a day and the trends are those of the own names', async () => {
  await transaction(() =>
    recordEvents([
      { kind: 'domain_down', name: 'd1.example', domain_id: 1 },
      { kind: 'domain_up', name: 'd1.example', domain_id: 1 },
      { kind: 'domain_up', name: 'd2.example', domain_id: 2 },
      { kind: 'domain_blocked', name: 'd7.example', domain_id: 7 },
    ]),
  );
  await transaction(() =>
    execute(
      `INSERT INTO transfer_history (project_id, main_domain_id, transfer_domain_id, main_domain_name, transfer_domain_name, action, created_at)
       VALUES (1, 3, 5, 'd3.example', 'd5.example', 'auto', $now)`,
      { now: at(-2) },
    ),
  );
  const { repaired, trends } = await readTriage(ANN);
  expect(repaired.counts).toEqual({ up: 2, unblocked: 0, moved: 1 });
  expect(repaired.list.map(({ kind, name, count }) => [kind, name, count])).toEqual([
    ['up', 'd1.example', 2],
    ['moved', 'd3.example', 1],
  ]);
  expect([trends.down.total, trends.moved.total, trends.blocked.total]).toEqual([1, 1, null]);
  const ofBob = await readTriage(BOB);
  expect(ofBob.repaired.counts).toEqual({ up: 0, unblocked: 0, moved: 0 });
  expect(ofBob.trends.blocked.total).toBe(1);
});

test('the time to repair is the median of a day', async () => {
  await transaction(async () => {
    await execute(
      `INSERT INTO notices (kind, level, cause, cause_name, subjects, open_subjects, opened_at, changed_at)
       VALUES ('domain_down', 'critical', '', '', 3, 0, $now, $now)`,
      { now: at(-1) },
    );
    for (const [id, minutes] of [
      [1, 10],
      [2, 20],
      [3, 60],
    ] as const) {
      await execute(
        `INSERT INTO notice_subjects (notice_id, subject, domain_id, name, params, opened_at, closed_at)
         VALUES ((SELECT max(id) FROM notices), 'domain:' || $text, $id, '', '{}', $from, $to)`,
        { text: String(id), id, from: new Date(NOW - minutes * 60_000).toISOString(), to: new Date(NOW).toISOString() },
      );
    }
  });
  const { trends } = await readTriage(ANN, NOW);
  expect(trends.repair.total).toBe(1200);
  expect(trends.repair.values.at(-1)).toBe(1200);
});

test('the time to repair of an even number of repairs is between the two in the middle, of all days together as well', async () => {
  const DAY = 24 * 3_600_000;
  await transaction(async () => {
    await execute(
      `INSERT INTO notices (kind, level, cause, cause_name, subjects, open_subjects, opened_at, changed_at)
       VALUES ('domain_down', 'critical', '', '', 3, 0, $now, $now)`,
      { now: at(-1) },
    );
    for (const [id, seconds, ago] of [
      [1, 9, 0],
      [2, 100, 0],
      [3, 31, DAY],
      [7, 50_000, 0],
    ] as const) {
      await execute(
        `INSERT INTO notice_subjects (notice_id, subject, domain_id, name, params, opened_at, closed_at)
         VALUES ((SELECT max(id) FROM notices), 'domain:' || $text, $id, '', '{}', $from, $to)`,
        {
          text: String(id),
          id,
          from: new Date(NOW - ago - seconds * 1000).toISOString(),
          to: new Date(NOW - ago).toISOString(),
        },
      );
    }
  });
  const { trends } = await readTriage(ANN, NOW);
  expect(trends.repair.values.slice(-3)).toEqual([null, 31, 55]);
  expect(trends.repair.total).toBe(31);
});

test('a name that is blocked, silent and about to end is counted once', async () => {
  await set(`status = 'blocked', http_status_code = 503, expired_at = $soon`, 'id = 1', { soon: at(24) });
  await set('http_status_code = 503', 'id = 2');
  await set('expired_at = $soon', 'id = 3', { soon: at(24) });
  await set(`status = 'blocked'`, 'id = 5');
  expect(await readTriage(ANN, NOW)).toMatchObject({ names: 3, all: 10 });
  expect(await readTriage(SYSTEM, NOW)).toMatchObject({ names: 3, all: 12 });
});

test('names that do not answer are found by their index', async () => {
  const plan = await transaction(async () => {
    const isSqlite = dialect() === 'sqlite';
    // PostgreSQL reads a table of a few rows as a whole.
    if (!isSqlite) await execute('SET LOCAL enable_seqscan = off');
    const sql = `SELECT d.domain_name FROM domains d WHERE d.deleted_at IS NULL AND ${filters().broken}`;
    return JSON.stringify(await select(isSqlite ? `EXPLAIN QUERY PLAN ${sql}` : `EXPLAIN ${sql}`));
  });
  expect(plan).toContain('domains_silent');
});
