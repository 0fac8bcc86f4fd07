import { randomUUID } from 'node:crypto';
import { recordEvents } from '../../../db/events.ts';
import { transaction } from '../../../db/index.ts';
import { acting, SYSTEM_ASKER, type Asker, type Door } from '../../../db/acting.ts';
import { crashPoint } from '../../lib/crash-point.ts';
import { requestIdOf } from '../../lib/tracing/request-id.ts';
import { inSpan } from '../../lib/tracing/spans.ts';
import type { Logger } from '../../lib/log.ts';
import type { JobResult, ScheduleRule } from '../../shared/system/schedules.ts';
import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import {
  claimNow,
  claimSlot,
  endRun,
  findWork,
  insertRun,
  renewLease,
  takeOver,
  type Claim,
  type Work,
} from './rows.ts';

/** The end of a run. An operation that it has queued goes on by itself. */
export interface JobOutcome {
  result: JobResult;
  message?: Message | undefined;
  operation_id?: number | undefined;
  /** An event of its own tells of the failure, or a person has caused it: there is no second notice. */
  isTold?: true;
}

/**
 * Work at set times. `cron` is its own line, in UTC, where nobody has set another. `due` sets the one listener that is called when
 * something makes the job due at once.
 */
export interface Job {
  name: string;
  cron: string;
  /**
   * `ending` fires on shutdown, and where another process has taken the run over: the job leaves what can wait undone; the rest of its
   * run is awaited. Without an outcome it went well.
   */
  run: (ending: AbortSignal) => Promise<JobOutcome | void>;
  due?: (listener: () => void) => void;
}

/** Callbacks by which a schedule reads its rules and reports its runs. */
export interface ScheduleHooks {
  /** Returns the rules of the jobs for which somebody has set one, and the name of the installation, which its jitter depends on. */
  rules: () => Promise<{ rules: ReadonlyMap<string, ScheduleRule>; installation: string }>;
  /** Returns the message for what a job has thrown. */
  messageOf: (error: unknown) => Message;
  /** Whether an event of its own tells of what a job has thrown. */
  isTold: (error: unknown) => boolean;
  /** Called inside the transaction that stores the end of a run. */
  ended: (name: string, outcome: JobOutcome) => Promise<void>;
  /** Called after that, outside of transactions; it must not throw. */
  told: (name: string, outcome: JobOutcome) => Promise<void>;
  /** Notes that this process runs the schedule; called about once a minute. */
  seen: () => Promise<void>;
}

/** The right to run a job until its end, as held by `owner`. */
export interface Held {
  name: string;
  owner: string;
}

const RENEWED_MS = 10_000;

const held = (name: string, owner: string, taken: number): Held | null => (taken === 1 ? { name, owner } : null);

/** Claims a planned slot; null: another process has it. */
export async function claimPlanned(slot: Omit<Claim, 'owner'>): Promise<Held | null> {
  const owner = randomUUID();
  return held(slot.name, owner, await transaction(() => claimSlot({ ...slot, owner })));
}

/** Takes over the slot of a dead process; null: another one was first. */
export async function claimDead(name: string, dead: string): Promise<Held | null> {
  const owner = randomUUID();
  return held(name, owner, await transaction(() => takeOver(name, owner, dead)));
}

/** Claims a job beside its slots; null: it runs already, here or elsewhere. */
export async function claimAsked(name: string): Promise<Held | null> {
  const owner = randomUUID();
  const taken = await transaction(async () => {
    await insertRun(name);
    return claimNow(name, owner);
  });
  return held(name, owner, taken);
}

const OF_COMMAND = 'command:';

/** Whether a command has claimed a job: what it leaves is nobody's to run again. */
export const isOfCommand = (owner: string): boolean => owner.startsWith(OF_COMMAND);

/** Claims a job for a command, beside its slots. Returns who works on it already, here or elsewhere, where somebody does. */
export async function claimForCommand(name: string): Promise<{ held: Held } | { work: Work | undefined }> {
  const owner = OF_COMMAND + randomUUID();
  return transaction(async () => {
    await insertRun(name);
    const work = await findWork(name);
    return work === undefined && (await claimNow(name, owner)) === 1 ? { held: { name, owner } } : { work };
  });
}

/** Renews a lease until it is released; `onLost` is called once another process has taken it over. Returns what releases it. */
export function keepLease(
  { name, owner }: Held,
  onLost: () => void,
  onError: (error: unknown) => void = () => undefined,
): () => void {
  const timer = setInterval(() => {
    transaction(() => renewLease(name, owner)).then((kept) => kept === 0 && onLost(), onError);
  }, RENEWED_MS);
  timer.unref();
  return () => clearInterval(timer);
}

const SCHEDULE_DOOR = (call: string): Door => ({ name: 'schedule', call, request_id: requestIdOf() });

/** How a run is made: by whom, and what is told of it. */
export interface RunOptions {
  hooks: ScheduleHooks;
  log: Logger;
  ending: AbortSignal;
  asker?: { user: Asker; door: Door };
}

async function attempt(job: Job, { hooks, log, ending, asker }: RunOptions): Promise<JobOutcome> {
  const { user, door } = asker ?? { user: SYSTEM_ASKER, door: SCHEDULE_DOOR(job.name) };
  return acting(user, door, async () => {
    try {
      return (await inSpan({ name: `job ${job.name}` }, () => job.run(ending))) ?? { result: 'ok' };
    } catch (error) {
      const level = error instanceof AppError ? 'info' : 'warn';
      log[level]({ err: error, job: job.name }, 'job failed');
      return { result: 'failed', message: hooks.messageOf(error), ...(hooks.isTold(error) && { isTold: true }) };
    }
  });
}

/** Stores the end of a run, together with what its user keeps of it. Returns whether the run was still ours. */
export const storeEnd = (
  { name, owner }: Held,
  outcome: JobOutcome,
  { ended }: Pick<ScheduleHooks, 'ended'>,
): Promise<boolean> =>
  transaction(async () => {
    const { result, message, operation_id = null, isTold = false } = outcome;
    const kept = await endRun(name, owner, { result, message: message ? JSON.stringify(message) : null, operation_id });
    if (kept === 1 && result === 'failed' && !isTold) await recordEvents([{ kind: 'job_failed', name }]);
    if (kept === 1) await ended(name, outcome);
    return kept === 1;
  });

/** Runs a claimed job and stores how it ended. Never throws for what the job throws. */
export async function runHeld(job: Job, claim: Held, options: RunOptions): Promise<JobOutcome> {
  crashPoint(`job:${job.name}:claimed`);
  const lost = new AbortController();
  const release = keepLease(
    claim,
    () => lost.abort(),
    (error) => options.log.warn({ err: error, job: job.name }, 'the lease of a job was not renewed'),
  );
  const ending = AbortSignal.any([options.ending, lost.signal]);
  const outcome = await attempt(job, { ...options, ending });
  release();
  if (await storeEnd(claim, outcome, options.hooks)) await options.hooks.told(job.name, outcome);
  return outcome;
}
