import type { NewEvent } from '../../../db/events.ts';
import { failureEvent } from '../../operations/audit.ts';
import { listItemRows } from '../../operations/item-rows.ts';
import { AppError } from '../../shared/errors.ts';
import type { Key, Message } from '../../shared/i18n/index.ts';
import type { OperationRow } from '../../shared/operations/tables.ts';
import { toDecimal, type Currency } from '../../shared/purchases/money.ts';
import type { BudgetPeriodRow, PurchaseRow } from '../../shared/purchases/tables.ts';
import { addToPeriods, ensurePeriod, findCap, findPeriod } from './budget-rows.ts';
import { listProjectNames } from './domain-rows.ts';

type Charged = Pick<PurchaseRow, 'registrar_id' | 'project_id' | 'user_id'>;

type Scope = Pick<BudgetPeriodRow, 'scope' | 'scope_id'>;

/** Returns what a purchase is counted under on its day. */
function scopesOf({ registrar_id, project_id, user_id }: Charged): Scope[] {
  const one = (scope: Scope['scope'], scope_id: number | null): Scope[] =>
    scope_id === null ? [] : [{ scope, scope_id }];
  return [
    { scope: 'all', scope_id: 0 },
    ...one('registrar', registrar_id),
    ...one('project', project_id),
    ...one('user', user_id),
  ];
}

/**
 * Returns what is left of a day's cap; null: no cap is set. The day of a cap that was lowered below what was held keeps that as its own: what is
 * given back since is not to be spent again.
 */
async function leftOf(scope: Scope, currency: string, day: string): Promise<number | null> {
  const cap = await findCap({ ...scope, currency });
  const period = await findPeriod({ ...scope, currency, day });
  if (cap === null || !period) return cap;
  return Math.min(cap, period.cap ?? cap) - (period.reserved + period.spent + period.beyond);
}

/** A held sum of a currency on a day. */
interface Sum {
  currency: Currency;
  price: number;
  day: string;
}

/** Sums that a plan counts on already though nothing is held for them, by what they are counted under. */
export type Planned = Map<string, number>;

const plannedKey = ({ scope, scope_id }: Scope, currency: Currency): string => `${scope} ${scope_id} ${currency}`;

/** Counts a sum on among those of a plan. */
export function plan(planned: Planned, charged: Charged, { currency, price }: Sum): void {
  for (const scope of scopesOf(charged)) {
    const key = plannedKey(scope, currency);
    planned.set(key, (planned.get(key) ?? 0) + price);
  }
}

/** Returns what is left of a day under the cap for all; null: no cap is set. */
export const leftOfDay = (currency: Currency, day: string): Promise<number | null> =>
  leftOf({ scope: 'all', scope_id: 0 }, currency, day);

/** Returns why a sum has no room under the caps of its day beside what is `planned`; null: it has. */
export async function refusalOfSum(
  charged: Charged,
  { currency, price, day }: Sum,
  planned: Planned = new Map(),
): Promise<Message | null> {
  for (const scope of scopesOf(charged)) {
    const all = await leftOf(scope, currency, day);
    const left = all === null ? Infinity : all - (planned.get(plannedKey(scope, currency)) ?? 0);
    if (price <= left) continue;
    const sums = { price: toDecimal(price, currency), left: toDecimal(Math.max(0, left), currency), currency, day };
    return { key: `purchase.cap_${scope.scope}`, params: sums };
  }
  return null;
}

/** Returns the ids of the periods that a purchase counts under on a day, and adds those that are missing. */
async function periodsOf(charged: Charged, currency: Currency, day: string): Promise<number[]> {
  const ids: number[] = [];
  for (const scope of scopesOf(charged)) {
    const cap = await findCap({ ...scope, currency });
    ids.push(await ensurePeriod({ ...scope, currency, day, cap }));
  }
  return ids;
}

/** Holds a sum under every cap of its day and returns the ids of the periods, as JSON. Throws AppError `refused`. Only inside a transaction. */
export async function hold(charged: Charged, sum: Sum): Promise<string> {
  const refusal = await refusalOfSum(charged, sum);
  if (refusal) throw new AppError('refused', refusal.key, refusal.params, { code: 'budget' });
  const { currency, price, day } = sum;
  const ids = await periodsOf(charged, currency, day);
  await addToPeriods(ids, { reserved: price });
  return JSON.stringify(ids);
}

type Held = Pick<PurchaseRow, 'periods' | 'price'>;

const idsOf = ({ periods }: Held): number[] => JSON.parse(periods) as number[];

/** Gives a held sum back. */
export const giveBack = (held: Held): Promise<number> => addToPeriods(idsOf(held), { reserved: -held.price });

/** Turns a held sum into a spent one. A charge beyond it counts as well, even above the cap. */
export async function spend(held: Held, charged: number): Promise<void> {
  const spent = Math.min(charged, held.price);
  await addToPeriods(idsOf(held), { reserved: -held.price, spent, beyond: charged - spent });
}

/** Counts a sum in another currency than the held one under the caps of that currency. */
export async function spendElsewhere(
  { day, ...charged }: Charged & Pick<PurchaseRow, 'day'>,
  { currency, minor }: { currency: Currency; minor: number },
): Promise<void> {
  await addToPeriods(await periodsOf(charged, currency, day), { beyond: minor });
}

/** Counts what was charged for a purchase whose sum had been given back. */
export const spendAnew = (held: Held, charged: number): Promise<number> =>
  addToPeriods(idsOf(held), { beyond: charged });

const CAPPED = new Set<Key | null>([
  'purchase.cap_name',
  'purchase.cap_all',
  'purchase.cap_registrar',
  'purchase.cap_project',
  'purchase.cap_user',
  'purchase.names_day',
  'purchase.names_project',
]);

/** The data that all items of purchases share. */
interface Wanted {
  domain_name: string;
  project_id: number | null;
}

/**
 * Returns what people are told of the end of work that buys: each project for which a cap has stopped it, once, or the name where it has
 * none. Null where no cap has.
 */
export async function tellPurchases(operation: OperationRow): Promise<NewEvent[] | null> {
  const failed = (await listItemRows(operation.id)).filter(({ state }) => state === 'failed');
  const capped = failed.filter(({ error_key }) => CAPPED.has(error_key as Key | null));
  if (capped.length === 0) return null;
  const wanted = capped.map(({ data }) => JSON.parse(data) as Wanted);
  const projects = await listProjectNames([...new Set(wanted.flatMap(({ project_id }) => project_id ?? []))]);
  const alone = wanted.filter(({ project_id }) => !projects.some(({ id }) => id === project_id));
  const { user_id } = operation;
  return [
    ...projects.map(({ id, name }): NewEvent => ({ kind: 'cap_reached', name, project_id: id })),
    ...alone.map(({ domain_name }): NewEvent => ({ kind: 'cap_reached', name: domain_name, user_id })),
    ...(failed.length > capped.length ? [failureEvent(operation)] : []),
  ];
}
