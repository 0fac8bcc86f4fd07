// Operations that nobody holds: what is only to be ended, and what a person has stopped.
import { expect, test } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import { runOperation } from '../../src/operations/engine.ts';
import { countItems } from '../../src/operations/items.ts';
import { leaveToPerson, operationRow, owner } from '../../src/operations/lease.ts';
import { cancelOperation, enqueue, refuseHeld, requeue } from '../../src/operations/queue.ts';
import { endLeftOvers, endUnheld } from '../../src/operations/unheld.ts';
import { viewOf } from '../../src/services/operations/operation-views.ts';
import { leaveActs } from './left.ts';
import { asked, fault, names, outside, queue, rowsOf, useOutside, database } from './outside-items.ts';
import { deliverTo, freeLease, sleep } from './steps.ts';

useOutside();

const stateOf = async (id: number): Promise<string> => (await operationRow(id)).state;
const deliver = () => deliverTo(database.file);
const lock = { kind: 'item', name: 'n0' };

/** Runs an operation until its first item alone is left, which is limited outside, and stops it there, as a person or an ending process does. */
async function stopped(id: number, by: 'person' | 'process' = 'person'): Promise<void> {
  const stop = new AbortController();
  fault('n0', 'limited');
  const run = runOperation(id, { signal: stop.signal, ...(by === 'person' && { byPerson: true }) });
  // The refusal is stored: nothing is in doubt.
  await expect.poll(() => outside.faults.get('n0')).toEqual([]);
  await expect.poll(async () => (await rowsOf(id)).map(({ state }) => state)).toEqual(['queued', 'done']);
  stop.abort();
  await run;
  outside.faults.clear();
}

/** Longer than two looks of a delivery: a row that has not changed by then stays. */
const LONGER_MS = 700;

test('work that a person has stopped is taken by no process, whichever starts later', async () => {
  const id = await queue(names(2));
  await stopped(id);
  expect(await operationRow(id)).toMatchObject({ state: 'queued', stopped: 1, lease_owner: null, finished_at: null });
  const writes = outside.writes.length;
  for (let start = 0; start < 2; start += 1) {
    const worker = deliver();
    await sleep(LONGER_MS);
    await worker.stop();
  }
  expect([await stateOf(id), outside.writes.length]).toEqual(['queued', writes]);
  expect(await viewOf(await operationRow(id))).toMatchObject({
    state: 'queued',
    message: { key: 'operation.stopped_by_person', params: { id } },
    retryable: true,
    cancellable: true,
  });
  await expect(runOperation(id)).rejects.toMatchObject({ kind: 'busy', key: 'operation.busy' });
});

test('work that its process has put back, or left by its death, is taken by another one', async () => {
  const [put, left] = [await queue(names(2)), (await enqueue(asked(['x'], { subject: 'left' }))).id];
  await stopped(put, 'process');
  await transaction(() =>
    execute(`UPDATE operations SET state = 'running', lease_owner = 'dead', lease_until = '2000' WHERE id = $left`, {
      left,
    }),
  );
  const worker = deliver();
  await expect
    .poll(() => Promise.all([stateOf(put), stateOf(left)]), { timeout: 10_000 })
    .toEqual(['succeeded', 'succeeded']);
  await worker.stop();
});

test('stopped work goes on in any process once a person asks for it again, by a retry or by the same request', async () => {
  const worker = deliver();
  for (const again of [(id: number) => requeue(id), () => enqueue(asked(names(2)))]) {
    outside.values.clear();
    const id = await queue(names(2));
    await stopped(id);
    await again(id);
    await expect.poll(() => stateOf(id), { timeout: 10_000 }).toBe('succeeded');
    expect(await operationRow(id)).toMatchObject({ stopped: 0, finished_at: expect.any(String) });
  }
  await worker.stop();
});

test('stopped work does not go on because the schedule asks for the same, but where that costs and changes nothing', async () => {
  const id = await queue(names(2));
  await stopped(id);
  await enqueue(asked(names(2), { asked_by: 'automation' }));
  expect(await operationRow(id)).toMatchObject({ stopped: 1 });
  await enqueue(asked(names(2), { asked_by: 'automation', isFree: true }));
  expect(await operationRow(id)).toMatchObject({ stopped: 0 });
});

test('the person who stopped the work goes on with it in a process of his own', async () => {
  const id = await queue(names(2));
  await stopped(id);
  expect(await runOperation(id, { byPerson: true })).toMatchObject({ state: 'succeeded', stopped: 0 });
});

test('work that is killed right after a person has stopped it waits for a person all the same', async () => {
  const id = await queue(['n0']);
  fault('n0', 'hold');
  const stop = new AbortController();
  const run = runOperation(id, { signal: stop.signal, byPerson: true });
  await expect.poll(() => outside.writes.length).toBe(1);
  stop.abort();
  await expect.poll(async () => (await operationRow(id)).stopped).toBe(1);
  expect(await stateOf(id)).toBe('running');
  // The process is gone: its lease runs out.
  await freeLease(id);
  const worker = deliver();
  await expect.poll(() => stateOf(id)).toBe('queued');
  await sleep(LONGER_MS);
  expect(await operationRow(id)).toMatchObject({ state: 'queued', stopped: 1 });
  await worker.stop();
  outside.release();
  await run;
  expect(await operationRow(id)).toMatchObject({ state: 'queued', stopped: 1, finished_at: null });
});

