import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { current, execute, select, transaction } from '../../db/index.ts';
import { hasTable } from '../../db/tables.ts';
import type { AppError } from '../../src/shared/errors.ts';
import { startChild } from '../support/child.ts';
import { addOne, useCounter, value } from './counter.ts';

const database = useCounter();

test('a thousand transactions at once all take effect', async () => {
  await Promise.all(Array.from({ length: 1000 }, () => transaction(addOne)));
  expect(await value()).toBe(1000);
});

test('a failed transaction leaves nothing, and the next one works', async () => {
  const failing = transaction(async () => {
    await addOne();
    await execute('CREATE TABLE half (id INTEGER)');
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  expect(await value()).toBe(0);
  expect(await hasTable('half')).toBe(false);
  await transaction(addOne);
  expect(await value()).toBe(1);
});

test('all transactions of a process use one connection', async () => {
  await transaction(() => execute('CREATE TEMP TABLE of_connection (value INTEGER)'));
  await expect(transaction(() => execute('INSERT INTO nowhere VALUES (1)'))).rejects.toThrow('nowhere');
  await transaction(() => execute('INSERT INTO of_connection VALUES (1)'));
  expect(await transaction(() => select('SELECT value FROM of_connection'))).toEqual([{ value: 1 }]);
});

test('a write that its transaction did not wait for is rolled back with it', async () => {
  const late: Promise<unknown>[] = [];
  const failing = transaction(async () => {
    const write = () => execute('UPDATE counter SET value = value + 1').catch(() => undefined);
    late.push(...Array.from({ length: 20 }, write));
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  await transaction(addOne);
  await Promise.all(late);
  expect(await value()).toBe(1);
});

test('a transaction inside another is part of it', async () => {
  const failing = transaction(async () => {
    const outer = current();
    await transaction(async () => {
      expect(current()).toBe(outer);
      await addOne();
    });
    expect(await value()).toBe(1);
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  expect(await value()).toBe(0);
});

test('a read beside a transaction sees the state before it', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const writing = transaction(async () => {
    await addOne();
    await held;
  });
  expect(await value()).toBe(0);
  release();
  await writing;
  expect(await value()).toBe(1);
});

test('a write outside a transaction is refused', async () => {
  await expect(execute('UPDATE counter SET value = 9')).rejects.toThrow('outside a transaction');
});

test('writers beyond the queue are refused, and those in it are served', async () => {
  const results = await Promise.allSettled(Array.from({ length: 2100 }, () => transaction(async () => undefined)));
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as AppError] : []));
  expect(refused.length).toBe(2100 - 2001);
  for (const error of refused) expect(error).toMatchObject({ kind: 'unavailable', key: 'error.queue_full' });
});

test('several processes that write at once lose no update', async () => {
  const children = [1, 2].map(() => startChild('test/children/count.ts', [database().file, '100']));
  const own = Array.from({ length: 100 }, () => transaction(addOne));
  await Promise.all([...children.map(({ output }) => output()), ...own]);
  expect(await value()).toBe(300);
});

test('a transaction waits for a lock that another process holds for longer than one try lasts', async () => {
  const go = join(database().folder, 'go');
  const holder = startChild('test/children/hold-lock.ts', [database().file, go]);
  expect(await holder.line()).toBe('ready');
  writeFileSync(go, '');
  expect(await holder.line()).toBe('held');
  const adding = transaction(addOne);
  // A try lasts one second: this one has failed by then, and is made again.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  await holder.kill();
  await adding;
  expect(await value()).toBe(1);
});
