import { findActing, SYSTEM_ASKER } from '../../../db/acting.ts';
import type { Logger } from '../../lib/log.ts';
import { claimAsked, runHeld, type Job, type JobOutcome } from '../../operations/schedule/run.ts';
import { AppError } from '../../shared/errors.ts';
import type { JobName } from '../../shared/system/job-names.ts';
import { isAdmin, type Actor } from '../access/scope.ts';
import { jobs } from './jobs.ts';
import { scheduleHooks } from './schedule-hooks.ts';
import { requireJob } from './schedules.ts';

const running = new Set<Promise<unknown>>();
const ending = new AbortController();

/** Waits for the runs that people have asked for in this process. */
export async function endAskedRuns(): Promise<void> {
  await Promise.all(running);
}

/**
 * Claims a job for a run at once, by the actor, and starts it. `ended` is its outcome. Throws AppError `forbidden`, `not_found`, and
 * `busy` where it runs already, in whichever process.
 */
export async function startJob(actor: Actor, name: string, log: Logger): Promise<{ ended: Promise<JobOutcome> }> {
  if (!isAdmin(actor)) throw new AppError('forbidden', 'error.forbidden');
  const wanted: JobName = requireJob(name);
  const job = jobs(log, true).find((one): one is Job => one.name === wanted);
  if (!job) throw new Error(`the job ${wanted} is not declared`);
  const held = await claimAsked(wanted);
  if (!held) throw new AppError('busy', 'schedule.busy', {}, { code: 'busy' });
  const { user, door } = findActing() ?? { user: SYSTEM_ASKER, door: { name: 'system' as const, call: wanted } };
  const options = { hooks: scheduleHooks(log), log, ending: ending.signal, asker: { user, door } };
  const ended = runHeld(job, held, options);
  const settled = ended.catch((error: unknown) =>
    log.warn({ err: error, job: wanted }, 'the end of a job was not stored'),
  );
  running.add(settled);
  void settled.finally(() => running.delete(settled));
  return { ended };
}
