import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { execute, transaction } from '../../db/index.ts';
import { createLog } from '../../src/lib/log.ts';
import { runOperation } from '../../src/operations/engine.ts';
import { countItems } from '../../src/operations/items.ts';
import { operationRow } from '../../src/operations/lease.ts';
import { cancelOperation, enqueue, requeue } from '../../src/operations/queue.ts';
import { startRestore } from '../../src/operations/restore.ts';
import { startDelivery } from '../../src/operations/delivery.ts';
import { embeddedDelivery } from '../../src/operations/embedded-delivery.ts';
import { startChild } from '../support/child.ts';
import { endLeases } from '../support/leases.ts';
import type { Fault } from './outside.ts';
import { asked, database, fault, names, outside, queue, rowsOf, useOutside } from './outside-items.ts';

useOutside();

test('items that are as wanted are left alone, the others are changed once, and the counts add up', async () => {
  for (const name of ['n1', 'n1+', 'n2+']) outside.values.set(name, 'wanted');
  const id = await queue(names(4));
  expect(await runOperation(id)).toMatchObject({ state: 'succeeded', total: 4, done: 4, failed: 0 });
  expect(await countItems(id)).toMatchObject({ done: 3, noop: 1, failed: 0, queued: 0, intent: 0 });
  expect(outside.writes.map(({ name }) => name).toSorted()).toEqual(['n0', 'n0+', 'n2', 'n3', 'n3+']);
  expect(JSON.parse((await rowsOf(id))[2]!.acts)).toEqual([
    { name: 'first', state: 'done', before: '', after: 'wanted', at: expect.any(String), fence: 1 },
    { name: 'second', state: 'noop', at: expect.any(String), fence: 1 },
  ]);
});

test('the watcher is told of every item once, with its error where it has failed', async () => {
  outside.values.set('n1', 'wanted');
  outside.values.set('n1+', 'wanted');
  fault('n2', 'refuse');
  fault('n0', 'fail', 'too-many');
  const told: object[] = [];
  const id = await queue(names(3));
  expect(await runOperation(id, { onItem: (item) => told.push(item) })).toMatchObject({ done: 3, failed: 1 });
  expect(told.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)))).toEqual([
    { item: 'n0', state: 'done', error: undefined },
    { item: 'n1', state: 'noop', error: undefined },
    { item: 'n2', state: 'failed', error: { key: 'provider.refused', params: { message: 'refuse' } } },
  ]);
});

describe('a failure', () => {
  test('that is temporary is tried again, and an act that took effect before its failure is not repeated', async () => {
    fault('n0', 'fail', 'fail');
    fault('n1', 'act-then-drop');
    const id = await queue(names(2));
    expect(await runOperation(id)).toMatchObject({ state: 'succeeded', done: 2, failed: 0 });
    expect(outside.writes.filter(({ name }) => name === 'n1')).toHaveLength(1);
    expect(JSON.parse((await rowsOf(id))[1]!.acts)[0]).toMatchObject({ state: 'done', before: '', after: 'wanted' });
  });

  test('of one item does not stop the others, is stored with its error, and can be tried again', async () => {
    fault('n1', 'refuse');
    const id = await queue(names(3));
    expect(await runOperation(id)).toMatchObject({ state: 'partial', done: 3, failed: 1 });
    const failed = (await rowsOf(id))[1]!;
    expect(failed).toMatchObject({ state: 'failed', acts: '[]' });
    expect(JSON.parse(failed.error!)).toEqual({ key: 'provider.refused', params: { message: 'refuse' } });
    expect(await requeue(id, true)).toBe(1);
    expect(await runOperation(id)).toMatchObject({ state: 'succeeded', total: 3, done: 3, failed: 0 });
    expect(outside.writes).toHaveLength(6);
    await expect(requeue(id)).rejects.toMatchObject({ kind: 'conflict' });
  });

  test('that lasts ends its item as failed after the last try', async () => {
    fault('n0', 'fail', 'fail', 'fail', 'fail', 'fail');
    const id = await queue(['n0']);
    expect(await runOperation(id)).toMatchObject({ state: 'failed', failed: 1 });
    expect((await rowsOf(id))[0]).toMatchObject({ state: 'failed', attempt: 4 });
  });

  test('by a rate limit costs no attempt', async () => {
    fault('n0', ...Array.from({ length: 9 }, (): Fault => 'too-many'));
    const id = await queue(['n0']);
    expect(await runOperation(id)).toMatchObject({ state: 'succeeded', failed: 0 });
    expect((await rowsOf(id))[0]?.attempt).toBe(0);
  });

  test('by a rejected key stops the items of its own account only', async () => {
    fault('n0', 'wrong-key');
    const id = await queue(names(40));
    expect(await runOperation(id)).toMatchObject({ state: 'partial', total: 40, done: 40 });
    const rows = await rowsOf(id);
    expect(rows.filter(({ lane, state }) => lane === 'odd' && state === 'done')).toHaveLength(20);
    // Items under way end; no other begins.
    expect(rows.filter(({ lane, state }) => lane === 'even' && state === 'done').length).toBeLessThan(8);
  });
});

