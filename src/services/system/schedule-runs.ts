import { findActing, SYSTEM_ASKER } from '../../../db/acting.ts';
import { transaction } from '../../../db/index.ts';
import { config } from '../../lib/config.ts';
import type { Logger } from '../../lib/log.ts';
import { redact } from '../../lib/redact.ts';
import { messageFor } from '../../operations/failure.ts';
import { noteHeartbeat } from '../../operations/schedule/rows.ts';
import { claimAsked, runHeld, type Job, type JobOutcome, type ScheduleHooks } from '../../operations/schedule/run.ts';
import { callHeartbeat } from '../../providers/heartbeat.ts';
import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { JobName } from '../../shared/system/job-names.ts';
import { setInstalled } from '../access/rows.ts';
import { isAdmin, type Actor } from '../access/scope.ts';
import { jobs } from './jobs.ts';
import { heartbeatOf, readRules, requireJob, SCHEDULER_SEEN_AT } from './schedules.ts';

const messageOf = (error: unknown): Message => messageFor(error) ?? { key: 'schedule.crashed' };

/** Calls the address of a job after a run that did not fail. The silence after a failed one is what the service outside notices. */
async function callAfter(log: Logger, name: string, { result }: JobOutcome): Promise<void> {
  if (result === 'failed' || name === 'heartbeat') return;
  try {
    const address = await heartbeatOf(name);
    if (address === null) return;
    const error = await callHeartbeat(address, config()).then(
      () => null,
      (thrown: Error) => redact(thrown.message),
    );
    await transaction(() => noteHeartbeat(name, error));
  } catch (error) {
    log.warn({ err: error, job: name }, 'the heartbeat of a job was not called');
  }
}

/**
 * Returns what the schedule asks for. `ended` is called in the transaction that stores the end of each run, whichever door it came
 * from: the place for notices of jobs that fail.
 */
export const scheduleHooks = (log: Logger): ScheduleHooks => ({
  rules: readRules,
  messageOf,
  ended: async () => undefined,
  told: (name, outcome) => callAfter(log, name, outcome),
  seen: async () => {
    await transaction(() => setInstalled(SCHEDULER_SEEN_AT, new Date().toISOString()));
  },
});

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
  const job = jobs(log).find((one): one is Job => one.name === wanted);
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
