import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { execute, transaction } from '../../db/index.ts';
import { flowOf, registerFlows, runOperation } from '../../src/operations/engine.ts';
import type { StepContext } from '../../src/operations/flow.ts';
import { countItems } from '../../src/operations/items.ts';
import { operationRow } from '../../src/operations/lease.ts';
import { cancelOperation, enqueue, requeue } from '../../src/operations/queue.ts';
import { bad, define, freeLease, good, queue, ran, sleep, statesOf, useSteps } from './steps.ts';

useSteps();

test('an operation ends as its steps do', async () => {
  const ends: [Record<string, (context: StepContext) => Promise<object | void>>, string, string[]][] = [
    [{ a: good, b: good }, 'succeeded', ['succeeded', 'succeeded']],
    [{ a: good, b: bad }, 'partial', ['succeeded', 'failed']],
    [{ a: bad, b: bad }, 'failed', ['failed', 'failed']],
    [{ a: async ({ advance }) => advance(5, 1) }, 'partial', ['succeeded']],
    [{ a: async () => ({ held: { count: 1, total: 2, list_version: 'x' } }) }, 'partial', ['held']],
  ];
  for (const [index, [steps, state, states]] of ends.entries()) {
    define(steps);
    const { id } = await queue(String(index));
    await runOperation(id);
    const row = await operationRow(id);
    expect([row.state, statesOf(row.steps)]).toEqual([state, states]);
    expect(row).toMatchObject({ lease_owner: null, lease_until: null, finished_at: expect.any(String) });
  }
});

test('a step that throws ends the work as failed, and the error is thrown', async () => {
  define({ a: good, b: () => Promise.reject(new Error('a bug')), c: good });
  const { id } = await queue();
  await expect(runOperation(id)).rejects.toThrow('a bug');
  expect(ran).toEqual(['a', 'b']);
  const row = await operationRow(id);
  expect([row.state, JSON.parse(row.message)]).toEqual(['failed', { key: 'operation.broken' }]);
  expect(await queue()).toMatchObject({ started: true });
});

test('the final state is stored with the message and the time of the end, and not before', async () => {
  const seen: object[] = [];
  define({ a: good });
  const { id } = await queue();
  const flow = flowOf('test');
  registerFlows([
    {
      ...flow,
      finished: async (operation) => {
        // Longer than the pause between two saves.
        await sleep(1_200);
        const { state, finished_at, lease_owner } = await operationRow(id);
        seen.push({ state, finished_at, isHeld: lease_owner !== null });
        return flow.finished(operation);
      },
    },
  ]);
  await runOperation(id);
  expect(seen).toEqual([{ state: 'running', finished_at: null, isHeld: true }]);
  expect(await operationRow(id)).toMatchObject({ state: 'succeeded', finished_at: expect.any(String) });
});

test('after a stop, finished steps are skipped and their counts are kept', async () => {
  const stop = new AbortController();
  define({
    a: good,
    b: async ({ advance }) => {
      advance(2);
      stop.abort();
    },
  });
  const { id } = await queue();
  expect((await runOperation(id, { signal: stop.signal })).state).toBe('queued');
  define({ a: good, b: good });
  const row = await runOperation(id);
  expect([ran, row.state, row.done]).toEqual([['a', 'b', 'b'], 'succeeded', 10]);
});

test('a holder whose lease was taken over can no longer write to the operation', async () => {
  let taken: Promise<unknown> = Promise.resolve();
  const { id } = await queue();
  define({
    a: async ({ advance, operation }) => {
      advance(3);
      if (operation.fence > 1) return;
      // The first holder sleeps, its lease runs out, and another run takes over.
      await freeLease(id);
      taken = runOperation(id);
      await taken;
    },
  });
  await runOperation(id);
  await taken;
  const row = await operationRow(id);
  expect(row).toMatchObject({ fence: 2, state: 'succeeded', done: 3 });
});

test('a process does not begin again what it has begun, though the lease is its own', async () => {
  const refusals: unknown[] = [];
  define({
    a: async ({ operation }) => void refusals.push(await runOperation(operation.id).catch((error: unknown) => error)),
  });
  const { id } = await queue('one', true);
  expect(await runOperation(id)).toMatchObject({ state: 'succeeded', fence: 1 });
  expect(refusals).toMatchObject([{ kind: 'busy' }]);
  expect(ran).toEqual(['a']);
});

test('a valid lease keeps others away', async () => {
  define({ a: good });
  const { id } = await queue();
  const until = new Date(Date.now() + 60_000).toISOString();
  await transaction(() => execute(`UPDATE operations SET lease_owner = 'another', lease_until = $until`, { until }));
  await expect(runOperation(id)).rejects.toMatchObject({ kind: 'busy' });
  await freeLease(id);
  expect((await runOperation(id)).state).toBe('succeeded');
});

test('a holder with this host’s name and a process number that is not there keeps its lease: containers share names', async () => {
  define({ a: good });
  const { id } = await queue();
  const until = new Date(Date.now() + 60_000).toISOString();
  const names = [`${hostname()}/4194304/run`, `${hostname()}/${process.pid}/another`];
  for (const name of names) {
    const bind = { name, until };
    await transaction(() => execute(`UPDATE operations SET lease_owner = $name, lease_until = $until`, bind));
    await expect(runOperation(id)).rejects.toMatchObject({ kind: 'busy' });
  }
});

test('a holder whose lease was taken over does not cancel work that was queued again since', async () => {
  define({
    a: async ({ operation, giveUp }) => {
      if (operation.fence > 1) return;
      giveUp();
      // The first holder sleeps; another run ends the work as cancelled, and a person asks for it again.
      await freeLease(operation.id);
      await cancelOperation(operation.id);
      await runOperation(operation.id);
      await requeue(operation.id);
    },
    b: good,
  });
  const items = [{ item: 'x', lane: 'one', data: {} }];
  const message = { key: 'check.started' } as const;
  const { id } = await enqueue({ kind: 'test', subject: 'one', user_id: null, input: {}, message, items });
  await runOperation(id);
  expect(await operationRow(id)).toMatchObject({ state: 'queued', finished_at: null });
  expect(await countItems(id)).toMatchObject({ queued: 1, cancelled: 0 });
});
