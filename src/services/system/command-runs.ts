// Commands that do the work of a job: the schedule and they never do it at the same time.
import { findWork, type Work } from '../../operations/schedule/rows.ts';
import { claimForCommand, keepLease, storeEnd, type JobOutcome } from '../../operations/schedule/run.ts';
import { operationRow } from '../../operations/lease.ts';
import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { isFinal } from '../../shared/operations.ts';
import type { JobName } from '../../shared/system/job-names.ts';
import { isAdmin, type Actor } from '../access/scope.ts';
import { callAfter, isToldApart, jobMessageOf } from './schedule-hooks.ts';

/** The end of a run that a person has interrupted: he knows, so that nobody is told. */
export const INTERRUPTED: JobOutcome = { result: 'failed', message: { key: 'schedule.interrupted' }, isTold: true };

/** Returns how a run has ended by the operations that it has worked on here. An operation that failed has told so itself. */
export async function outcomeOf(ids: readonly number[]): Promise<JobOutcome> {
  const rows = await Promise.all(ids.map(operationRow));
  const open = rows.find(({ state }) => !isFinal(state));
  if (open) return { ...INTERRUPTED, operation_id: open.id };
  const failed = rows.find(({ state }) => state === 'failed' || state === 'cancelled');
  if (!failed) return { result: 'ok', operation_id: rows.at(-1)?.id };
  const result = failed.state === 'failed' ? 'failed' : 'skipped';
  return { result, message: JSON.parse(failed.message) as Message, operation_id: failed.id, isTold: true };
}

function outcomeOfError(error: unknown): JobOutcome {
  const message = jobMessageOf(error);
  if (error instanceof AppError && error.kind === 'busy') return { result: 'skipped', message };
  return { result: 'failed', message, ...(isToldApart(error) && { isTold: true }) };
}

function busy(name: JobName, { since, operation_id }: Partial<Work> = {}): AppError {
  const [key, id] =
    operation_id == null
      ? (['schedule.busy_since', ''] as const)
      : (['schedule.busy_operation', operation_id] as const);
  return new AppError('busy', key, { name, since: since ?? '?', id });
}

/**
 * Does a part of the work of a job in a command: other parts may be done beside it, and it is no run of the job. Throws AppError
 * `busy` where the job itself runs, in whichever process, and what the work throws.
 */
export async function besideJob<Result>(actor: Actor, name: JobName, work: () => Promise<Result>): Promise<Result> {
  const running = isAdmin(actor) ? await findWork(name) : undefined;
  if (running) throw busy(name, running);
  return work();
}

/**
 * Does the work of a job in a command, under the claim of that job; how it ends is stored as its last run, and its address is
 * called. A claim of a killed process ends by its lease. An actor who is no administrator works on his own rows, which is no run of the
 * job. Throws AppError `busy` where the job runs already, in whichever process, and what the work throws.
 */
export async function asJob<Result>(
  actor: Actor,
  name: JobName,
  work: () => Promise<Result>,
  ended: (result: Result) => JobOutcome | Promise<JobOutcome>,
): Promise<Result> {
  if (!isAdmin(actor)) return work();
  const claim = await claimForCommand(name);
  if (!('held' in claim)) throw busy(name, claim.work);
  const release = keepLease(claim.held, () => undefined);
  const end = async (outcome: JobOutcome): Promise<void> => {
    release();
    if (!(await storeEnd(claim.held, outcome, { ended: async () => undefined }))) return;
    // `callAfter` notes the answer of the outside service. An error of its own must not fail the command.
    await callAfter(name, outcome).catch(() => undefined);
  };
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    await end(outcomeOfError(error)).catch(() => undefined);
    throw error;
  }
  await end(await ended(result));
  return result;
}
