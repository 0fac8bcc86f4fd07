import type { Money } from '../../providers/provider.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { Table } from '../../shared/table.ts';

/** A login to test. `id` is null where it is not saved; the other fields are text, empty where nothing was given. */
export interface Login {
  id: number | null;
  fields: Readonly<Record<string, string>>;
  /** Returns the secret in clear. Throws AppError `not_configured` where it can't be read. */
  secret: () => string;
}

/**
 * The result of a test: `code` is null where all is well, `message` is for a person, `details` are further fields of
 * the answer. `known` are columns to store; null: not known this time, what is stored stays.
 */
export interface Tested<Details extends object = object> {
  code: string | null;
  message: Message;
  details: Details;
  known: Readonly<Record<string, string | number | null>>;
}

/** How the logins of a kind are tested. */
export interface Tester<Details extends object = object> {
  /** A login that fails is a result, not an error. */
  test: (login: Login) => Promise<Tested<Details>>;
  /** Throws AppError `invalid` for a secret that can never work, so that it is reported where it is typed. */
  checkSecret?: (secret: string) => Promise<void>;
}

/** A person waits for the answer of a test so long at most. */
export const PATIENCE_MS = 25_000;

/** The balance of a login with money, a decimal and its currency; null: not known. */
export interface Balance {
  balance: string | null;
  balance_currency: string | null;
}

/** Returns the result of a test that has read a balance, null where it could not. */
export function balanceTested(code: string | null, message: Message, money: Money | null): Tested<Balance> {
  const found = { balance: money?.amount ?? null, balance_currency: money?.currency ?? null };
  return { code, message, details: found, known: found };
}

/** Returns the columns of a login that was not tested yet: what another one had in its place is not what this one has. */
export const untested = ({ columns }: Table): Record<string, null> => ({
  checked_at: null,
  check_error: null,
  ...('balance' in columns && { balance: null, balance_currency: null }),
});
