import { DAY_MS } from '../time.ts';
import type { CertificateRow } from './tables.ts';

/** Days before its end at which a certificate is told of, once each. */
export const CERTIFICATE_DAYS = [30, 14, 7, 1] as const;

/** A certificate as the doors show it; `days`: whole days that are left, negative once it is over. */
export type CertificateView = Omit<CertificateRow, 'domain_id' | 'domain_name' | 'told' | 'names_ok'> & {
  names_ok: boolean | null;
  days: number | null;
};

/** Returns the whole days until a time, negative behind it. */
export const daysUntil = (time: string, now: number): number => Math.floor((Date.parse(time) - now) / DAY_MS);

/** Returns the lowest threshold that a certificate has reached; null: it has more days left than any of them. */
export function thresholdOf(not_after: string, now: number): number | null {
  const left = Date.parse(not_after) - now;
  return CERTIFICATE_DAYS.findLast((days) => left <= days * DAY_MS) ?? null;
}

/** Thresholds of a certificate after a look, in days: `told` is to be stored, `crossed` has to be told now; null: none. */
export interface Crossing {
  told: number | null;
  crossed: number | null;
}

/**
 * Compares a certificate with the one seen before. A later end makes it a new one, of which nothing was told; each threshold is
 * crossed once, and of those that were passed between two looks the lowest alone.
 */
export function crossingOf(
  before: Pick<CertificateRow, 'not_after' | 'told'> | undefined,
  not_after: string,
  now: number,
): Crossing {
  const isNew = before?.not_after === undefined || before.not_after === null || not_after > before.not_after;
  const told = isNew ? null : before.told;
  const reached = thresholdOf(not_after, now);
  const crossed = reached !== null && (told === null || reached < told) ? reached : null;
  return { told: crossed ?? told, crossed };
}

/** Returns a certificate for the doors. */
export const certificateView = (row: CertificateRow, now: number): CertificateView => {
  const { side, issuer, names_ok, fault, not_after, looked_at, error } = row;
  return {
    side,
    issuer,
    names_ok: names_ok === null ? null : names_ok === 1,
    fault,
    not_after,
    looked_at,
    error,
    days: not_after === null ? null : daysUntil(not_after, now),
  };
};
