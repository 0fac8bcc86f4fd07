import { currentActing } from '../../../db/acting.ts';
import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import { AppError, unknownReference } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { isCurrency, toDecimal, toMinor, type Currency } from '../../shared/purchases/money.ts';
import type { BudgetInput, BudgetView, CapInput, CapView, PurchasesState } from '../../shared/purchases/purchases.ts';
import type { BudgetPeriodRow } from '../../shared/purchases/tables.ts';
import {
  deleteCap,
  findCap,
  findPeriod,
  hasFullCaps,
  hasScope,
  listCaps,
  listPeriods,
  updatePeriodCap,
  upsertCap,
  type CapOf,
} from './budget-rows.ts';
import { budgetDay, changeSettings, keepSettings, readSettings } from './settings.ts';

const usedOf = ({ reserved, spent, beyond }: BudgetPeriodRow): number => reserved + spent + beyond;

/** Returns whether purchases are on, and whether nothing is bought because in no currency there are a cap for all and one per name. */
export const readPurchasesState = async (): Promise<PurchasesState> => ({
  state: (await readSettings()).state,
  simulates: !(await hasFullCaps()),
});

/** Returns the caps, what is left of them today, and the settings. */
export async function readBudget(): Promise<BudgetView> {
  const { reason, last_day, changed_at: _changed_at, ...settings } = await readSettings();
  const today = new Date().toISOString().slice(0, 10);
  const day = today > last_day ? today : last_day;
  const [caps, periods] = [await listCaps(), await listPeriods(day)];
  const views = caps.map(({ scope, scope_id, scope_name, currency, amount }): CapView => {
    const period = periods.find((one) => one.scope === scope && one.scope_id === scope_id && one.currency === currency);
    const used = period ? usedOf(period) : 0;
    const isDaily = scope !== 'name' && scope !== 'approval';
    const known = currency as Currency;
    return {
      scope,
      scope_id,
      scope_name,
      currency: known,
      amount: toDecimal(amount, known),
      used: isDaily ? toDecimal(used, known) : null,
      left: isDaily ? toDecimal(Math.max(0, Math.min(amount, period?.cap ?? amount) - used), known) : null,
    };
  });
  return {
    ...settings,
    reason: reason === null ? null : (JSON.parse(reason) as Message),
    simulates: !(await hasFullCaps()),
    day,
    caps: views,
  };
}

const DAILY = new Set<string>(['all', 'registrar', 'project', 'user']);

/**
 * Carries a cap over to today's sums. Where more was spent or is held already, today's cap is that: nothing more is bought, and the cap counts
 * from tomorrow on. Returns that as a message; null: it counts at once.
 */
async function carryOver(of: CapOf, amount: number | null, day: string): Promise<Message | null> {
  if (!DAILY.has(of.scope)) return null;
  const period = await findPeriod({ ...of, scope: of.scope as BudgetPeriodRow['scope'], day });
  if (!period) return null;
  const used = usedOf(period);
  await updatePeriodCap(period.id, amount === null ? null : Math.max(amount, period.reserved + period.spent));
  if (amount === null || amount >= used) return null;
  const currency = of.currency as Currency;
  const sums = { used: toDecimal(used, currency), amount: toDecimal(amount, currency), currency, day };
  return { key: 'budget.below_spent', params: sums };
}

/** Sets or removes one cap. Only inside a transaction. */
async function setCap({ scope, scope_id, currency, amount }: CapInput, day: string): Promise<Message | null> {
  if (!isCurrency(currency)) throw new AppError('refused', 'budget.unknown_currency', { currency });
  const minor = amount === null ? null : toMinor(amount, currency);
  if (minor === null && amount !== null) throw new AppError('invalid', 'budget.amount_invalid');
  // The cap of what was deleted can be removed.
  if (minor !== null && !(await hasScope(scope, scope_id))) throw unknownReference('scope_id');
  const of = { scope, scope_id, currency };
  const before = await findCap(of);
  if (before === minor) return null;
  const told = (value: number | null) => ({ ...of, amount: value === null ? null : toDecimal(value, currency) });
  note({
    action: minor === null ? 'delete' : before === null ? 'create' : 'update',
    object: 'budget_caps',
    name: `${scope} ${currency}`,
    before: told(before),
    after: told(minor),
  });
  if (minor === null) await deleteCap(of);
  else await upsertCap({ ...of, amount: minor });
  return carryOver(of, minor, day);
}

/**
 * Sets caps and limits, all of them or none. A cap below what today has spent is taken, and `warnings` say from when on it counts. Throws
 * AppError `refused` for a currency or a row that is not there.
 */
export async function setBudget({ caps = [], ...limits }: BudgetInput): Promise<BudgetView & { warnings: Message[] }> {
  const warnings = await transaction(async () => {
    const settings = await readSettings();
    const changed = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
    if (Object.keys(changed).length > 0) await changeSettings(changed);
    else await keepSettings(settings);
    const day = await budgetDay(settings);
    const said: Message[] = [];
    for (const cap of caps) {
      const warning = await setCap(cap, day);
      if (warning) said.push(warning);
    }
    return said;
  });
  return { ...(await readBudget()), warnings };
}

/** Switches purchases on or off. Off, nothing more is sent by any process from this commit on; what was sent is still looked up. */
export async function switchPurchases(state: 'on' | 'off'): Promise<BudgetView> {
  await transaction(async () => {
    const settings = await readSettings();
    if (settings.state !== state) await changeSettings({ state, reason: null }, currentActing().user.login);
  });
  return readBudget();
}
