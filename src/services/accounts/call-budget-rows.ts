import { execute, select } from '../../../db/index.ts';
import type { CallBudgetRow } from '../../shared/accounts/tables.ts';

const NOW = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;

/** The stored calls of a login, with the time of the database's clock in `now`. */
export type KnownBudget = Pick<CallBudgetRow, 'slices' | 'blocked_until'> & { now: string };

/** Returns the stored calls of a login; `slices` is null where there are none. */
export async function findCallBudget(
  key: string,
): Promise<Omit<KnownBudget, 'slices'> & { slices: KnownBudget['slices'] | null }> {
  const [row] = await select<KnownBudget>(
    `SELECT ${NOW} AS now, b.slices, b.blocked_until FROM (SELECT 1 AS one) o LEFT JOIN call_budgets b ON b.key = $key`,
    { key },
  );
  return row!;
}

/** Stores the calls of a login. */
export async function upsertCallBudget(row: CallBudgetRow): Promise<void> {
  await execute(
    `INSERT INTO call_budgets (key, service, calls, seconds, slices, blocked_until, changed_at)
     VALUES ($key, $service, $calls, $seconds, $slices, $blocked_until, $changed_at)
     ON CONFLICT (key) DO UPDATE SET calls = excluded.calls, seconds = excluded.seconds, slices = excluded.slices,
       blocked_until = excluded.blocked_until, changed_at = excluded.changed_at`,
    { ...row },
  );
}

/** Deletes the calls of logins that were stored before a time. */
export async function deleteCallBudgets(before: string): Promise<void> {
  await execute('DELETE FROM call_budgets WHERE changed_at < $before', { before });
}

/** Returns the stored calls of all logins, each with the time of the database's clock. */
export const listCallBudgets = (): Promise<(CallBudgetRow & { now: string })[]> =>
  select(`SELECT b.*, ${NOW} AS now FROM call_budgets b`);
