// Items of a portfolio that need somebody: their order, their causes, and their owners.
import { expect, test } from 'vitest';
import { dialect, execute, select, transaction } from '../../../db/index.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { filters } from '../../../src/services/portfolio/filters.ts';
import { checkAgain, readTriage } from '../../../src/services/triage/triage.ts';
import { english } from '../../support/english.ts';
import { addPurchase, ANN, at, BOB, brief, NOW, set, useTriage } from './world.ts';

useTriage();

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

test('a registration has ended by day: what ends today ends today all day', async () => {
  const day = new Date().toISOString().slice(0, 10);
  const noon = Date.parse(`${day}T12:00:00.000Z`);
  await set('expired_at = $day', 'id IN (3, 4)', { day: `${day}T00:00:00.000Z` });
  const told = async (days: number): Promise<string[]> =>
    (await readTriage(ANN, noon + days * 24 * 3_600_000)).items.map(({ text }) => english(text));
  expect(await told(0)).toEqual([`Until ${day}`]);
  expect(await told(1)).toEqual([expect.stringMatching(`^Ended on ${day}.+: 2$`)]);
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

test('names behind a cause are checked again once, and only those of the caller', async () => {
  await set('http_status_code = 503', 'id IN (9, 10, 11)');
  const started = await checkAgain(ANN, { key: 'server:2' });
  expect(await checkAgain(ANN, { key: 'server:2' })).toEqual({ id: started.id, started: false });
  const [row] = await select<{ input: string }>('SELECT input FROM operations WHERE id = $id', { id: started.id });
  expect(JSON.parse(row?.input ?? '')).toMatchObject({ domain_ids: [9, 10, 11] });
  await expect(checkAgain(BOB, { key: 'server:2' })).rejects.toMatchObject({ kind: 'refused' });
  await expect(checkAgain(ANN, { key: 'domain:1' })).rejects.toMatchObject({ kind: 'refused' });
});

test('a name whose renewal is under way is not offered for another one', async () => {
  await set('expired_at = $soon', 'id IN (3, 4)', { soon: at(24) });
  await addPurchase({ kind: 'renew', domain_name: 'd3.example', state: 'reserved' });
  expect((await brief(ANN)).map(([kind, count, names]) => [kind, count, names])).toEqual([['ends', 1, 'd4.example']]);
});

test('every purchase that needs a person is an item, whatever its state', async () => {
  const look_at = at(1);
  await addPurchase({ kind: 'register', domain_name: 'approve.example', state: 'awaiting_approval' });
  await addPurchase({ kind: 'register', domain_name: 'lost.example', state: 'unknown' });
  await addPurchase({ kind: 'register', domain_name: 'looked.example', state: 'unknown', look_at });
  await addPurchase({ kind: 'renew', domain_name: 'queued.example', state: 'pending' });
  await addPurchase({ kind: 'renew', domain_name: 'slow.example', state: 'pending', look_at });
  await addPurchase({ kind: 'register', domain_name: 'charged.example', state: 'committed', charged: 1_000 });
  await addPurchase({ kind: 'register', domain_name: 'dollars.example', state: 'committed' });
  const { items, counts } = await readTriage(SYSTEM, NOW);
  expect(items.map(({ title, text, act }) => [title && english(title), english(text), act])).toEqual([
    ['Purchase of dollars.example', 'What was charged is to be checked', { kind: 'purchase', state: 'committed' }],
    ['Renewal of queued.example', 'How the order ended is not known', { kind: 'purchase', state: 'pending' }],
    ['Purchase of lost.example', 'How the order ended is not known', { kind: 'purchase', state: 'unknown' }],
    ['Purchase of approve.example', 'Waits for approval', { kind: 'purchase', state: 'awaiting_approval' }],
  ]);
  expect(counts.purchase).toEqual({ items: 4, names: 0 });
  expect((await readTriage(ANN, NOW)).counts.purchase.items).toBe(0);
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
