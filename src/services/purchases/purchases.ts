import { notFound } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { ListOf } from '../../shared/lists.ts';
import { dayAfterYears, expiryDay } from '../../shared/portfolio/expiry-day.ts';
import { toDecimal, type Currency } from '../../shared/purchases/money.ts';
import {
  hasUnseenCharge,
  OPEN_STATES,
  type Evidence,
  type PurchaseSelection,
  type PurchaseView,
} from '../../shared/purchases/purchases.ts';
import type { Actor } from '../access/scope.ts';
import {
  countPurchases,
  findVisiblePurchase,
  listPurchaseRows,
  listUndecidedRows,
  type ListedPurchase,
} from './list-rows.ts';

const isOpen = (state: string): boolean => (OPEN_STATES as readonly string[]).includes(state);

/** Returns the days on which a registration ends before and after its renewal; null for a new registration. */
function daysOf({ domain_name, kind, expires_before, years }: ListedPurchase) {
  if (kind !== 'renew' || expires_before === null) return { expires_day: null, renewed_day: null };
  const expires_day = expiryDay({ domain_name, expired_at: expires_before });
  return { expires_day, renewed_day: dayAfterYears(expires_day, years) };
}

/** Whether a person has to decide on a purchase: nothing goes on by itself. */
const needsPerson = (row: ListedPurchase): boolean =>
  row.state === 'awaiting_approval' || (isOpen(row.state) && row.look_at === null) || hasUnseenCharge(row);

function viewOf(row: ListedPurchase): PurchaseView {
  const {
    reference: _r,
    periods: _p,
    cap: _c,
    expires_before: _e,
    balance_before: _b,
    looks: _l,
    absent_at: _a,
    ...more
  } = row;
  const { asker_id: _asker, approver_id: _approver, resolver_id: _resolver, ...shown } = more;
  const sum = (minor: number): string => toDecimal(minor, row.currency as Currency);
  return {
    ...shown,
    price: sum(row.price),
    charged: row.charged === null ? null : sum(row.charged),
    ...daysOf(row),
    needs_person: needsPerson(row),
    error: row.error === null ? null : (JSON.parse(row.error) as Message),
    evidence: JSON.parse(row.evidence) as Evidence[],
  };
}

/** Returns a part of the ledger: all of it for an admin, what is charged to one's own projects for a user. The newest first. */
export async function listPurchases(actor: Actor, selection: PurchaseSelection): Promise<ListOf<PurchaseView>> {
  const data = (await listPurchaseRows(actor, selection)).map(viewOf);
  return selection.limit === undefined ? { data } : { data, total: await countPurchases(actor, selection) };
}

/** Returns the purchases that the actor may see and on which a person has to decide, the newest first. */
export const listUndecided = async (actor: Actor): Promise<PurchaseView[]> =>
  (await listUndecidedRows(actor)).map(viewOf).filter((purchase) => purchase.needs_person);

/** Returns a purchase that the actor may see. Throws AppError `not_found`. */
export async function findPurchase(actor: Actor, id: number): Promise<PurchaseView> {
  const row = await findVisiblePurchase(actor, id);
  if (!row) throw notFound();
  return viewOf(row);
}