test('one item belongs to one running operation, and the same request is the same operation', async () => {
  const first = await enqueue(asked(names(2)));
  expect(await enqueue(asked(names(2)))).toEqual({ id: first.id, started: false });
  await expect(enqueue(asked(names(3)))).rejects.toMatchObject({ kind: 'busy' });
  await expect(enqueue(asked(['n1'], { subject: 'other' }))).rejects.toMatchObject({ kind: 'busy' });
  await runOperation(first.id);
  expect((await enqueue(asked(['n1'], { subject: 'other' }))).started).toBe(true);
});

test('an idempotency key finds its operation, even after the end; another request with the key is refused', async () => {
  const keyed = (list: string[], user_id: number | null = null) =>
    enqueue(asked(list, { idem_key: 'k', user_id }), true);
  const { id } = await keyed(['n0']);
  await runOperation(id);
  expect(await keyed(['n0'])).toEqual({ id, started: false });
  await expect(keyed(['n1'])).rejects.toMatchObject({ kind: 'conflict', key: 'operation.key_reused' });
});

test('a cancelled operation leaves the items not begun, keeps the finished ones, and can be continued', async () => {
  // All but three are rate-limited again and again, long enough for the cancellation.
  for (const name of names(60).slice(3)) fault(name, ...Array.from({ length: 16 }, (): Fault => 'too-many'));
  const id = await queue(names(60));
  let told = 0;
  const running = runOperation(id, {
    onItem: () => {
      told += 1;
      if (told === 3) void cancelOperation(id);
    },
  });
  expect(await running).toMatchObject({ state: 'cancelled' });
  const counts = await countItems(id);
  expect(counts.done + counts.cancelled + counts.failed).toBe(60);
  expect(counts.cancelled).toBeGreaterThan(0);
  outside.faults.clear();
  await requeue(id, true);
  expect(await runOperation(id)).toMatchObject({ state: 'succeeded', total: 60, done: 60, failed: 0 });
});

test('queued work is cancelled at once; ended work cannot be', async () => {
  const { id } = await enqueue(asked(names(2)));
  await cancelOperation(id);
  expect(await operationRow(id)).toMatchObject({ state: 'cancelled' });
  expect(await countItems(id)).toMatchObject({ cancelled: 2 });
  await expect(cancelOperation(id)).rejects.toMatchObject({ kind: 'conflict', key: 'operation.ended' });
});

