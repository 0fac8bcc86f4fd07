import { readFile } from 'node:fs/promises';
import { createLog } from '../../lib/log.ts';
import { findSchedule, listSchedules, setSchedule } from '../../services/system/schedules.ts';
import { startJob } from '../../services/system/schedule-runs.ts';
import type { JobName } from '../../shared/system/job-names.ts';
import { ScheduleInput, type ScheduleView } from '../../shared/system/schedules.ts';
import { requireAdmin, usageError, type Context } from '../context.ts';
import { prepareFlows } from '../flows.ts';
import { columnsOf, minorOf, type Result } from '../output.ts';
import { parseInput } from '../parse.ts';
import { renderFor } from '../render.ts';
import { confirm } from '../secret.ts';

type Shown = ScheduleView<string>;

const COLUMNS = columnsOf<Shown>({
  name: true,
  active: true,
  cron: true,
  interval_minutes: 'every',
  zone: true,
  next_at: true,
  started_at: 'last',
  ended_at: false,
  result: true,
  message: false,
  is_running: false,
  operation_id: false,
  jitter_seconds: false,
  quiet_from: false,
  quiet_until: false,
  keep: false,
  is_default: false,
  heartbeat: false,
  heartbeat_at: false,
  heartbeat_error: false,
});

function shown(context: Context, { message, ...view }: ScheduleView): Shown {
  return { ...view, message: message && renderFor(context)(message) };
}

/** `schedule list`. */
export async function list(context: Context): Promise<Result> {
  const { actor } = await context.open();
  const { data, total, scheduler } = await listSchedules(actor);
  if (!scheduler.is_on) context.talk(context.say('schedule.off'));
  return {
    items: data.map((view) => shown(context, view)),
    columns: minorOf(COLUMNS, 'active', 'cron', 'interval_minutes', 'zone'),
    summary: { total, scheduler },
  };
}

interface SetFlags {
  state?: 'on' | 'off';
  cron?: string;
  every?: number;
  zone?: string;
  jitter?: number;
  quietTimes?: string;
  keep?: number;
  heartbeatFile?: string;
}

function quietTimes(text: string): Pick<ScheduleInput, 'quiet_from' | 'quiet_until'> {
  if (text === 'none') return { quiet_from: null, quiet_until: null };
  const [, quiet_from, quiet_until] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text) ?? [];
  if (quiet_from === undefined || quiet_until === undefined) throw usageError('schedule.quiet_times');
  return { quiet_from, quiet_until };
}

/** `schedule set`: what is not given stays. */
export async function set(context: Context, flags: SetFlags, name: JobName): Promise<Result> {
  const { actor } = await context.open();
  const { state, cron, every, zone, jitter, quietTimes: quiet, keep, heartbeatFile } = flags;
  const input = parseInput(ScheduleInput, {
    ...(state !== undefined && { active: state === 'on' }),
    ...(cron !== undefined && { cron }),
    ...(every !== undefined && { interval_minutes: every }),
    ...(zone !== undefined && { zone }),
    ...(jitter !== undefined && { jitter_seconds: jitter }),
    ...(quiet !== undefined && quietTimes(quiet)),
    ...(keep !== undefined && { keep }),
    ...(heartbeatFile !== undefined && { heartbeat: (await readFile(heartbeatFile, 'utf8')).trim() }),
  });
  const view = await setSchedule(actor, name, input);
  return { data: shown(context, view), text: context.say('schedule.saved') };
}

// They change something outside, or spend money.
const ASKED = new Set<JobName>(['auto_transfer', 'auto_buy', 'positions', 'indexation']);

/** `schedule run`: exit 75 where it runs already. */
export async function run(context: Context, { dryRun }: { dryRun?: boolean }, name: JobName): Promise<Result> {
  const { say } = context;
  const { actor, config } = await context.open();
  requireAdmin(actor);
  if (dryRun) return { data: { dry_run: true, name }, text: say('schedule.would_run', { name }) };
  if (ASKED.has(name)) await confirm(context, say('schedule.confirm', { name }));
  // A job may run its operation here: the block list has its names looked up.
  prepareFlows();
  const { ended } = await startJob(actor, name, createLog(config.logLevel, context.asked.language));
  const { result, message } = await ended;
  const data = shown(context, await findSchedule(actor, name));
  const said = message ? renderFor(context)(message) : null;
  if (result === 'failed') {
    return { data, exit: 1, failure: { exit: 1, code: 'failed', message: said ?? say('schedule.crashed') } };
  }
  const id = data.operation_id;
  const queued = id === null ? null : say('schedule.queued', { id });
  return { data, text: [say(`schedule.state_${result}`), said, queued].filter((line) => line !== null).join('\n') };
}
