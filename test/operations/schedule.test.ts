import { expect, test } from 'vitest';
import { startSchedule } from '../../src/operations/schedule.ts';
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
  const begun = due;
  const stopped = schedule.stop().then(() => seen.push('stopped'));
  begun();
  await sleep(50);
  expect(seen).toEqual(['begun', 'told']);
  finish();
  await stopped;
  expect(seen).toEqual(['begun', 'told', 'ended', 'stopped']);
});
