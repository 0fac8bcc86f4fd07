import { hostname } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import { createLog } from '../../src/lib/log.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import type { FlowStep, StepContext } from '../../src/operations/flow.ts';
import { countItems } from '../../src/operations/items.ts';
import { operationRow } from '../../src/operations/lease.ts';
import { cancelOperation, enqueue, requeue } from '../../src/operations/queue.ts';
import { startSchedule } from '../../src/operations/schedule.ts';
import { startDelivery } from '../../src/operations/delivery.ts';
import { embeddedDelivery } from '../../src/operations/embedded-delivery.ts';
import type { StoredStep } from '../../src/shared/operations.ts';
import { startDatabase } from '../support/database.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;
let ran: string[];

beforeEach(async () => {
  database = await startDatabase();
  ran = [];
});
afterEach(() => database.close());

const log = createLog('silent');
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Registers a kind of work with these steps. */
function define(steps: Record<string, (context: StepContext) => Promise<object | void>>): void {
  const list = Object.entries(steps).map(([name, run]): FlowStep => ({
    name,
    run: async (context) => {
      ran.push(name);
      return (await run(context)) ?? {};
    },
  }));
  registerFlows([
    {
      kind: 'test',
      steps: () => list,
      total: async () => 10,
      finished: ({ done }) => ({ key: 'check.finished', params: { done } }),
    },
  ]);
}

const queue = (subject = 'one', here = false) =>
  enqueue({ kind: 'test', subject, user_id: null, input: {}, message: { key: 'check.started' } }, here);
const statesOf = (steps: string) => (JSON.parse(steps) as StoredStep[]).map(({ state }) => state);
const good = async ({ advance }: StepContext) => advance(5);
const bad = async () => ({ error: { key: 'check.list_missing' } });
const freeLease = (id: number) =>
  transaction(() => execute(`UPDATE operations SET lease_until = '2000-01-01T00:00:00.000Z' WHERE id = $id`, { id }));

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

test('a worker takes queued work, and work whose lease has run out', async () => {
  define({ a: good });
  const left = await queue('left');
  await transaction(() =>
    execute(`UPDATE operations SET state = 'running', lease_owner = 'dead', lease_until = '2000-01-01T00:00:00.000Z'`),
  );
  const worker = startDelivery(embeddedDelivery(log));
  const ids = [left.id];
  for (const name of ['one', 'two', 'three']) ids.push((await queue(name)).id);
  for (const id of ids) {
    while ((await operationRow(id)).state !== 'succeeded') await sleep(20);
  }
  await worker.stop();
  expect(ran).toHaveLength(4);
});

test('work that is queued inside a transaction is not taken before the commit', async () => {
  define({ a: good });
  const worker = startDelivery(embeddedDelivery(log));
  // The transaction stays open after the enqueue, so that the worker wakes up meanwhile, and is then rolled back.
  const undone = transaction(async () => {
    await queue();
    await sleep(300);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(ran).toEqual([]);
  const { id } = await transaction(() => queue());
  while ((await operationRow(id)).state !== 'succeeded') await sleep(20);
  await worker.stop();
  expect(ran).toEqual(['a']);
});

test('urgent work does not wait behind other work, nor other work behind urgent work', async () => {
  const waits = ({ signal }: StepContext): Promise<void> =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve());
    });
  const flow = (kind: string) => ({
    kind,
    steps: () => [{ name: kind, run: (context: StepContext) => waits(context).then(() => ({})) }],
    total: async () => 1,
    finished: () => ({ key: 'check.finished', params: { done: 1 } }) as const,
  });
  registerFlows([flow('slow'), { ...flow('siren'), urgent: true }]);
  const put = (kind: string, subject: string) =>
    enqueue({ kind, subject, user_id: null, input: {}, message: { key: 'check.started' } });
  const kinds = ['slow', 'slow', 'slow', 'siren', 'siren', 'siren'];
  for (const [index, kind] of kinds.entries()) await put(kind, String(index));
  const worker = startDelivery(embeddedDelivery(log));
  const running = async () =>
    (await select<{ kind: string }>(`SELECT kind FROM operations WHERE state = 'running' ORDER BY id`)).map(
      ({ kind }) => kind,
    );
  while ((await running()).length < 4) await sleep(20);
  expect(await running()).toEqual(['slow', 'slow', 'siren', 'siren']);
  await worker.stop();
});

test('a worker that stops puts its work back', async () => {
  define({
    a: ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve());
      }),
  });
  const worker = startDelivery(embeddedDelivery(log));
  const { id } = await queue();
  while (ran.length === 0) await sleep(10);
  await worker.stop();
  expect(await operationRow(id)).toMatchObject({ state: 'queued', lease_owner: null });
});

test('a failing piece of work does not stop the others', async () => {
  define({ a: () => Promise.reject(new Error('a bug')) });
  const worker = startDelivery(embeddedDelivery(log));
  const broken = await queue('broken');
  while ((await operationRow(broken.id)).state !== 'failed') await sleep(10);
  define({ a: good });
  const fine = await queue('fine');
  while ((await operationRow(fine.id)).state !== 'succeeded') await sleep(10);
  await worker.stop();
  expect(ran).toEqual(['a', 'a']);
});

test('a job that fails does not stop its next run, and a job that still runs is not started again', async () => {
  const failures: number[] = [];
  let running = 0;
  let most = 0;
  const failing = (): Promise<never> => Promise.reject(new Error(String(failures.push(1))));
  const long = async (): Promise<void> => {
    most = Math.max(most, ++running);
    await sleep(1_500);
    running--;
  };
  const cron = '* * * * * *';
  const jobs = [
    { name: 'failing', cron, run: failing },
    { name: 'long', cron, run: long },
  ];
  const schedule = startSchedule(jobs, log);
  while (failures.length < 3) await sleep(50);
  await schedule.stop();
  expect(most).toBe(1);
});

test('stopping the schedule aborts the signal of a running job, waits for its end, and starts no other', async () => {
  const seen: string[] = [];
  let finish = (): void => undefined;
  let due = (): void => undefined;
  const run = async (ending: AbortSignal): Promise<void> => {
    ending.addEventListener('abort', () => seen.push('told'));
    seen.push('begun');
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    seen.push('ended');
  };
  const listen = (listener: () => void): void => {
    due = listener;
  };
  const schedule = startSchedule([{ name: 'long', cron: '0 0 1 1 *', run, due: listen }], log);
  due();
  const begun = due;
  const stopped = schedule.stop().then(() => seen.push('stopped'));
  begun();
  await sleep(50);
  expect(seen).toEqual(['begun', 'told']);
  finish();
  await stopped;
  expect(seen).toEqual(['begun', 'told', 'ended', 'stopped']);
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
