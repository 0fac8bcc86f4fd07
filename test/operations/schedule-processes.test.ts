// The schedule in several processes on one database: each slot is run once, and that of a killed process is taken over.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import type { ScheduleRunRow } from '../../src/shared/system/tables.ts';
import { startChild, type Child } from '../support/child.ts';
import { startDatabase, type TestDatabase } from '../support/database.ts';
import { log, sleep } from './steps.ts';
import { startSchedule } from '../../src/operations/schedule.ts';

let database: TestDatabase;
let children: Child[] = [];
beforeEach(async () => {
  database = await startDatabase();
});
afterEach(async () => {
  await Promise.all(children.map((child) => child.kill()));
  children = [];
  await database.close();
});

function start(...more: string[]): Child {
  const child = startChild('test/children/schedule.ts', [database.file, ...more]);
  children.push(child);
  return child;
}
const row = async (): Promise<ScheduleRunRow | undefined> =>
  (await select<ScheduleRunRow>(`SELECT * FROM schedule_runs WHERE name = 'one'`))[0];
const make = (change: string): Promise<number> =>
  transaction(() => execute(`UPDATE schedule_runs SET ${change} WHERE name = 'one'`));

test('a slot is run by one of three processes', async () => {
  const three = [start(), start(), start()];
  await Promise.all(three.map((child) => child.line()));
  const lines: string[] = [];
  for (const child of three)
    void child.line().then(
      (line) => lines.push(line),
      () => undefined,
    );
  await make(`next_at = '2020-01-01T00:00:00.000Z'`);
  await expect.poll(row, { timeout: 15_000 }).toMatchObject({ result: 'ok', lease_owner: null });
  // Each of them has looked again meanwhile.
  await sleep(5_500);
  expect(lines).toEqual(['run']);
  expect(await row()).toMatchObject({ slot_at: '2020-01-01T00:00:00.000Z' });
}, 60_000);

test('the slot of a process that was killed in it is taken over', async () => {
  const holder = start('hold');
  await holder.line();
  await make(`next_at = '2020-01-01T00:00:00.000Z'`);
  expect(await holder.line()).toBe('run');
  await holder.kill();
  expect(await row()).toMatchObject({ lease_owner: expect.any(String) });
  let runs = 0;
  const schedule = startSchedule([{ name: 'one', cron: '0 * * * *', run: async () => void (runs += 1) }], log);
  await sleep(300);
  expect(runs).toBe(0);
  // As after forty seconds.
  await make(`lease_until = '2020-01-01T00:00:40.000Z'`);
  schedule.look();
  await expect.poll(row, { timeout: 15_000 }).toMatchObject({ result: 'ok', lease_owner: null });
  expect(runs).toBe(1);
  await schedule.stop();
}, 60_000);
