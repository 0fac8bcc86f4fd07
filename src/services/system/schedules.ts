import { transaction } from '../../../db/index.ts';
import { insertRow, updateRow, type Values } from '../../../db/rows.ts';
import { seal, unseal } from '../../lib/secret.ts';
import { cronFault, nextRuns, offsetOf, replanned } from '../../operations/schedule/next-run.ts';
import { databaseNow, listRuns, type FoundRun } from '../../operations/schedule/rows.ts';
import { MASK } from '../../shared/accounts/secrets.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import type { Key, Message } from '../../shared/i18n/index.ts';
import { JOB_NAMES, type JobName } from '../../shared/system/job-names.ts';
import {
  JOBS,
  type ScheduleInput,
  type SchedulerView,
  type ScheduleRule,
  type ScheduleView,
} from '../../shared/system/schedules.ts';
import { schedules, type ScheduleRow } from '../../shared/system/tables.ts';
import { isZone } from '../../shared/time.ts';
import { findInstalled } from '../access/rows.ts';
import { isAdmin, type Actor } from '../access/scope.ts';
import { findScheduleRow, listScheduleRows } from './schedule-rows.ts';

/** The value of the installation that holds when a process was last seen to run the schedule. */
export const SCHEDULER_SEEN_AT = 'scheduler_seen_at';

// It is noted each minute; a process may hang that long on its database.
const SEEN_FOR_MS = 150_000;
const PREVIEWED = 5;
// A cron line may have several distances between its times, such as 9:00 and 9:01 each day.
const DISTANCES = 60;

const UTC = { active: true, interval_minutes: null, zone: 'UTC', quiet_from: null, quiet_until: null };

const rule = (cron: string, jitter_seconds: number): ScheduleRule => ({ ...UTC, cron, jitter_seconds });

/** The default rules of the jobs that people see. A jitter keeps calls to outside services off the minute at which everybody asks. */
export const DEFAULTS: Readonly<Record<JobName, ScheduleRule>> = {
  // A turn does nothing mostly. Not at a full hour, when everybody asks.
  blocklist: rule('2-59/5 * * * *', 60),
  check: rule('37 * * * *', 120),
  // A name is looked up once a day, or at each of these times where its end is near.
  expiry: rule('17 1-23/6 * * *', 120),
  auto_transfer: rule('*/5 * * * *', 0),
  auto_buy: rule('9-59/10 * * * *', 0),
  // A query that was not read today, for want of money perhaps, is retried at the next of these times.
  positions: rule('23 1-23/3 * * *', 120),
  // Each main once a day; what failed or was missed is due at the next of these times.
  indexation: rule('43 1-23/3 * * *', 120),
  purge: rule('7 3 * * *', 0),
  backup: rule('41 2 * * *', 0),
  // On Sunday, after that night's backup.
  drill: rule('23 4 * * 0', 0),
  heartbeat: rule('*/5 * * * *', 20),
};

/** The number that a job keeps where nobody has set another. */
export const DEFAULT_KEEP: Partial<Record<JobName, number>> = { backup: 14, purge: 400 };

const isJob = (name: string): name is JobName => (JOB_NAMES as readonly string[]).includes(name);

function requireAdmin(actor: Actor): void {
  if (!isAdmin(actor)) throw new AppError('forbidden', 'error.forbidden');
}

/** Returns the name of a job that people see. Throws AppError `not_found`. */
export function requireJob(name: string): JobName {
  if (!isJob(name)) throw notFound();
  return name;
}

const ruleOfRow = ({ active, ...row }: ScheduleRow): ScheduleRule => ({
  active: active === 1,
  cron: row.cron,
  interval_minutes: row.interval_minutes,
  zone: row.zone,
  jitter_seconds: row.jitter_seconds,
  quiet_from: row.quiet_from,
  quiet_until: row.quiet_until,
});

const installation = async (): Promise<string> => (await findInstalled('key_check')) ?? '';

