import { Cron } from 'croner';
import type { Logger } from '../lib/log.ts';

/** Work at set times. `cron` is in UTC; a run that is due while the last one goes on is left out. */
export interface Job {
  name: string;
  cron: string;
  run: () => Promise<unknown>;
}

/** Starts the jobs; what they throw is logged and they go on at their next time. */
export function startSchedule(jobs: Job[], log: Logger): { stop: () => void } {
  const crons = jobs.map(
    ({ name, cron, run }) =>
      new Cron(cron, { name: undefined, protect: true, timezone: 'UTC', unref: true }, async () => {
        try {
          await run();
        } catch (error) {
          log.warn({ err: error, job: name }, 'job failed');
        }
      }),
  );
  return { stop: () => crons.forEach((cron) => cron.stop()) };
}
