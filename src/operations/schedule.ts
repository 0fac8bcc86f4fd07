import { Cron } from 'croner';
import { acting, SYSTEM_ASKER } from '../../db/acting.ts';
import type { Logger } from '../lib/log.ts';

/**
 * Work at set times. `cron` is in UTC; a time that falls into the run of an earlier one is skipped. `due` sets the one listener
 * that is called when something makes the job due at once.
 */
export interface Job {
  name: string;
  cron: string;
  /** `ending` fires on shutdown: the job leaves what can wait undone; the rest of its run is awaited. */
  run: (ending: AbortSignal) => Promise<unknown>;
  due?: (listener: () => void) => void;
}

/** Starts the jobs; an error is logged, and the job runs again at its next time. `stop` resolves when none is running. */
export function startSchedule(jobs: Job[], log: Logger): { stop: () => Promise<void> } {
  const running = new Set<Promise<void>>();
  const ending = new AbortController();
  const crons = jobs.map(({ name, cron, run, due }) => {
    const attempt = async (): Promise<void> => {
      try {
        await acting(SYSTEM_ASKER, { name: 'schedule', call: name }, () => run(ending.signal));
      } catch (error) {
        log.warn({ err: error, job: name }, 'job failed');
      }
    };
    const work = async (): Promise<void> => {
      if (ending.signal.aborted) return;
      const attempted = attempt();
      running.add(attempted);
      await attempted;
      running.delete(attempted);
    };
    const timer = new Cron(cron, { name: undefined, protect: true, utcOffset: 0, unref: true }, work);
    due?.(() => void work());
    return { timer, forget: () => due?.(() => undefined) };
  });
  return {
    stop: async () => {
      ending.abort();
      for (const { timer, forget } of crons) {
        timer.stop();
        forget();
      }
      await Promise.all(running);
    },
  };
}
