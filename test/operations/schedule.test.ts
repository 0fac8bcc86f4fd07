import { expect, test } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import { startSchedule, type Job } from '../../src/operations/schedule.ts';
import { AppError } from '../../src/shared/errors.ts';
import type { ScheduleRunRow } from '../../src/shared/system/tables.ts';
import { log, sleep, useSteps } from './steps.ts';

useSteps();

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
  await expect.poll(() => seen).toEqual(['begun']);
  const begun = due;
  const stopped = schedule.stop().then(() => seen.push('stopped'));
  begun();
  await sleep(50);
  expect(seen).toEqual(['begun', 'told']);
  finish();
  await stopped;
  expect(seen).toEqual(['begun', 'told', 'ended', 'stopped']);
});

const HOURLY = '0 * * * *';
const planned = (name: string) =>
  select<ScheduleRunRow>('SELECT * FROM schedule_runs WHERE name = $name', { name }).then(([row]) => row);
const set = (name: string, change: string): Promise<number> =>
  transaction(() => execute(`UPDATE schedule_runs SET ${change} WHERE name = '${name}'`));

/** Starts the schedule of a job and waits until its next run is planned. */
async function plannedJob(run: Job['run']) {
  const first = startSchedule([{ name: 'one', cron: HOURLY, run }], log);
  await expect.poll(() => planned('one')).toMatchObject({ next_at: expect.any(String) });
  await first.stop();
}

test('slots that were missed while nothing ran are made up for by one run of one schedule', async () => {
  let runs = 0;
  const run = async (): Promise<void> => void (runs += 1);
  await plannedJob(run);
  await set('one', `next_at = '2020-01-01T00:00:00.000Z'`);
  const several = [1, 2, 3].map(() => startSchedule([{ name: 'one', cron: HOURLY, run }], log));
  await expect.poll(() => planned('one')).toMatchObject({ result: 'ok', lease_owner: null });
  await sleep(200);
  await Promise.all(several.map(({ stop }) => stop()));
  expect(runs).toBe(1);
  const row = await planned('one');
  expect(row).toMatchObject({ slot_at: '2020-01-01T00:00:00.000Z', tries: 0 });
  expect(Date.parse(row?.next_at ?? '')).toBeGreaterThan(Date.now());
});

test('a slot that came due during a run follows it once', async () => {
  let runs = 0;
  let finish = (): void => undefined;
  const run = async (): Promise<void> => {
    runs += 1;
    if (runs === 1) await new Promise<void>((resolve) => (finish = resolve));
  };
  await plannedJob(run);
  await set('one', `next_at = '2020-01-01T00:00:00.000Z'`);
  const schedule = startSchedule([{ name: 'one', cron: HOURLY, run }], log);
  await expect.poll(() => runs).toBe(1);
  await set('one', `next_at = '2020-01-02T00:00:00.000Z'`);
  await sleep(100);
  expect(runs).toBe(1);
  finish();
  await expect.poll(() => runs).toBe(2);
  await schedule.stop();
  expect(runs).toBe(2);
});

test('the slot of a runner that died is taken over once its lease has ended, and given up after three tries', async () => {
  let runs = 0;
  const run = async (): Promise<void> => void (runs += 1);
  await plannedJob(run);
  const died = `lease_owner = 'dead', lease_until = '2020-01-01T00:00:00.000Z', slot_at = '2020-01-01T00:00:00.000Z'`;
  await set('one', `${died}, tries = 1`);
  const schedule = startSchedule([{ name: 'one', cron: HOURLY, run }], log);
  await expect.poll(() => planned('one')).toMatchObject({ result: 'ok', lease_owner: null });
  expect(runs).toBe(1);
  await set('one', `${died}, tries = 3`);
  schedule.look();
  await expect.poll(() => planned('one')).toMatchObject({ result: 'failed', lease_owner: null });
  expect((await planned('one'))?.message).toContain('schedule.killed');
  expect(runs).toBe(1);
  await schedule.stop();
});

test('a job that another process holds is not run, and one that throws tells why', async () => {
  let runs = 0;
  const run = async (): Promise<void> => {
    runs += 1;
    throw new AppError('refused', 'operation.plan_stale');
  };
  await plannedJob(run);
  await set('one', `next_at = '2020-01-01T00:00:00.000Z', lease_owner = 'other', lease_until = '9'`);
  const schedule = startSchedule([{ name: 'one', cron: HOURLY, run }], log);
  await sleep(200);
  expect(runs).toBe(0);
  await set('one', 'lease_owner = NULL, lease_until = NULL');
  schedule.look();
  await expect
    .poll(() => planned('one'))
    .toMatchObject({ result: 'failed', message: '{"key":"operation.plan_stale","params":{}}' });
  await schedule.stop();
});
