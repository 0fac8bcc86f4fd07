import type { Key, Params } from '../../src/shared/i18n/index.ts';
import type { JobName } from '../../src/shared/system/job-names.ts';
import type { ScheduleRule } from '../../src/shared/system/schedules.ts';

type Say = (key: Key, params?: Params) => string;

/** Returns the name of a job. */
export const jobName = (t: Say, name: JobName): string => t(`schedule.job_${name}`);

const padded = (number: string): string => number.padStart(2, '0');

function everyText(t: Say, minutes: number): string {
  return minutes % 60 === 0 ? t('schedule.every_hours', { n: minutes / 60 }) : t('schedule.every', { n: minutes });
}

type Day = '0' | '1' | '2' | '3' | '4' | '5' | '6';

/** Returns after how many hours a cron line always comes again. */
function hourStep(cron: string): number | undefined {
  const [, first = '0', step] = /^\d+ (?:\*|(\d+)-23)\/(\d+) \* \* \*$/.exec(cron) ?? [];
  const hours = Number(step);
  return hours > 0 && 24 % hours === 0 && Number(first) < hours ? hours : undefined;
}

/** Returns in words when a job runs; a cron line without such words is shown as it is. */
export function whenText(
  t: Say,
  { cron, interval_minutes, zone }: Pick<ScheduleRule, 'cron' | 'interval_minutes' | 'zone'>,
): string {
  if (interval_minutes !== null) return everyText(t, interval_minutes);
  if (cron === null) return '';
  const [, step] = /^(?:\*|\d+-59)\/(\d+) \* \* \* \*$/.exec(cron) ?? [];
  if (step !== undefined) return everyText(t, Number(step));
  const [, hourly] = /^(\d+) \* \* \* \*$/.exec(cron) ?? [];
  if (hourly !== undefined) return t('schedule.hourly', { minute: padded(hourly) });
  const hours = hourStep(cron);
  if (hours !== undefined) return everyText(t, hours * 60);
  const [, minute, hour, day] = /^(\d+) (\d+) \* \* (\*|[0-6])$/.exec(cron) ?? [];
  if (minute === undefined || hour === undefined) return t('schedule.by_cron', { cron, zone });
  const at = { time: `${padded(hour)}:${padded(minute)}`, zone };
  return day === '*' ? t('schedule.daily', at) : t(`schedule.weekly_${day as Day}`, at);
}

/** Returns the whole seconds from one time to another; 0 where the clock went back. */
export const secondsBetween = (from: string, to: string): number =>
  Math.max(Math.round((Date.parse(to) - Date.parse(from)) / 1000), 0);
