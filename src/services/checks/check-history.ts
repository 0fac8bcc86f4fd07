import { execute, select } from '../../../db/index.ts';
import type { CheckDayRow, CheckRow, CheckSampleRow } from '../../shared/checks/tables.ts';
import { figuresOf, stretchesOf, type Stretch } from '../../shared/checks/check-history.ts';
import type { ListOf, Paging } from '../../shared/lists.ts';
import { findDomain } from '../portfolio/domain-lists.ts';
import { inSlices } from '../operations/slices.ts';
import type { Actor } from '../access/scope.ts';

/** Returns the stored checks of a domain as stretches of equal results, newest first. Throws AppError `not_found`. */
export async function listChecks(
  actor: Actor,
  id: number,
  { limit, offset = 0 }: Pick<Paging, 'limit' | 'offset'> = {},
): Promise<ListOf<Stretch>> {
  await findDomain(actor, id);
  const rows = await select<CheckRow>('SELECT * FROM checks WHERE domain_id = $id ORDER BY kind, id DESC', { id });
  const stretches = stretchesOf(rows).toSorted((one, other) =>
    one.checked_at === other.checked_at ? other.id - one.id : one.checked_at < other.checked_at ? 1 : -1,
  );
  if (limit === undefined && offset === 0) return { data: stretches };
  return { data: stretches.slice(offset, offset + (limit ?? stretches.length)), total: stretches.length };
}

/**
 * Returns a domain's HTTP figures by UTC day, newest first, with the current day so far. Throws AppError `not_found`.
 */
export async function listCheckDays(actor: Actor, id: number): Promise<ListOf<CheckDayRow>> {
  await findDomain(actor, id);
  const [closed, open] = await Promise.all([
    select<CheckDayRow>('SELECT * FROM check_days WHERE domain_id = $id ORDER BY day DESC', { id }),
    select<CheckSampleRow>('SELECT * FROM check_samples WHERE domain_id = $id ORDER BY day DESC', { id }),
  ]);
  const days = open.map((sample) => figuresOf(sample));
  const isOpen = new Set(days.map(({ day }) => day));
  return { data: [...days, ...closed.filter(({ day }) => !isOpen.has(day))] };
}

/** Turns the samples of past days into daily figures, slice by slice. */
export async function closeDays(): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  await inSlices((slice) => closeSome(today, slice));
}

async function closeSome(today: string, slice: number): Promise<number> {
  const over = await select<CheckSampleRow>(
    'SELECT * FROM check_samples WHERE day < $today ORDER BY domain_id LIMIT $slice',
    { today, slice },
  );
  if (over.length === 0) return 0;
  const rows = JSON.stringify(over.map((sample) => figuresOf(sample)));
  // After a clock was set back a day is closed twice: the part with more checks sets the median.
  await execute(
    `INSERT INTO check_days (domain_id, day, checks, up, median_ms, worst_ms)
     SELECT value ->> 'domain_id', value ->> 'day', value ->> 'checks', value ->> 'up', value ->> 'median_ms', value ->> 'worst_ms'
     FROM json_each($rows) WHERE true
     ON CONFLICT (domain_id, day) DO UPDATE SET checks = checks + excluded.checks, up = up + excluded.up,
       median_ms = CASE WHEN median_ms IS NULL OR excluded.checks > checks THEN excluded.median_ms ELSE median_ms END,
       worst_ms = max(COALESCE(worst_ms, excluded.worst_ms), COALESCE(excluded.worst_ms, worst_ms))`,
    { rows },
  );
  return execute(
    `DELETE FROM check_samples WHERE (domain_id, day) IN (SELECT value ->> 'domain_id', value ->> 'day' FROM json_each($rows))`,
    { rows },
  );
}
