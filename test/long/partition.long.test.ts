// As `test/db/postgres/partition.test.ts`, with workers as they run in production, whose leases run out by themselves.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../db/index.ts';
import { migrate } from '../../db/migrate.ts';
import { startChild, type Child } from '../support/child.ts';
import { startPostgres, type PostgresServer } from '../support/postgres/cluster.ts';
import { startOutside, type Outside } from '../operations/outside.ts';

const COUNT = 400;

let server: PostgresServer;
let outside: Outside;
let children: Child[];
beforeEach(async () => {
  server = startPostgres({ databases: ['one'] });
  outside = await startOutside();
  await openDatabase(server.address('one'));
  await migrate();
  children = [];
});
afterEach(async () => {
  for (const child of children) child.process.kill('SIGCONT');
  await Promise.all(children.map((child) => child.kill()));
  await closeDatabase();
  server.close();
  await outside.close();
});

const start = (count: number): Child => {
  const child = startChild('test/children/deliver.ts', [server.address('one'), outside.url, '0', String(count)]);
  children.push(child);
  return child;
};
const states = () =>
  select<{ state: string; n: number }>('SELECT state, count(*) AS n FROM operations GROUP BY state ORDER BY state');
const heldBy = () =>
  select<{ id: number; fence: number }>(
    `SELECT id, fence FROM operations WHERE state = 'running' AND lease_owner IS NOT NULL`,
  );

test('a worker that is stopped past its lease, while another one does all of its work, commits nothing once it goes on', async () => {
  const stopped = start(COUNT);
  await expect.poll(() => outside.writes.length, { interval: 50 }).toBeGreaterThan(100);
  stopped.process.kill('SIGSTOP');
  const held = await heldBy();
  expect(held.length).toBeGreaterThan(0);
  const began = Date.now();
  start(0);
  // Work that the stopped worker had not queued yet comes once it goes on: all queued work is done without it.
  const left = async (): Promise<number> =>
    (await select(`SELECT 1 FROM operations WHERE state <> 'succeeded'`)).length;
  await expect.poll(left, { timeout: 120_000, interval: 500 }).toBe(0);
  const seconds = Math.round((Date.now() - began) / 1_000);
  const ids = JSON.stringify(held.map(({ id }) => id));
  const rows = () =>
    select(`SELECT * FROM operations WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids)) ORDER BY id`, {
      ids,
    });
  const items = () =>
    select(
      `SELECT * FROM operation_items WHERE operation_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids)) ORDER BY id`,
      { ids },
    );
  const before = [await rows(), await items()];
  stopped.process.kill('SIGCONT');
  await expect.poll(states, { timeout: 120_000, interval: 200 }).toEqual([{ state: 'succeeded', n: COUNT }]);
  expect([await rows(), await items()]).toEqual(before);
  const written = outside.writes.map(({ name }) => name);
  console.log(
    `partition: ${held.length} operations held by the stopped worker were done elsewhere after ${seconds} s; ${written.length} calls, ${new Set(written).size} names`,
  );
  expect(new Set(written).size).toBe(COUNT * 2);
  // A call that was under way when the process was stopped may arrive once more, with the same value.
  expect(written.length - COUNT * 2).toBeLessThanOrEqual(held.length);
});

test('a process that is stopped inside a transaction does not keep the others from writing', async () => {
  const holder = startChild('test/children/hold-lock.ts', [server.address('one'), process.execPath]);
  children.push(holder);
  expect([await holder.line(), await holder.line()]).toEqual(['ready', 'held']);
  holder.process.kill('SIGSTOP');
  const began = Date.now();
  await transaction(() => execute(`INSERT INTO installation (name, value) VALUES ('written', 'yes')`));
  console.log(`partition: the lock of a stopped process was free after ${Math.round((Date.now() - began) / 1_000)} s`);
  expect(await select(`SELECT value FROM installation WHERE name = 'written'`)).toEqual([{ value: 'yes' }]);
});
