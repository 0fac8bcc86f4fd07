import { Cron } from 'croner';
import type { Logger } from '../lib/log.ts';

/**
 * Work at set times. `cron` is in UTC; a run that is due while the last one goes on is left out. `due` calls its listener
 * where something makes the job due at once.
 */
export interface Job {
  name: string;
  cron: string;
  run: () => Promise<unknown>;
  due?: (listener: () => void) => void;
}

/** Starts the jobs; what they throw is logged and they go on at their next time. */
export function startSchedule(jobs: Job[], log: Logger): { stop: () => void } {
  const crons = jobs.map(({ name, cron, run, due }) => {
    const work = async (): Promise<void> => {
      try {
        await run();
      } catch (error) {
        log.warn({ err: error, job: name }, 'job failed');
      }
    };
    const timer = new Cron(cron, { name: undefined, protect: true, utcOffset: 0, unref: true }, work);
    due?.(() => void work());
    return { timer, forget: () => due?.(() => undefined) };
  });
  return {
    stop: () => {
      for (const { timer, forget } of crons) {
        timer.stop();
        forget();
      }
    },
  };
}
