import { note } from '../../../db/audit.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { BudgetSettingsRow } from '../../shared/purchases/tables.ts';
import { findSettingsRow, insertSettings, updateLastDay, upsertSettings } from './budget-rows.ts';

export type BudgetSettings = Omit<BudgetSettingsRow, 'id'>;

// The defaults of what a run may do by itself.
const DEFAULTS: BudgetSettings = {
  state: 'on',
  reason: null,
  changed_at: null,
  names_day: 20,
  names_project: 5,
  pause_minutes: 10,
  last_day: '',
  switched_at: null,
  switched_by: null,
};

/** Returns the settings of purchases, the defaults where nothing was set. */
export async function readSettings(): Promise<BudgetSettings> {
  const row = await findSettingsRow();
  if (!row) return DEFAULTS;
  const { id: _id, ...settings } = row;
  return settings;
}

/** Changes settings, audited; `by` is the login of who has switched purchases. Only inside a transaction. */
export async function changeSettings(
  change: Partial<BudgetSettings>,
  by: string | null = null,
): Promise<BudgetSettings> {
  const before = await readSettings();
  const after = { ...before, ...change };
  const told = Object.keys(change) as (keyof BudgetSettings)[];
  note({
    action: 'update',
    object: 'budget_settings',
    id: 1,
    name: null,
    before: Object.fromEntries(told.map((name) => [name, before[name]])),
    after: change,
  });
  const now = new Date().toISOString();
  const switched = change.state === undefined ? {} : { switched_at: now, switched_by: by };
  await upsertSettings({ ...after, ...switched, changed_at: now });
  return after;
}

/** Stores the settings where nothing was set yet, from the first cap on: the highest day is kept there. Only inside a transaction. */
export const keepSettings = (settings: BudgetSettings): Promise<number> => insertSettings(settings);

/** Switches all purchases off, and says why. Only inside a transaction. */
export const switchOff = (reason: Message): Promise<BudgetSettings> =>
  changeSettings({ state: 'off', reason: JSON.stringify(reason) });

/** Returns the day of the budget and notes it: UTC's, but never one before the highest seen. Only inside a transaction. */
export async function budgetDay({ last_day }: BudgetSettings): Promise<string> {
  const today = new Date().toISOString().slice(0, 10);
  if (today <= last_day) return last_day;
  await updateLastDay(today);
  return today;
}
