import { execute, executeUnaudited, select } from '../../../db/index.ts';
import type { BudgetCapRow, BudgetPeriodRow, BudgetSettingsRow } from '../../shared/purchases/tables.ts';

/** Returns the stored settings; undefined: nothing was ever set. */
export async function findSettingsRow(): Promise<BudgetSettingsRow | undefined> {
  const [row] = await select<BudgetSettingsRow>('SELECT * FROM budget_settings WHERE id = 1');
  return row;
}

/** Stores the settings. */
export async function upsertSettings(settings: Omit<BudgetSettingsRow, 'id'>): Promise<void> {
  await execute(
    `INSERT INTO budget_settings (id, state, reason, changed_at, names_day, names_project, pause_minutes, last_day)
     VALUES (1, $state, $reason, $changed_at, $names_day, $names_project, $pause_minutes, $last_day)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, reason = excluded.reason, changed_at = excluded.changed_at,
       names_day = excluded.names_day, names_project = excluded.names_project, pause_minutes = excluded.pause_minutes,
       last_day = excluded.last_day`,
    { ...settings },
  );
}

/** Stores the defaults where nothing was set yet: the row keeps the highest day. */
export const insertSettings = (settings: Omit<BudgetSettingsRow, 'id'>): Promise<number> =>
  executeUnaudited(
    'budget_day',
    `INSERT INTO budget_settings (id, state, reason, changed_at, names_day, names_project, pause_minutes, last_day)
     VALUES (1, $state, $reason, $changed_at, $names_day, $names_project, $pause_minutes, $last_day)
     ON CONFLICT (id) DO NOTHING`,
    { ...settings },
  );

/** Notes the highest day seen. */
export const updateLastDay = (day: string): Promise<number> =>
  executeUnaudited('budget_day', 'UPDATE budget_settings SET last_day = $day WHERE id = 1 AND last_day < $day', {
    day,
  });

/** Returns every cap, in a fixed order. */
export const listCaps = (): Promise<BudgetCapRow[]> =>
  select('SELECT * FROM budget_caps ORDER BY currency, scope, scope_id');

/** What a cap is about. */
export type CapOf = Pick<BudgetCapRow, 'scope' | 'scope_id' | 'currency'>;

/** Returns a cap; null: none is set. */
export async function findCap({ scope, scope_id, currency }: CapOf): Promise<number | null> {
  const [row] = await select<{ amount: number }>(
    'SELECT amount FROM budget_caps WHERE scope = $scope AND scope_id = $scope_id AND currency = $currency',
    { scope, scope_id, currency },
  );
  return row?.amount ?? null;
}

/** Sets a cap. */
export async function upsertCap(cap: CapOf & { amount: number }): Promise<void> {
  await execute(
    `INSERT INTO budget_caps (scope, scope_id, currency, amount, changed_at)
     VALUES ($scope, $scope_id, $currency, $amount, $now)
     ON CONFLICT (scope, scope_id, currency) DO UPDATE SET amount = excluded.amount, changed_at = excluded.changed_at`,
    { ...cap, now: new Date().toISOString() },
  );
}

/** Removes a cap. */
export async function deleteCap(cap: CapOf): Promise<void> {
  await execute('DELETE FROM budget_caps WHERE scope = $scope AND scope_id = $scope_id AND currency = $currency', {
    ...cap,
  });
}

type PeriodOf = Pick<BudgetPeriodRow, 'scope' | 'scope_id' | 'currency' | 'day'>;

/** Returns the sums of a day; undefined: nothing was held or spent. */
export async function findPeriod(of: PeriodOf): Promise<BudgetPeriodRow | undefined> {
  const [row] = await select<BudgetPeriodRow>(
    `SELECT * FROM budget_periods
     WHERE day = $day AND scope = $scope AND scope_id = $scope_id AND currency = $currency`,
    { ...of },
  );
  return row;
}

/** Returns the sums of a day. */
export const listPeriods = (day: string): Promise<BudgetPeriodRow[]> =>
  select('SELECT * FROM budget_periods WHERE day = $day ORDER BY currency, scope, scope_id', { day });

/** Adds the sums of a day if there are none, and returns their id. */
export async function ensurePeriod(of: PeriodOf & { cap: number | null }): Promise<number> {
  const [row] = await select<{ id: number }>(
    `INSERT INTO budget_periods (scope, scope_id, currency, day, cap, reserved, spent, beyond)
     VALUES ($scope, $scope_id, $currency, $day, $cap, 0, 0, 0)
     ON CONFLICT (day, scope, scope_id, currency) DO UPDATE SET day = excluded.day RETURNING id`,
    { ...of },
  );
  return row!.id;
}

/** Sets the cap of a day. Throws where less is left of it than is held and spent. */
export const updatePeriodCap = (id: number, cap: number | null): Promise<number> =>
  execute('UPDATE budget_periods SET cap = $cap WHERE id = $id', { id, cap });

/** Moves the sums of periods. Throws where one would be negative, or above its cap. */
export const addToPeriods = (
  ids: readonly number[],
  { reserved = 0, spent = 0, beyond = 0 }: { reserved?: number; spent?: number; beyond?: number },
): Promise<number> =>
  execute(
    `UPDATE budget_periods SET reserved = reserved + $reserved, spent = spent + $spent, beyond = beyond + $beyond
     WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))`,
    { ids: JSON.stringify(ids), reserved, spent, beyond },
  );

const TABLES: Partial<Record<BudgetCapRow['scope'], string>> = {
  registrar: 'registrars',
  project: 'projects',
  user: 'users',
};

/** Whether the row is there that a cap is about; one about all or about each purchase has the id 0. */
export async function hasScope(scope: BudgetCapRow['scope'], scope_id: number): Promise<boolean> {
  const table = TABLES[scope];
  if (table === undefined) return scope_id === 0;
  return (await select(`SELECT 1 FROM ${table} WHERE id = $scope_id`, { scope_id })).length > 0;
}
