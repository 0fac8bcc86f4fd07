import { redact } from '../../lib/redact.ts';
import { messageFor } from '../../operations/failure.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { DelegatedDomain, Money, RegisteredDomain, TakenOrder } from '../../providers/provider.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { toDecimal, type Currency } from '../../shared/purchases/money.ts';
import type { PurchaseRow } from '../../shared/purchases/tables.ts';
import { DAY_MS } from '../../shared/time.ts';
import { APART_MS } from './look-times.ts';

// A registry writes a year as the same day of the next one.
const SHORTEST_YEAR_MS = 330 * DAY_MS;

/** Writes a balance as the ledger keeps it. */
export const balanceText = ({ amount, currency }: Money): string => `${amount} ${currency}`;

/** Whether an error proves that nothing was charged, and whether the same order may be sent later. */
function provenBy(error: ProviderError): 'refused' | 'later' | null {
  if (error.kind === 'rate_limited') return 'later';
  if (error.unsent && ['unavailable', 'malformed'].includes(error.kind)) return 'later';
  return error.unsent || error.kind === 'refused' || error.kind === 'credentials' ? 'refused' : null;
}

/** Returns why an attempt failed. A refused price is told beside the one that was offered. */
function whyOf(error: ProviderError, { domain_name: name, price, currency }: PurchaseRow): Message | null {
  if (error.reason !== 'price') return messageFor(error);
  const offered = `${toDecimal(price, currency as Currency)} ${currency}`;
  return { key: 'purchase.price_refused', params: { name, price: offered, message: redact(error.message) } };
}

/** Returns what a failed attempt of a purchase means; where `isSent` is false it had not left: it may be sent later. */
export function meaningOf(
  error: unknown,
  isSent: boolean,
  row: PurchaseRow,
): { proven: 'refused' | 'later' | null; why: Message } {
  if (!(error instanceof ProviderError)) return { proven: isSent ? null : 'later', why: { key: 'purchase.slow' } };
  return { proven: provenBy(error) ?? (isSent ? null : 'later'), why: whyOf(error, row) ?? { key: 'purchase.slow' } };
}

/** The result of a look; a source that did not answer is absent. */
export interface Seen {
  /** Null: the service knows of no order. */
  order?: TakenOrder | null;
  /** Null: the account is without it. */
  domain?: RegisteredDomain | DelegatedDomain | null;
  isFree?: boolean;
  balance?: Money;
  /** No bill of the account is open, by which the order may be charged yet. */
  isAllPaid?: true;
  said: Message[];
}

/** The proof of a look. `open`: none yet, with the time of the first look that did not find the purchase. */
export type Verdict =
  | { is: 'bought'; order: TakenOrder | null; expires_at: string | null }
  | { is: 'not_bought'; how: Message }
  | { is: 'pending'; order: TakenOrder }
  | { is: 'open'; absent_at: string | null };

/** Whether a look contradicts that an order has taken effect: true, false, or undefined where it tells nothing. */
function isAbsent(row: PurchaseRow, seen: Seen): boolean | undefined {
  const isWithout = isUntaken(row, seen);
  return isWithout && !seen.isAllPaid ? undefined : isWithout;
}

/** As `isAbsent`, by what is there alone: a bill that is open may charge for it yet. */
function isUntaken(row: PurchaseRow, { order, domain, isFree, balance }: Seen): boolean | undefined {
  if (row.kind === 'register') {
    if (domain || order || isFree === false) return false;
    return domain === null && isFree === true ? true : undefined;
  }
  if (!domain) return undefined;
  if (domain.expires_at === null || domain.expires_at !== row.expires_before) return false;
  // The date may follow a payment late: only money that has not moved tells, too.
  return balance !== undefined && row.balance_before !== null ? balanceText(balance) === row.balance_before : undefined;
}

const isRenewed = ({ expires_before, years }: PurchaseRow, expires_at: string | null | undefined): boolean =>
  expires_before !== null &&
  typeof expires_at === 'string' &&
  Date.parse(expires_at) - Date.parse(expires_before) >= SHORTEST_YEAR_MS * years;

/**
 * Returns what a look proves of an order whose end is open. A registration is proven by its order or the domain in the account, a renewal by its
 * new date. That nothing was charged is proven by the service's word, or by two looks half an hour apart at which the name was neither in the
 * account nor taken, of a renewal, neither the date nor the balance had changed, and no bill was open.
 */
export function verdictOf(row: PurchaseRow, seen: Seen, now: number): Verdict {
  const { order, domain } = seen;
  const named = { name: row.domain_name };
  if (order?.state === 'rejected') return { is: 'not_bought', how: { key: 'purchase.rejected', params: named } };
  if (row.kind === 'renew' && isRenewed(row, domain?.expires_at)) {
    return { is: 'bought', order: null, expires_at: domain?.expires_at ?? null };
  }
  if (row.kind === 'register' && (order?.state === 'done' || domain)) {
    return { is: 'bought', order: order ?? null, expires_at: domain?.expires_at ?? null };
  }
  if (order?.state === 'pending') return { is: 'pending', order };
  const absent = isAbsent(row, seen);
  if (absent === false) return { is: 'open', absent_at: null };
  // An order that the service has taken ends by its word, not by its absence.
  if (absent && row.state === 'unknown' && row.absent_at !== null && now - Date.parse(row.absent_at) >= APART_MS) {
    return { is: 'not_bought', how: { key: 'purchase.absent', params: named } };
  }
  return { is: 'open', absent_at: row.absent_at ?? (absent ? new Date(now).toISOString() : null) };
}
