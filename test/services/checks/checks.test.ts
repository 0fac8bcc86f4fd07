// Checks of a portfolio against a world of real servers, stored in a real file.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../../db/index.ts';
import { migrate } from '../../../db/migrate.ts';
import type { Config } from '../../../src/lib/config.ts';
import { databaseAddress } from '../../../src/lib/database-address.ts';
import { registerFlows, runOperation } from '../../../src/operations/engine.ts';
import { operationRow } from '../../../src/operations/lease.ts';
import { updateBlocklist } from '../../../src/services/checks/blocklist.ts';
import { checkNames } from '../../../src/services/checks/check-names.ts';
import type { CheckRequest } from '../../../src/services/checks/check-targets.ts';
import { foundBy } from '../../../src/services/checks/check-results.ts';
import { acceptHeld, startCheck } from '../../../src/services/checks/checks.ts';
import { flows } from '../../../src/services/system/flows.ts';
import { findOperation, listOperations } from '../../../src/services/operations/operations.ts';
import { viewOf } from '../../../src/services/operations/operation-views.ts';
import { SYSTEM, type Actor } from '../../../src/services/access/scope.ts';
import { renderOperation, type OperationView } from '../../../src/shared/operations.ts';
import { isSuspicious } from '../../../src/shared/checks/list-doubt.ts';
import { startChild } from '../../support/child.ts';
import { endLeases } from '../../support/leases.ts';
import { addUser } from '../../support/database.ts';
import { newInstallation, removeInstallation } from '../../support/server.ts';
import { startWorld, type World } from '../../support/world.ts';
import { english } from '../../support/english.ts';

const FAST = ['up.test', 'gone.test', 'error.test', 'reset.test', 'moved.test'];
const SLOW = ['slow-1.test', 'slow-2.test', 'slow-3.test'];

let world: World;
let config: Config;
let ann: Actor;
let bob: Actor;

beforeAll(async () => {
  const slow = Object.fromEntries(SLOW.map((name) => [name, { delayMs: 4_000 }]));
  world = await startWorld({
    'up.test': {},
    'gone.test': { status: 404 },
    'error.test': { status: 503 },
    'reset.test': { fault: 'reset' },
    'moved.test': { status: 301, location: 'http://up.test/' },
    ...slow,
  });
});
afterAll(() => world.close());

beforeEach(async () => {
  world.seen.length = 0;
  config = await newInstallation({
    allowPrivate: true,
    connectTo: `:443:127.0.0.1:${world.tlsPort},:80:127.0.0.1:${world.port}`,
  });
  await openDatabase(databaseAddress(config));
  await migrate();
  registerFlows(flows());
  [ann, bob] = [await addUser('ann'), await addUser('bob')];
});
afterEach(async () => {
  await closeDatabase();
  await removeInstallation(config);
});

/** Inserts domains in the state that adding gives them. */
async function add(owner: Actor, names: string[]): Promise<void> {
  await transaction(() =>
    execute(
      `INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, created_at, updated_at)
       SELECT $owner, value, value, '/', 'main', 'auto', 'off', 'available', '', '' FROM json_each($names)`,
      { owner: owner.id, names: JSON.stringify(names) },
    ),
  );
}

/** Runs a check to its end in this process and returns its operation. */
async function check(actor: Actor, request: CheckRequest): Promise<OperationView> {
  const { id } = await startCheck(actor, request, true);
  return renderOperation(english, await viewOf(await runOperation(id)));
}

async function loadList(names: string[]): Promise<void> {
  const file = join(config.dataDir, 'list.txt');
  writeFileSync(file, `${names.join('\n')}\n`);
  await updateBlocklist(config.blocklistDir, { file, accept: true });
}

const stored = async (column: string): Promise<Record<string, unknown>> => {
  const rows = await select<{ name: string; value: unknown }>(
    `SELECT domain_name AS name, ${column} AS value FROM domains`,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
};
const history = (kind: string) =>
  select<{ name: string; verdict: string; code: number | null; detail: string | null }>(
    `SELECT d.domain_name AS name, c.verdict, c.http_status_code AS code, c.detail
     FROM checks c JOIN domains d ON d.id = c.domain_id WHERE c.kind = $kind ORDER BY c.id`,
    { kind },
  );
const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `many-${index}.test`);

