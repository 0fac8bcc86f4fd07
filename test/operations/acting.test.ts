// In whose name, and through which door, background work writes.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acting, currentActing } from '../../db/acting.ts';
import { select } from '../../db/index.ts';
import { createLog } from '../../src/lib/log.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import { cancelOperation, enqueue } from '../../src/operations/queue.ts';
import { startSchedule } from '../../src/operations/schedule.ts';
import { startDelivery } from '../../src/operations/delivery.ts';
import { embeddedDelivery } from '../../src/operations/embedded-delivery.ts';
import { addUser, startDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let seen: unknown[];
const log = createLog('silent');

beforeEach(async () => {
  database = await startDatabase();
  seen = [];
  const note = async () => {
    const { user, door } = currentActing();
    seen.push([user.login, door.name, door.call, door.operation_id]);
    return {};
  };
  registerFlows([
    {
      kind: 'test',
      steps: () => [{ name: 'one', run: note }],
      total: async () => 1,
      finished: () => ({ key: 'operation.cancelled' }),
    },
  ]);
});
afterEach(() => database.close());

const queue = (user_id: number | null, subject: string, here = false) =>
  enqueue({ kind: 'test', subject, user_id, input: {}, message: { key: 'check.started' } }, here);
const rows = async (): Promise<unknown[][]> =>
  (
    await select<Record<string, unknown>>(
      `SELECT login, door, call, action, outcome FROM audit WHERE object = 'operations' ORDER BY id`,
    )
  ).map((row) => Object.values(row));

test('an operation works in the name of the user who asked for it, whoever runs it', async () => {
  const anna = await addUser('anna');
  const { id } = await acting(anna, { name: 'api', call: 'POST /api/x' }, () => queue(anna.id, 'one', true));
  const bob = { id: 99, login: 'bob' };
  await acting(bob, { name: 'cli', call: 'operation resume' }, () => runOperation(id));
  expect(seen).toEqual([['anna', 'operation', 'test', id]]);
  expect(await rows()).toEqual([
    ['anna', 'api', 'POST /api/x', 'start', 'done'],
    ['anna', 'operation', 'test', 'finish', 'done'],
  ]);
});

test('the worker does not work in the name of who has queued last', async () => {
  const delivery = startDelivery(embeddedDelivery(log));
  const anna = await addUser('anna');
  const { id } = await acting(anna, { name: 'api', call: 'POST /api/x' }, () => queue(null, 'one'));
  await expect.poll(() => seen).toEqual([['system', 'operation', 'test', id]]);
  await delivery.stop();
});

test('a job acts for the schedule', async () => {
  let due = (): void => undefined;
  const run = async (): Promise<void> => {
    const { user, door } = currentActing();
    seen.push([user.login, door.name, door.call]);
  };
  const schedule = startSchedule([{ name: 'purge', cron: '0 0 1 1 *', run, due: (listener) => (due = listener) }], log);
  await acting({ id: 1, login: 'anna' }, { name: 'api', call: 'POST /api/x' }, async () => due());
  await expect.poll(() => seen).toEqual([['system', 'schedule', 'purge']]);
  await schedule.stop();
});

test('a cancellation and its end are audited, once each', async () => {
  const { id } = await queue(null, 'one');
  await acting({ id: 1, login: 'anna' }, { name: 'api', call: 'cancel' }, () => cancelOperation(id));
  await expect(cancelOperation(id)).rejects.toMatchObject({ kind: 'conflict' });
  expect((await rows()).map(([login, , , action, outcome]) => [login, action, outcome])).toEqual([
    ['system', 'start', 'done'],
    ['anna', 'cancel', 'done'],
    ['anna', 'finish', 'cancelled'],
  ]);
});
