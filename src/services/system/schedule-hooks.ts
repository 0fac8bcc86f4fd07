import { transaction } from '../../../db/index.ts';
import { config } from '../../lib/config.ts';
import type { Logger } from '../../lib/log.ts';
import { redact } from '../../lib/redact.ts';
import { messageFor } from '../../operations/failure.ts';
import { noteHeartbeat } from '../../operations/schedule/rows.ts';
import type { JobOutcome, ScheduleHooks } from '../../operations/schedule/run.ts';
import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { setInstalled } from '../access/rows.ts';
import { heartbeatOf, readRules, SCHEDULER_SEEN_AT } from './schedules.ts';

/** Returns what the row of a job says of an error. */
export const jobMessageOf = (error: unknown): Message => messageFor(error) ?? { key: 'schedule.crashed' };

/** Whether an event of its own tells of an error: a list in doubt waits for a person, who is told of that alone. */
export const isToldApart = (error: unknown): boolean => error instanceof AppError && error.code === 'list_in_doubt';

/**
 * Calls the address of a job after a run that did not fail, and notes whether it answered. The silence after a failed one is what the
 * service outside notices. Throws where the address or the database can't be read.
 */
export async function callAfter(name: string, { result }: JobOutcome): Promise<void> {
  if (result === 'failed' || name === 'heartbeat') return;
  const address = await heartbeatOf(name);
  if (address === null) return;
  const { callHeartbeat } = await import('../../providers/heartbeat.ts');
  const error = await callHeartbeat(address, config()).then(
    () => null,
    (thrown: Error) => redact(thrown.message),
  );
  await transaction(() => noteHeartbeat(name, error));
}

/**
 * Returns what the schedule asks for. `ended` is called in the transaction that stores the end of each run, whichever door it came
 * from: the place for notices of jobs that fail.
 */
export const scheduleHooks = (log: Logger): ScheduleHooks => ({
  rules: readRules,
  messageOf: jobMessageOf,
  isTold: isToldApart,
  ended: async () => undefined,
  told: (name, outcome) =>
    callAfter(name, outcome).catch((error: unknown) =>
      log.warn({ err: error, job: name }, 'the heartbeat of a job was not called'),
    ),
  seen: async () => {
    await transaction(() => setInstalled(SCHEDULER_SEEN_AT, new Date().toISOString()));
  },
});