test('work that a stopped process has queued for itself, or begun, waits for a person', async () => {
  const queued = await queue(names(1));
  const other = (await enqueue(asked(['x'], { subject: 'other' }))).id;
  await leaveToPerson();
  expect(await operationRow(queued)).toMatchObject({ stopped: 1, state: 'queued', lease_owner: null });
  expect(await operationRow(other)).toMatchObject({ stopped: 0 });
});

test('cancelled work that was begun and put back ends at once, and frees its locks', async () => {
  const worker = deliver();
  await worker.stop();
  for (const by of ['process', 'person'] as const) {
    const id = await queue(names(2));
    await stopped(id, by);
    const calls = outside.reads.length + outside.writes.length;
    await expect(refuseHeld([lock])).rejects.toMatchObject({ kind: 'busy', key: 'operation.busy', params: { id } });
    await cancelOperation(id);
    expect(await endUnheld(id)).toBe(true);
    expect(await operationRow(id)).toMatchObject({
      state: 'cancelled',
      stopped: 0,
      finished_at: expect.any(String),
      lease_owner: null,
    });
    expect(await countItems(id)).toMatchObject({ queued: 0, intent: 0 });
    expect(outside.reads.length + outside.writes.length, 'nothing was asked outside').toBe(calls);
    await refuseHeld([lock]);
    outside.values.clear();
    await transaction(() => execute('DELETE FROM operations'));
  }
});

test('cancelled work with an act in doubt is left to a process, which looks the act up', async () => {
  const id = (await enqueue(asked(['n0']))).id;
  await leaveActs(id, [{ name: 'first', state: 'intent', before: '', after: 'wanted' }]);
  await transaction(() => execute('UPDATE operations SET stopped = 1 WHERE id = $id', { id }));
  outside.values.set('n0', 'wanted');
  expect(await endUnheld(id)).toBe(false);
  expect(await stateOf(id)).toBe('running');
  const worker = deliver();
  await expect.poll(() => stateOf(id), { timeout: 10_000 }).toBe('cancelled');
  await worker.stop();
  const [item] = await rowsOf(id);
  expect([item?.state, JSON.parse(item?.acts ?? '')]).toMatchObject(['cancelled', [{ name: 'first', state: 'done' }]]);
  expect(outside.writes).toEqual([]);
});

test('cancelled work is ended though all places are taken', async () => {
  for (const name of ['a', 'b']) {
    fault(name, 'hold');
    await enqueue(asked([name], { subject: name }));
  }
  const worker = deliver();
  await expect.poll(() => outside.writes.length).toBe(2);
  const id = (await enqueue(asked(['n0'], { subject: 'doubtful' }))).id;
  outside.values.set('n0', 'wanted');
  await leaveActs(id, [{ name: 'first', state: 'intent', before: '', after: 'wanted' }]);
  await endUnheld(id);
  await expect.poll(() => stateOf(id)).toBe('cancelled');
  outside.release();
  await worker.stop();
});

test('work with a final state alone is ended by the next process, its items and its notice with it', async () => {
  const [cancelled, partial, held] = [
    (await enqueue(asked(['n0', 'n1'], { subject: 'a' }))).id,
    (await enqueue(asked(['n2'], { subject: 'b' }))).id,
    (await enqueue(asked(['n3'], { subject: 'c' }))).id,
  ];
  const steps = JSON.stringify([{ name: 'items', state: 'succeeded', done: 1, failed: 1 }]);
  const leave = (id: number, until: string, more = '') =>
    transaction(() =>
      execute(
        `UPDATE operations SET state = 'partial', steps = $steps, fence = 1, lease_owner = 'dead', lease_until = $until ${more}
         WHERE id = $id`,
        { id, steps, until },
      ),
    );
  await leave(cancelled, '2000', ', cancel_requested = 1');
  await leave(partial, '2000', ', failed = 1, total = 2');
  await leave(held, '2999');
  await expect(requeue(held)).rejects.toMatchObject({ kind: 'busy' });
  await endLeftOvers();
  expect(await operationRow(cancelled)).toMatchObject({
    state: 'cancelled',
    finished_at: expect.any(String),
    lease_owner: null,
  });
  expect(await countItems(cancelled)).toMatchObject({ queued: 0, cancelled: 2 });
  expect(await operationRow(partial)).toMatchObject({ state: 'partial', finished_at: expect.any(String) });
  expect(JSON.parse((await operationRow(partial)).message)).toMatchObject({ key: 'operation.items_finished' });
  expect(await operationRow(held)).toMatchObject({ state: 'partial', finished_at: null, lease_owner: 'dead' });
  const told = await select<{ kind: string; name: string }>('SELECT kind, name FROM events');
  expect(told).toEqual([{ kind: 'operation_partial', name: `test #${partial}` }]);
});

test('who finds a thing taken is told whether the work on it waits, runs here, or runs elsewhere', async () => {
  const { id } = await enqueue(asked(['n0']));
  const why = (lease_owner: string | null) =>
    transaction(async () => {
      await execute(`UPDATE operations SET lease_owner = $lease_owner, lease_until = '2999' WHERE id = $id`, {
        id,
        lease_owner,
      });
    }).then(() => refuseHeld([lock]).catch((error: { key?: string }) => error.key));
  expect(await refuseHeld([lock]).catch((error: { key?: string }) => error.key)).toBe('operation.busy');
  expect(await why(owner)).toBe('operation.busy_here');
  expect(await why('another')).toBe('operation.busy_elsewhere');
});
