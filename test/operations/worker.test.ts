// The work that the delivery of a process takes, and when.
import { expect, test } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import type { Logger } from '../../src/lib/log.ts';
import { startDelivery } from '../../src/operations/delivery.ts';
import { embeddedDelivery } from '../../src/operations/embedded-delivery.ts';
import { registerFlows } from '../../src/operations/engine.ts';
import type { StepContext } from '../../src/operations/flow.ts';
import { operationRow } from '../../src/operations/lease.ts';
import { enqueue } from '../../src/operations/queue.ts';
import { define, deliver, good, log, queue, ran, sleep, useSteps } from './steps.ts';

useSteps();

test('a worker takes queued work, and work whose lease has run out', async () => {
  define({ a: good });
  const left = await queue('left');
  await transaction(() =>
    execute(`UPDATE operations SET state = 'running', lease_owner = 'dead', lease_until = '2000-01-01T00:00:00.000Z'`),
  );
  const worker = deliver();
  const ids = [left.id];
  for (const name of ['one', 'two', 'three']) ids.push((await queue(name)).id);
  for (const id of ids) {
    while ((await operationRow(id)).state !== 'succeeded') await sleep(20);
  }
  await worker.stop();
  expect(ran).toHaveLength(4);
});

test('work that has waited for a free place is taken when some work ends, not at the next look', async () => {
  define({ a: good });
  const ids: number[] = [];
  for (const name of ['one', 'two', 'three', 'four', 'five', 'six']) ids.push((await queue(name)).id);
  const worker = startDelivery(embeddedDelivery(log, { lookEveryMs: 3_600_000 }));
  const states = () => Promise.all(ids.map(async (id) => (await operationRow(id)).state));
  await expect.poll(states).toEqual(ids.map(() => 'succeeded'));
  await worker.stop();
});

test('work that another process has claimed first leaves its place to the next', async () => {
  const told: unknown[] = [];
  let claimedElsewhere: Promise<unknown> | undefined;
  registerFlows([
    {
      kind: 'test',
      // Between the look and the claim of this process, and longer than a look takes.
      steps: ({ id, subject }) => {
        if (subject === 'theirs') {
          claimedElsewhere = transaction(async () => {
            await execute(
              `UPDATE operations SET lease_owner = 'other', lease_until = '2100-01-01T00:00:00.000Z' WHERE id = $id`,
              { id },
            );
            await sleep(300);
          });
        }
        return [{ name: subject, run: async () => ({}) }];
      },
      total: async () => 1,
      finished: () => ({ key: 'check.finished', params: { done: 1 } }),
    },
  ]);
  const [theirs, one, two] = [await queue('theirs'), await queue('one'), await queue('two')];
  const telling = { ...log, info: () => undefined, error: (facts: object) => void told.push(facts) } as Logger;
  const worker = startDelivery(embeddedDelivery(telling, { lookEveryMs: 3_600_000 }));
  const states = () => Promise.all([one, two].map(async ({ id }) => (await operationRow(id)).state));
  await expect.poll(states).toEqual(['succeeded', 'succeeded']);
  await claimedElsewhere;
  await worker.stop();
  expect((await operationRow(theirs.id)).lease_owner).toBe('other');
  expect(told).toEqual([]);
});

test('work that is queued inside a transaction is not taken before the commit', async () => {
  define({ a: good });
  const worker = deliver();
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
  const worker = deliver();
  const running = async () =>
    (await select<{ kind: string }>(`SELECT kind FROM operations WHERE state = 'running' ORDER BY id`)).map(
      ({ kind }) => kind,
    );
  while ((await running()).length < 4) await sleep(20);
  expect(await running()).toEqual(['slow', 'slow', 'siren', 'siren']);
  await worker.stop();
});

test('a worker of some kinds takes no others, and restores of its own kinds alone', async () => {
  const flow = (kind: string) => ({
    kind,
    steps: () => [
      {
        name: kind,
        run: async () => {
          ran.push(kind);
          return {};
        },
      },
    ],
    total: async () => 1,
    finished: () => ({ key: 'check.finished', params: { done: 1 } }) as const,
  });
  registerFlows(['ours', 'theirs', 'restore'].map(flow));
  const put = (kind: string, subject: string, restored_kind?: string) =>
    enqueue({
      kind,
      subject,
      user_id: null,
      input: {},
      message: { key: 'check.started' },
      ...(restored_kind && { restored_kind }),
    });
  await put('theirs', 'one');
  await put('restore', 'two', 'theirs');
  await put('restore', 'three', 'ours');
  const last = await put('ours', 'four');
  const worker = deliver({ kinds: new Set(['ours', 'restore']) });
  while ((await operationRow(last.id)).state !== 'succeeded') await sleep(20);
  await worker.stop();
  expect(ran).toEqual(['restore', 'ours']);
  expect(await select(`SELECT subject FROM operations WHERE fence = 0 ORDER BY id`)).toEqual([
    { subject: 'one' },
    { subject: 'two' },
  ]);
});

test('a worker that stops puts its work back', async () => {
  define({
    a: ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve());
      }),
  });
  const worker = deliver();
  const { id } = await queue();
  while (ran.length === 0) await sleep(10);
  await worker.stop();
  expect(await operationRow(id)).toMatchObject({ state: 'queued', lease_owner: null });
});

test('a failing piece of work does not stop the others', async () => {
  define({ a: () => Promise.reject(new Error('a bug')) });
  const worker = deliver();
  const broken = await queue('broken');
  while ((await operationRow(broken.id)).state !== 'failed') await sleep(10);
  define({ a: good });
  const fine = await queue('fine');
  while ((await operationRow(fine.id)).state !== 'succeeded') await sleep(10);
  await worker.stop();
  expect(ran).toEqual(['a', 'a']);
});
