// One budget of calls for all processes on one database.
import { once, setMaxListeners } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { closeDatabase, openDatabase, select } from '../../../db/index.ts';
import { startCloudflare, type CloudflareFake } from '../../../src/demo/cloudflare.ts';
import { openBudget, type Budget } from '../../../src/providers/budget/budget.ts';
import { EMPTY_BOOK, grantFrom, sharedLedger, useLedger, type Limit } from '../../../src/providers/budget/ledger.ts';
import { paceOf } from '../../../src/providers/pace.ts';
import type { ProviderError } from '../../../src/providers/provider-error.ts';
import { listBudgetStands, openBudgets } from '../../../src/services/accounts/call-budgets.ts';
import { emptyState } from '../../../src/demo/cloudflare/state.ts';
import { startChild } from '../../support/child.ts';
import { startDatabase, type TestDatabase } from '../../support/database.ts';

const LOGIN = { email: 'ops@example.net', api_key: '0123456789abcdef0123456789abcdef01234' };

let database: TestDatabase;
let fake: CloudflareFake | undefined;

beforeAll(async () => {
  database = await startDatabase();
  openBudgets();
});
afterEach(async () => {
  await fake?.close();
  fake = undefined;
});
afterAll(async () => {
  useLedger(undefined);
  await database.close();
});

/** Opens the budget of a login as another process would: two of them know of each other by the database alone. */
const open = (key: string, limit: Limit): Budget =>
  openBudget({
    key,
    service: 'cloudflare',
    limit: () => limit,
    atOnce: 4,
    shares: { people: 0.985, others: 0.96 },
    patienceMs: 10_000,
    countsFrom: 'answer',
    ledger: sharedLedger,
  });

const nothing = async (): Promise<void> => undefined;
const failure = (call: Promise<unknown>): Promise<ProviderError> =>
  call.then(
    () => expect.unreachable(),
    (error: ProviderError) => error,
  );

test('processes that work at once, are killed and start again never exceed the limit together', async () => {
  const limit = { calls: 40, seconds: 3 };
  fake = await startCloudflare({
    state: { ...emptyState(), logins: [{ ...LOGIN, accounts: [] }] },
    rateLimit: limit,
  });
  const { url, requests } = fake;
  const args = [database.file, url, JSON.stringify(LOGIN), JSON.stringify(limit)];
  const child = (calls: number, die = 0) =>
    startChild('test/children/budget.ts', [...args, String(calls), String(die)]);
  const killed = child(25, 12);
  const [whole] = await Promise.all([child(25).output(), once(killed.process, 'exit')]);
  expect(whole).toBe('25');
  expect(await child(25).output()).toBe('25');
  expect(requests.length).toBeGreaterThanOrEqual(62);
  expect(new Set(requests.map(({ status }) => status))).toEqual(new Set([200]));
});

test('a refusal that one process has seen makes all wait, and no other login', async () => {
  const limit = { calls: 1_200, seconds: 300 };
  const [one, other, stranger] = [open('refused', limit), open('refused', limit), open('stranger', limit)];
  one.pause(120);
  const refused = (): Promise<boolean> =>
    other.run(true, undefined, nothing).then(
      () => false,
      ({ kind, retryAfter }: ProviderError) => kind === 'rate_limited' && Number(retryAfter) > 100,
    );
  await expect.poll(refused).toBe(true);
  await stranger.run(true, undefined, nothing);
  const [stand] = await listBudgetStands();
  expect(stand).toMatchObject({ service: 'cloudflare', left: 0 });
  expect(stand?.blocked_ms).toBeGreaterThan(60_000);
});

test('the share of people is left by the background work of another process', async () => {
  const limit = { calls: 100, seconds: 300 };
  const [worker, server] = [open('shares', limit), open('shares', limit)];
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  let made = 0;
  const calls = Array.from({ length: 100 }, () => worker.run(false, stop.signal, async () => (made += 1)));
  const ended = Promise.allSettled(calls);
  await expect.poll(() => made).toBe(96);
  for (let count = 0; count < 2; count += 1) await server.run(true, undefined, nothing);
  expect(await failure(server.run(true, undefined, nothing))).toMatchObject({ kind: 'rate_limited' });
  stop.abort();
  await ended;
  expect(made).toBe(96);
});

test('calls that a process has taken and not made are given back when it ends', async () => {
  const limit = { calls: 1_200, seconds: 300 };
  const counted = async (): Promise<number[]> => {
    const rows = await select<{ slices: string }>(`SELECT slices FROM call_budgets WHERE key = 'given back'`);
    return rows.flatMap(({ slices }) => (JSON.parse(slices) as { calls: number }[]).map(({ calls }) => calls));
  };
  await open('given back', limit).run(false, undefined, nothing);
  expect(await counted()).toEqual([4]);
  await closeDatabase();
  await openDatabase(database.file);
  expect(await counted()).toEqual([1]);
});

test('a database that cannot be written stops no call, and what was called meanwhile counts', async () => {
  const limit = { calls: 10, seconds: 300 };
  const budget = open('away', limit);
  await budget.run(false, undefined, nothing);
  await closeDatabase();
  for (let count = 0; count < 3; count += 1) await budget.run(false, undefined, nothing);
  await openDatabase(database.file);
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  let made = 0;
  const other = open('away', limit);
  const calls = Array.from({ length: 10 }, () => other.run(false, stop.signal, async () => (made += 1)));
  const ended = Promise.allSettled(calls);
  await expect.poll(() => made).toBe(5);
  stop.abort();
  await ended;
});

test('a clock that is set back holds no calls for longer than a period', () => {
  const ask = { key: '', service: '', limit: { calls: 2, seconds: 10 }, share: 1, wanted: 2, ended: [] };
  const { book } = grantFrom(EMPTY_BOOK, ask, 10_000_000);
  const { grant, book: later } = grantFrom({ ...book, blockedUntil: 10_000_000 }, ask, 0);
  expect(grant).toMatchObject({ calls: 0, opensInMs: 3_600_000 });
  expect(later.slices[0]?.until).toBeLessThan(60_000);
});

test('calls to a registrar whose service counts are in the same ledger, those of the others are not', async () => {
  await paceOf('counting.example login', { calls: 20, seconds: 300, atOnce: 1, shared: true }).run(nothing);
  await paceOf('other.example login', { calls: 20, seconds: 300, atOnce: 1 }).run(nothing);
  const stands = await listBudgetStands();
  expect(stands.find(({ service }) => service === 'counting.example')).toMatchObject({ left: 19, blocked_ms: 0 });
  expect(stands.find(({ service }) => service === 'other.example')).toBeUndefined();
});