/** Returns the rules of the jobs that people see, and the name of the installation, which jitter depends on. */
export async function readRules(): Promise<{ rules: ReadonlyMap<string, ScheduleRule>; installation: string }> {
  const rows = await listScheduleRows();
  const set = rows.map((row): [string, ScheduleRule] => [row.name, ruleOfRow(row)]);
  return { rules: new Map([...Object.entries(DEFAULTS), ...set]), installation: await installation() };
}

/** Returns the number that a job keeps. */
export const keepOf = async (name: JobName): Promise<number> =>
  (await findScheduleRow(name))?.keep ?? DEFAULT_KEEP[name] ?? 0;

/** Returns the address to call after a job; null: there is none. */
export async function heartbeatOf(name: string): Promise<string | null> {
  const row = await findScheduleRow(name);
  return row?.heartbeat ? unseal(`schedules.heartbeat:${row.id}`, row.heartbeat) : null;
}

function viewOf(
  name: JobName,
  row: ScheduleRow | undefined,
  run: FoundRun | undefined,
  planning: { installation: string; now: number },
): ScheduleView {
  const rule = row ? ruleOfRow(row) : DEFAULTS[name];
  return {
    name,
    ...rule,
    keep: row?.keep ?? DEFAULT_KEEP[name] ?? null,
    heartbeat: row?.heartbeat ? MASK : '',
    is_default: row === undefined,
    next_at: run ? replanned(rule, run, offsetOf(planning.installation, name, rule), planning.now) : null,
    is_running: run !== undefined && run.lease_owner !== null && run.is_free === 0,
    started_at: run?.started_at ?? null,
    // Until a run ends, the end is that of the one before.
    ended_at: run?.ended_at && run.ended_at >= (run.started_at ?? '') ? run.ended_at : null,
    result: run?.result ?? null,
    message: run?.message ? (JSON.parse(run.message) as Message) : null,
    operation_id: run?.operation_id ?? null,
    heartbeat_at: run?.heartbeat_at ?? null,
    heartbeat_error: run?.heartbeat_error ?? null,
  };
}

/** Returns whether some process runs the schedule. */
export async function readScheduler(): Promise<SchedulerView> {
  const seen_at = await findInstalled(SCHEDULER_SEEN_AT);
  const age = Date.now() - Date.parse(seen_at ?? '');
  return { is_on: Math.abs(age) < SEEN_FOR_MS, seen_at };
}

/** Returns the jobs that people see. Throws AppError `forbidden`. */
export async function listSchedules(
  actor: Actor,
): Promise<{ data: ScheduleView[]; total: number; scheduler: SchedulerView }> {
  requireAdmin(actor);
  const rows = new Map((await listScheduleRows()).map((row) => [row.name, row]));
  const runs = new Map((await listRuns()).map((run) => [run.name, run]));
  const planning = { installation: await installation(), now: Date.parse(await databaseNow()) };
  const data = JOB_NAMES.map((name) => viewOf(name, rows.get(name), runs.get(name), planning));
  return { data, total: data.length, scheduler: await readScheduler() };
}

/** Returns one job. Throws AppError `forbidden`, `not_found`. */
export async function findSchedule(actor: Actor, name: string): Promise<ScheduleView> {
  const { data } = await listSchedules(actor);
  const found = data.find((job) => job.name === name);
  if (!found) throw notFound();
  return found;
}

const invalid = (field: string, key: Key): AppError =>
  new AppError('invalid', 'error.invalid', { fields: field }, { fields: { [field]: key } });

/** Returns the least minutes between two runs of a rule, of its next ones. */
function leastMinutes(given: ScheduleRule): number {
  if (given.interval_minutes !== null) return given.interval_minutes;
  const runs = nextRuns({ ...given, active: true, quiet_from: null, quiet_until: null }, Date.now(), 0, DISTANCES);
  const distances = runs.slice(1).map((at, index) => at - (runs[index] ?? at));
  return Math.min(...distances, Infinity) / 60_000;
}

