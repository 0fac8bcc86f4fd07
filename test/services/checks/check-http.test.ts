// HTTP checks of a portfolio against a world of real servers, stored in a real database.
import { describe, expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { operationRow } from '../../../src/operations/lease.ts';
import { checkNames } from '../../../src/services/checks/check-names.ts';
import { foundBy } from '../../../src/services/checks/check-results.ts';
import { startCheck } from '../../../src/services/checks/checks.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { startChild } from '../../support/child.ts';
import { endLeases } from '../../support/leases.ts';
import { add, ann, bob, check, config, FAST, history, SLOW, stored, useWorld, world } from './check-world.ts';

useWorld();

describe('an HTTP check', () => {
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
