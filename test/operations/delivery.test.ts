import { afterEach, beforeEach, expect, test } from 'vitest';
import { transaction } from '../../db/index.ts';
import { startDelivery } from '../../src/operations/delivery.ts';
import { cancelOperation, enqueue, requeue } from '../../src/operations/queue.ts';
import { startDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let told: (number | string)[];
let delivery: { stop: () => Promise<void> };

beforeEach(async () => {
  database = await startDatabase();
  told = [];
  delivery = startDelivery({
    announce: (id) => told.push(id),
    start: () => told.push('started'),
    stop: async () => void told.push('stopped'),
  });
});
afterEach(async () => {
  await delivery.stop();
  await database.close();
});

const queue = (subject: string, here = false) => {
  const items = [{ item: subject, lane: 'one', data: {} }];
  return enqueue({ kind: 'test', subject, user_id: null, input: {}, message: { key: 'check.started' }, items }, here);
};

test('work is announced once it is committed, and what was rolled back is not', async () => {
  const { id } = await queue('alone');
  const second = await transaction(async () => {
    const queued = await queue('inside');
    expect(told).toEqual(['started', id]);
    return queued;
  });
  const undone = transaction(async () => {
    await queue('undone');
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(told).toEqual(['started', id, second.id]);
});

test('work is announced when it is queued and when it is tried again, but not if its own process runs it', async () => {
  const { id } = await queue('one');
  await queue('one');
  await queue('here', true);
  await cancelOperation(id);
  await requeue(id);
  expect(told).toEqual(['started', id, id]);
});

test('a process whose delivery was stopped only queues, and an older delivery does not stop a newer one', async () => {
  const newer: number[] = [];
  const next = startDelivery({ announce: (id) => newer.push(id), start: () => undefined, stop: async () => undefined });
  await delivery.stop();
  const { id } = await queue('one');
  await next.stop();
  await queue('two');
  expect([told, newer]).toEqual([['started', 'stopped'], [id]]);
});