/** Throws AppError `invalid` with the field of a rule that can't be. */
function checkRule(name: JobName, given: ScheduleRule, keep: number | null): void {
  const { least_minutes, quiet, keeps, keep_least, keep_most } = JOBS[name];
  if (!isZone(given.zone)) throw invalid('zone', 'schedule.zone_unknown');
  if (given.cron === null && given.interval_minutes === null) throw invalid('cron', 'schedule.no_times');
  const fault = given.cron === null ? null : cronFault(given.cron, given.zone);
  if (fault) throw invalid('cron', `schedule.cron_${fault}`);
  const least = leastMinutes(given);
  const field = given.cron === null ? 'interval_minutes' : 'cron';
  if (least < least_minutes) throw invalid(field, 'schedule.too_often');
  if (given.jitter_seconds >= least * 60) throw invalid('jitter_seconds', 'schedule.jitter_long');
  const isHalf = (given.quiet_from === null) !== (given.quiet_until === null);
  if (isHalf) throw invalid(given.quiet_from === null ? 'quiet_from' : 'quiet_until', 'error.required');
  if (given.quiet_from !== null && !quiet) throw invalid('quiet_from', 'schedule.never_quiet');
  if (given.quiet_from !== null && given.quiet_from === given.quiet_until)
    throw invalid('quiet_until', 'schedule.quiet_whole');
  const keepsNumber = keeps !== null && keep !== null;
  if (keep !== null && keeps === null) throw invalid('keep', 'schedule.keeps_nothing');
  if (keepsNumber && (keep < keep_least || keep > keep_most)) throw invalid('keep', 'schedule.keep_invalid');
}

function checkAddress(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (!isWeb || url?.username !== '' || url.password !== '') throw invalid('heartbeat', 'schedule.heartbeat_invalid');
}

/** Returns a rule with what a caller has given. A cron line ends the interval, and the other way round. */
function changed(before: ScheduleRule, input: ScheduleInput): ScheduleRule {
  const { keep: _keep, heartbeat: _heartbeat, ...given } = input;
  const rest = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const made: ScheduleRule = { ...before, ...rest };
  if (given.interval_minutes && !given.cron) made.cron = null;
  else if (given.cron) made.interval_minutes = null;
  return made;
}

async function withInput(name: JobName, input: ScheduleInput): Promise<{ rule: ScheduleRule; keep: number | null }> {
  const row = await findScheduleRow(name);
  if (input.cron && input.interval_minutes) throw invalid('interval_minutes', 'schedule.two_times');
  const rule = changed(row ? ruleOfRow(row) : DEFAULTS[name], input);
  const keep = input.keep === undefined ? (row?.keep ?? null) : input.keep;
  checkRule(name, rule, keep);
  return { rule, keep };
}

/**
 * Sets the schedule of a job; what is absent stays, and the mask keeps the stored address. Throws AppError `forbidden`, `not_found`,
 * and `invalid` with the wrong field.
 */
export async function setSchedule(actor: Actor, job: string, input: ScheduleInput): Promise<ScheduleView> {
  requireAdmin(actor);
  const name = requireJob(job);
  const { heartbeat } = input;
  const address = heartbeat === undefined || heartbeat === MASK ? undefined : heartbeat || null;
  if (address) checkAddress(address);
  await transaction(async () => {
    const { rule, keep } = await withInput(name, input);
    const values: Values<typeof schedules> = { ...rule, keep, updated_at: new Date().toISOString() };
    const row = await findScheduleRow(name);
    const id = row?.id ?? (await insertRow(schedules, { name, ...values }));
    const sealed = address ? seal(`schedules.heartbeat:${id}`, address) : address;
    if (row) await updateRow(schedules, id, { ...values, ...(sealed !== undefined && { heartbeat: sealed }) });
    else if (sealed) await updateRow(schedules, id, { heartbeat: sealed });
  });
  return findSchedule(actor, name);
}

/** Returns the next runs of a job as it would be with an input. Throws as `setSchedule`. */
export async function previewSchedule(actor: Actor, job: string, input: ScheduleInput): Promise<{ next: string[] }> {
  requireAdmin(actor);
  const name = requireJob(job);
  const { rule } = await withInput(name, input);
  const offset = offsetOf(await installation(), name, rule);
  const runs = nextRuns({ ...rule, active: true }, Date.parse(await databaseNow()), offset, PREVIEWED);
  return { next: runs.map((at) => new Date(at).toISOString()) };
}