describe('http', () => {
  test('every verdict is stored, on the domain and as history', async () => {
    await add(ann, FAST);
    const operation = await check(ann, { steps: ['http'] });
    expect(operation).toMatchObject({ state: 'succeeded', total: 5, done: 5, failed: 0 });
    expect(await stored('http_status_code')).toEqual({
      'up.test': 200,
      'gone.test': 404,
      'error.test': 503,
      'reset.test': null,
      'moved.test': 200,
    });
    expect(await stored('http_error')).toMatchObject({ 'up.test': null, 'reset.test': 'reset' });
    const rows = await history('http');
    expect(rows.map(({ name }) => name).toSorted()).toEqual(FAST.toSorted());
    expect(rows.find(({ name }) => name === 'moved.test')).toMatchObject({ verdict: '200', detail: 'http://up.test/' });
    expect(rows.find(({ name }) => name === 'reset.test')).toMatchObject({ verdict: 'reset', code: null });
    const times = Object.values(await stored('last_http_check_at'));
    expect(times.every((time) => typeof time === 'string')).toBe(true);
  });

  test('a check of a user covers the domains of that user, a check of the system all domains', async () => {
    await add(ann, ['up.test']);
    await add(bob, ['gone.test']);
    expect(await check(ann, { steps: ['http'] })).toMatchObject({ total: 1, done: 1 });
    expect(await stored('http_status_code')).toEqual({ 'up.test': 200, 'gone.test': null });
    expect(await check(SYSTEM, { steps: ['http'] })).toMatchObject({ total: 2, done: 2 });
    expect(await stored('http_status_code')).toEqual({ 'up.test': 200, 'gone.test': 404 });
  });

  test('a part of the portfolio is a filter of the dashboard', async () => {
    await add(ann, FAST);
    await check(ann, { steps: ['http'] });
    world.seen.length = 0;
    expect(await check(ann, { steps: ['http'], status: 'broken' })).toMatchObject({ total: 3, done: 3 });
    const asked = new Set(world.seen.map(({ url }) => new URL(url).hostname));
    expect([...asked].toSorted()).toEqual(['error.test', 'gone.test', 'reset.test']);
  });

  test('names given to a check are stored only where they are domains of the caller', async () => {
    await add(ann, ['up.test']);
    await add(bob, ['gone.test']);
    const results: string[] = [];
    const onItem = ({ domain }: { domain: string }): void => void results.push(domain);
    await checkNames(async () => ann, ['up.test', 'gone.test', 'error.test'], {}, { onItem });
    expect(results.toSorted()).toEqual(['error.test', 'gone.test', 'up.test']);
    expect(await stored('http_status_code')).toEqual({ 'up.test': 200, 'gone.test': null });
  });

  test('names given to a check begin with those that timed out last time', async () => {
    await add(ann, ['up.test', 'gone.test']);
    await transaction(() => execute(`UPDATE domains SET http_error = 'timeout' WHERE domain_name = 'gone.test'`));
    world.seen.length = 0;
    const choices = { scheme: 'http', concurrency: 1 } as const;
    await checkNames(async () => ann, ['up.test', 'error.test', 'gone.test'], choices, { onItem: () => {} });
    expect(world.seen[0]?.headers.host).toBe('gone.test');
  });

  test('a stopped check goes back to the queue, and stored results are not asked again', async () => {
    await add(ann, [...FAST, ...SLOW]);
    const { id } = await startCheck(ann, { steps: ['http'] }, true);
    const stop = new AbortController();
    const seen: object[] = [];
    const onItem = (item: object): void => {
      seen.push(item);
      if (seen.length === FAST.length) stop.abort();
    };
    const stopped = await runOperation(id, { signal: stop.signal, onItem });
    expect(stopped.state).toBe('queued');
    expect(await operationRow(id)).toMatchObject({ state: 'queued', lease_owner: null, lease_until: null });
    expect(await history('http')).toHaveLength(FAST.length);
    world.seen.length = 0;
    expect(await runOperation(id)).toMatchObject({ state: 'succeeded', total: 8, done: 8, failed: 0 });
    expect([...new Set(world.seen.map(({ url }) => new URL(url).hostname))].toSorted()).toEqual(SLOW);
    expect(await history('http')).toHaveLength(FAST.length + SLOW.length);
    // The results cover both runs.
    expect([...(await foundBy(id)).keys()].toSorted()).toEqual([...FAST, ...SLOW].toSorted());
  });

  test('a check continues from the results that an older version stored', async () => {
    await add(ann, ['up.test', 'gone.test']);
    const { id } = await startCheck(ann, { steps: ['http'] }, true);
    await transaction(() =>
      execute(
        `INSERT INTO operation_results (operation_id, results, created_at) VALUES ($id, $results, '2026-01-01')`,
        {
          id,
          results: JSON.stringify([{ domain: 'gone.test', http_status_code: 404 }]),
        },
      ),
    );
    await runOperation(id);
    expect(world.seen.map(({ url }) => new URL(url).hostname)).not.toContain('gone.test');
    expect([...(await foundBy(id))].toSorted(([one], [other]) => (one < other ? -1 : 1))).toMatchObject([
      ['gone.test', { http_status_code: 404 }],
      ['up.test', { http_status_code: 200 }],
    ]);
  });

  test('an interrupted check is continued by the same flags within a day; other flags begin another', async () => {
    await add(ann, FAST);
    const ask = async (options: object) => (await startCheck(ann, { steps: ['http'], options })).id;
    const first = await ask({ timeoutMs: 3000 });
    expect(await ask({ timeoutMs: 3000 })).toBe(first);
    expect(await ask({ timeoutMs: 4000 })).not.toBe(first);
    await transaction(() =>
      execute(`UPDATE operations SET changed_at = '2026-01-01T00:00:00.000Z' WHERE id = $first`, { first }),
    );
    expect(await ask({ timeoutMs: 3000 })).not.toBe(first);
    expect(await operationRow(first)).toMatchObject({ state: 'cancelled' });
  });

  test('after kill -9 another process takes the check over and asks only the missing names', async () => {
    await add(ann, [...FAST, ...SLOW]);
    const { id } = await startCheck(ann, { steps: ['http'] });
    const settings = { allowPrivate: true, connectTo: config.connectTo };
    const child = startChild('test/children/serve.ts', [config.dataDir, JSON.stringify(settings)]);
    await child.line();
    while ((await history('http')).length < FAST.length) await new Promise((resolve) => setTimeout(resolve, 20));
    // A living holder keeps its lease, however slow it is.
    await expect(runOperation(id)).rejects.toMatchObject({ kind: 'busy' });
    await child.kill();
    await endLeases();
    world.seen.length = 0;
    expect(await runOperation(id)).toMatchObject({ state: 'succeeded', total: 8, done: 8, failed: 0, fence: 2 });
    expect([...new Set(world.seen.map(({ url }) => new URL(url).hostname))].toSorted()).toEqual(SLOW);
    expect(await history('http')).toHaveLength(FAST.length + SLOW.length);
  });
});

