// Commands and the schedule, which do the same work: who leaves it to whom, and what becomes of a command that was killed.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { createLog } from '../../../src/lib/log.ts';
import { startSchedule, type Schedule } from '../../../src/operations/schedule.ts';
import { asJob } from '../../../src/services/system/command-runs.ts';
import { scheduleHooks } from '../../../src/services/system/schedule-hooks.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import type { ScheduleRunRow } from '../../../src/shared/system/tables.ts';
import { startDatabase, type TestDatabase } from '../../support/database.ts';
import { noticed } from '../notices/recorded.ts';

const log = createLog('silent');
const PAST = '2020-01-01T00:00:00.000Z';

let database: TestDatabase;
let schedule: Schedule;
let runs: number;
beforeEach(async () => {
  database = await startDatabase();
  runs = 0;
  schedule = startSchedule(
    [{ name: 'blocklist', cron: '0 0 1 1 *', run: async () => void (runs += 1) }],
    log,
    scheduleHooks(log),
  );
  await vi.waitUntil(async () => (await row())?.next_at != null, 60_000);
});
afterEach(async () => {
  await schedule.stop();
  await database.close();
});

const row = async (): Promise<ScheduleRunRow | undefined> =>
  (await select<ScheduleRunRow>(`SELECT * FROM schedule_runs WHERE name = 'blocklist'`))[0];
const set = (change: string): Promise<number> =>
  transaction(() => execute(`UPDATE schedule_runs SET ${change} WHERE name = 'blocklist'`));

test('the schedule leaves a job while a command does the same, and runs its slot after that', async () => {
  let finish = (): void => undefined;
  const command = asJob(
    SYSTEM,
    'blocklist',
    () => new Promise<void>((resolve) => (finish = resolve)),
    () => ({ result: 'ok' }),
  );
  await expect.poll(row).toMatchObject({ lease_owner: expect.stringMatching(/^command:/) });
  await set(`next_at = '${PAST}'`);
  schedule.look();
  // It has looked, and looks again after five seconds.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect([runs, (await row())?.next_at]).toEqual([0, PAST]);
  await expect(
    asJob(
      SYSTEM,
      'blocklist',
      async () => undefined,
      () => ({ result: 'ok' }),
    ),
  ).rejects.toMatchObject({
    kind: 'busy',
    key: 'schedule.busy_since',
  });
  finish();
  await command;
  schedule.look();
  await expect.poll(row).toMatchObject({ lease_owner: null, result: 'ok', slot_at: PAST });
  expect(runs).toBe(1);
});

test('a command that was killed is told once, when its lease has run out, and the schedule does not do its work', async () => {
  await set(`lease_owner = 'command:dead', lease_until = '9', started_at = '${PAST}'`);
  schedule.look();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await row()).toMatchObject({ lease_owner: 'command:dead', result: null });
  await set(`lease_until = '${PAST}'`);
  schedule.look();
  await expect.poll(row).toMatchObject({
    lease_owner: null,
    result: 'failed',
    message: '{"key":"schedule.command_killed"}',
  });
  schedule.look();
  expect(await noticed()).toEqual(['warning job_failed 1']);
  expect(runs).toBe(0);
});