test('a restore brings every item back, except those changed by hand since, which fail with the difference', async () => {
  outside.values.set('n0', 'old');
  const id = await queue(names(3));
  await runOperation(id);
  outside.values.set('n1', 'by hand');
  const back = await startRestore(null, id, true);
  expect(await runOperation(back.id)).toMatchObject({ state: 'partial', total: 3, failed: 1 });
  const told = (await rowsOf(back.id)).map(({ item, state, error }) => [item, state, error && JSON.parse(error)]);
  expect(told).toEqual([
    ['n2', 'done', null],
    ['n1', 'failed', { key: 'operation.differs', params: { differences: 'first:  → by hand' } }],
    ['n0', 'done', null],
  ]);
  expect(Object.fromEntries(outside.values)).toEqual({
    n0: 'old',
    'n0+': '',
    n1: 'by hand',
    'n1+': '',
    n2: '',
    'n2+': '',
  });
  expect((await startRestore(null, id)).started).toBe(true);
});

test('a restore and a retry at once: the first one goes on and the other is refused', async () => {
  const half = async (subject: string) => {
    outside.values.clear();
    const { id } = await enqueue(asked(names(2), { subject }), true);
    await runOperation(id);
    await transaction(() =>
      execute(
        `UPDATE operation_items SET state = 'failed', acts = '[]', touched = 0 WHERE operation_id = $id AND item = 'n1'`,
        {
          id,
        },
      ),
    );
    return id;
  };
  const outcome = (work: Promise<unknown>) =>
    work.then(
      () => 'goes on',
      ({ kind }: { kind: string }) => kind,
    );
  const first = await half('one');
  expect(await Promise.all([outcome(requeue(first)), outcome(startRestore(null, first))])).toEqual(['goes on', 'busy']);
  await runOperation(first);
  const second = await half('two');
  expect(await Promise.all([outcome(startRestore(null, second)), outcome(requeue(second))])).toEqual([
    'goes on',
    'busy',
  ]);
});

test('two requests to restore at once both get the same operation', async () => {
  const id = await queue(names(2));
  await runOperation(id);
  const [one, two] = await Promise.all([startRestore(null, id), startRestore(null, id)]);
  expect([one.id === two.id, one.started, two.started]).toEqual([true, true, false]);
});

test('work of a kind that this version does not know is not taken', async () => {
  const { id } = await enqueue(asked(['n0'], { kind: 'tomorrow' }));
  await expect(runOperation(id)).rejects.toMatchObject({ key: 'operation.unknown_kind' });
  const worker = startDelivery(embeddedDelivery(createLog('silent')));
  const known = await enqueue(asked(['n1'], { subject: 'known' }));
  while ((await operationRow(known.id)).state !== 'succeeded') await sleep(20);
  await worker.stop();
  expect(await operationRow(id)).toMatchObject({ state: 'queued', fence: 0, lease_owner: null });
});

describe('an operation killed', () => {
  const POINTS = ['before-intent', 'after-intent', 'after-call', 'after-done'];
  test.each(POINTS.flatMap((point) => ['first', 'second'].map((act) => `test:${act}:${point}`)))(
    'at %s and started again does nothing twice and loses nothing',
    async (point) => {
      for (const name of names(6)) outside.values.set(name, 'old');
      const { id } = await enqueue(asked(names(6)));
      process.env['SEO_ADMIN_CRASH_AT'] = `${point}#3`;
      const child = startChild('test/children/work.ts', [database.file, outside.url, String(id)]);
      delete process.env['SEO_ADMIN_CRASH_AT'];
      await expect(child.output()).rejects.toThrow('ended');
      await endLeases();
      expect(await operationRow(id)).toMatchObject({ state: 'running' });
      expect(await runOperation(id)).toMatchObject({ state: 'succeeded', total: 6, done: 6, failed: 0, fence: 2 });
      expect(outside.writes).toHaveLength(12);
      const rows = await rowsOf(id);
      expect(rows.map(({ state }) => state)).toEqual(Array(6).fill('done'));
      for (const { acts } of rows) expect(JSON.parse(acts)[0]).toMatchObject({ before: 'old', after: 'wanted' });
    },
  );
});
