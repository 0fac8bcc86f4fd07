import { execute, executeUnaudited, select } from '../../../db/index.ts';
import {
  budgetSettings,
  type BudgetCapRow,
  type BudgetPeriodRow,
  type BudgetSettingsRow,
} from '../../shared/purchases/tables.ts';

const SETTINGS = Object.keys(budgetSettings.columns).filter((name) => name !== 'id');

// The name of what a cap is about, as a query.
const NAMES: Partial<Record<BudgetCapRow['scope'], (id: string) => string>> = {
  registrar: (id) => `SELECT name FROM registrars WHERE id = ${id}`,
  project: (id) => `SELECT name FROM projects WHERE id = ${id} AND deleted_at IS NULL`,
  user: (id) => `SELECT login FROM users WHERE id = ${id}`,
};

/** Returns the stored settings; undefined: nothing was ever set. */
export async function findSettingsRow(): Promise<BudgetSettingsRow | undefined> {
  const [row] = await select<BudgetSettingsRow>('SELECT * FROM budget_settings WHERE id = 1');
  return row;
}

/** Stores the settings. */
export async function upsertSettings(settings: Omit<BudgetSettingsRow, 'id'>): Promise<void> {
  await execute(
    `INSERT INTO budget_settings (${SETTINGS.join(', ')}, id) VALUES (${SETTINGS.map((name) => `$${name}`).join(', ')}, 1)
     ON CONFLICT (id) DO UPDATE SET ${SETTINGS.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    { ...settings },
  );
}

/** Stores the defaults where nothing was set yet: the row keeps the highest day. */
export const insertSettings = (settings: Omit<BudgetSettingsRow, 'id'>): Promise<number> =>
  executeUnaudited(
    'budget_day',
    `INSERT INTO budget_settings (${SETTINGS.join(', ')}, id) VALUES (${SETTINGS.map((name) => `$${name}`).join(', ')}, 1)
     ON CONFLICT (id) DO NOTHING`,
    { ...settings },
  );

/** Notes the highest day seen. */
export const updateLastDay = (day: string): Promise<number> =>
  executeUnaudited('budget_day', 'UPDATE budget_settings SET last_day = $day WHERE id = 1 AND last_day < $day', {
    day,
  });

/** Returns every cap, in a fixed order, with the name of what it is about; null: it is about all, or that was deleted. */
export const listCaps = (): Promise<(BudgetCapRow & { scope_name: string | null })[]> =>
  select(
    `SELECT c.*, CASE c.scope ${Object.entries(NAMES)
      .map(([scope, query]) => `WHEN '${scope}' THEN (${query('c.scope_id')})`)
      .join(' ')} END AS scope_name
     FROM budget_caps c ORDER BY c.currency, c.scope, c.scope_id`,
  );

/** Returns what all purchases need to know of the budget: whether in some currency there is a cap for all and one per name. */
export async function hasFullCaps(): Promise<boolean> {
  const rows = await select(
    `SELECT 1 FROM budget_caps a JOIN budget_caps n ON n.currency = a.currency AND n.scope = 'name' WHERE a.scope = 'all' LIMIT 1`,
  );
  return rows.length > 0;
}

/** The scope of a cap. */
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

/** Whether the row is there that a cap is about; one about all or about each purchase has the id 0. */
export async function hasScope(scope: BudgetCapRow['scope'], scope_id: number): Promise<boolean> {
  const query = NAMES[scope];
  if (query === undefined) return scope_id === 0;
  const rows = await select(query('$scope_id'), { scope_id });
  return rows.length > 0;
}