describe('blocklist', () => {
  test('names of the list are blocked, others are available, each with its history', async () => {
    await add(ann, ['up.test', 'sub.mask.test', 'named.test', ...many(10)]);
    await loadList(['named.test', '*.mask.test', 'other.test']);
    expect(await check(ann, { steps: ['blocklist'] })).toMatchObject({
      state: 'succeeded',
      total: 13,
      done: 13,
      held: null,
    });
    const status = await stored('status');
    expect(status).toMatchObject({ 'named.test': 'blocked', 'sub.mask.test': 'blocked', 'up.test': 'available' });
    expect(await stored('block_entry')).toMatchObject({ 'sub.mask.test': '*.mask.test', 'up.test': null });
    expect((await history('blocklist')).filter(({ verdict }) => verdict === 'blocked')).toHaveLength(2);
    await loadList(['other.test']);
    await check(ann, { steps: ['blocklist'] });
    expect(await stored('status')).toMatchObject({ 'named.test': 'available', 'sub.mask.test': 'available' });
  });

  test('known verdicts stay without a list and with an old one', async () => {
    await add(ann, ['up.test', 'named.test']);
    await loadList(['named.test']);
    await check(ann, { steps: ['blocklist'] });
    const known = await stored('status');
    const file = join(config.dataDir, 'list.txt');
    writeFileSync(file, 'up.test\n');
    const old = new Date(Date.now() - 73 * 3_600_000);
    await updateBlocklist(config.blocklistDir, { file, now: old });
    const stale = await check(ann, { steps: ['blocklist'] });
    expect(stale).toMatchObject({
      state: 'failed',
      failed: 2,
      steps: [{ state: 'failed', error: expect.any(String) }],
    });
    rmSync(config.blocklistDir, { recursive: true });
    const missing = await check(ann, { steps: ['http', 'blocklist'] });
    expect(missing).toMatchObject({ state: 'partial', steps: [{ state: 'succeeded' }, { state: 'failed' }] });
    expect(missing.steps[1]?.error).not.toBe(stale.steps[0]?.error);
    expect(await stored('status')).toEqual(known);
    expect(await history('blocklist')).toHaveLength(2);
  });

  test('a result is suspicious above a fifth of the portfolio, and from five domains on', () => {
    expect([isSuspicious(4, 4), isSuspicious(5, 5), isSuspicious(5, 25), isSuspicious(6, 25)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect([isSuspicious(2000, 10_000), isSuspicious(2001, 10_000), isSuspicious(0, 0)]).toEqual([false, true, false]);
  });

  test('a result that would block too much waits for a person, who accepts it once', async () => {
    const names = many(20);
    await add(ann, names);
    await loadList([...names.slice(0, 5), 'other.test']);
    const held = await check(ann, { steps: ['blocklist'] });
    expect(held).toMatchObject({ state: 'partial', done: 20, held: { count: 5, total: 20 } });
    expect(Object.values(await stored('status'))).not.toContain('blocked');
    expect(await history('blocklist')).toEqual([]);
    await expect(acceptHeld(bob, held.id)).rejects.toMatchObject({ kind: 'not_found' });
    const [first, second] = await Promise.allSettled([acceptHeld(ann, held.id), acceptHeld(ann, held.id)]);
    const accepted = first.status === 'fulfilled' ? first : second;
    const refused = first.status === 'fulfilled' ? second : first;
    expect(refused).toMatchObject({ status: 'rejected', reason: { kind: 'conflict', key: 'check.not_held' } });
    const { id } = (accepted as PromiseFulfilledResult<{ id: number }>).value;
    expect(await viewOf(await runOperation(id))).toMatchObject({ state: 'succeeded', held: null });
    expect(Object.values(await stored('status')).filter((status) => status === 'blocked')).toHaveLength(5);
    await expect(acceptHeld(ann, held.id)).rejects.toMatchObject({ kind: 'conflict' });
    // Domains that are blocked already do not count: the next run is not held.
    expect(await check(ann, { steps: ['blocklist'] })).toMatchObject({ state: 'succeeded', held: null });
  });

  test('accepting a held result covers that list only, not the next one', async () => {
    const names = many(20);
    await add(ann, names);
    await loadList(names.slice(0, 5));
    const held = await check(ann, { steps: ['blocklist'] });
    await loadList(names);
    const { id } = await acceptHeld(ann, held.id);
    expect(await viewOf(await runOperation(id))).toMatchObject({
      state: 'partial',
      held: { count: 20, total: 20 },
    });
    expect(Object.values(await stored('status'))).not.toContain('blocked');
  });

  test('accepting the held result of a check of some domains stores nothing of the others', async () => {
    const names = many(20);
    await add(ann, names);
    const rows = await select<{ id: number; domain_name: string }>('SELECT id, domain_name FROM domains ORDER BY id');
    const ids = rows.filter(({ domain_name }) => names.slice(0, 6).includes(domain_name)).map(({ id }) => id);
    await loadList(names.slice(0, 12));
    const held = await check(ann, { steps: ['blocklist'], domain_ids: ids });
    expect(held).toMatchObject({ state: 'partial', held: { count: 6 } });
    const { id } = await acceptHeld(ann, held.id);
    await runOperation(id);
    const blocked = Object.entries(await stored('status')).filter(([, status]) => status === 'blocked');
    expect(blocked.map(([name]) => name).toSorted()).toEqual(names.slice(0, 6).toSorted());
  });

  test('the share counts against the whole portfolio of the caller, not against the part that is checked', async () => {
    await add(ann, many(100));
    await add(bob, ['bob.test']);
    await loadList(many(10));
    expect(await check(ann, { steps: ['blocklist'] })).toMatchObject({ state: 'succeeded', held: null });
  });
});

describe('operations', () => {
  test('the same check runs once at a time; a different check is another operation', async () => {
    const first = await startCheck(ann, { steps: ['http'] });
    const starts = await Promise.all(Array.from({ length: 5 }, () => startCheck(ann, { steps: ['http'] })));
    expect(starts).toEqual(starts.map(() => ({ id: first.id, started: false })));
    const others = [
      await startCheck(bob, { steps: ['http'] }),
      await startCheck(ann, { steps: ['blocklist'] }),
      await startCheck(ann, { steps: ['http'], status: 'broken' }),
      await startCheck(SYSTEM, { steps: ['http'] }),
    ];
    expect(new Set([first.id, ...others.map(({ id }) => id)]).size).toBe(5);
    await runOperation(first.id);
    expect(await startCheck(ann, { steps: ['http'] })).toMatchObject({ started: true });
  });

  test('are visible to the user who started them, and to admins', async () => {
    const { id } = await startCheck(ann, { steps: ['http'] });
    expect((await findOperation(ann, id)).id).toBe(id);
    await expect(findOperation(bob, id)).rejects.toMatchObject({ kind: 'not_found' });
    expect((await findOperation(SYSTEM, id)).id).toBe(id);
    expect((await listOperations(bob)).data).toEqual([]);
    expect((await listOperations(ann)).data).toHaveLength(1);
  });

  test('are not run again once they have finished', async () => {
    const operation = await check(ann, { steps: ['http'] });
    expect(operation).toMatchObject({ state: 'succeeded', total: 0, finished_at: expect.any(String) });
    await expect(runOperation(operation.id)).rejects.toMatchObject({ kind: 'busy' });
  });
});
