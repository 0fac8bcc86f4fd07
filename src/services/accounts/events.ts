import { recordEvents, type NewEvent } from '../../../db/events.ts';
import type { Key, Message } from '../../shared/i18n/index.ts';
import { lowBalanceOf } from '../../shared/accounts/registrar-types.ts';
import type { Balance } from './tester.ts';

// Codes of tests that only another key, or another setting at the service, mends.
const REFUSALS = new Set<string | null>(['provider_credentials', 'address_not_allowed', 'permission_missing']);

const REFUSED = new Set<Key>(['provider.credentials', 'ssh.login_refused', 'ssh.key_encrypted', 'ssh.key_unreadable']);

/** Whether an account's stored error says that its login is refused. */
export const isRefusal = (check_error: string | null | undefined): boolean =>
  check_error != null && REFUSED.has((JSON.parse(check_error) as Message).key);

/** The last test of an account: its error (a Message as JSON, null: none), and the balance. */
interface Known extends Partial<Balance> {
  check_error?: string | null;
}

const isEmpty = ({ balance }: Partial<Balance>): boolean => balance != null && Number(balance) <= 0;

/** Returns whether money has come below the mark, or to nothing. */
function moneyKind(before: Known, after: Known): NewEvent['kind'] | null {
  if (isEmpty(after)) return isEmpty(before) ? null : 'account_empty';
  const isLow = ({ balance = null, balance_currency = null }: Known): boolean =>
    lowBalanceOf({ balance, balance_currency }) !== null;
  return isLow(after) && !isLow(before) ? 'balance_low' : null;
}

const record = (kind: NewEvent['kind'] | null, name: string): Promise<void> =>
  recordEvents(kind === null ? [] : [{ kind, name }]);

/** Records that an account has little money, or none, where it had enough before. Only inside a transaction. */
export const recordMoney = (name: string, before: Known, after: Known): Promise<void> =>
  record(moneyKind(before, after), name);

/**
 * Records that a test has found a login refused, or money gone, where the last one has not. Accounts are the team's, so that
 * administrators are told. Only inside a transaction.
 */
export async function recordTest(before: Known & { name: string }, code: string | null, after: Known): Promise<void> {
  // The service may word the same refusal in another way.
  const isSame = isRefusal(before.check_error) && isRefusal(after.check_error);
  const isNew = before.check_error !== after.check_error && !isSame;
  await record(REFUSALS.has(code) && isNew ? 'account_refused' : null, before.name);
  await recordMoney(before.name, before, after);
}

/** Records why running work can't use an account any more, where that is new. Only inside a transaction. */
export const recordSpent = (
  name: string,
  kind: 'account_refused' | 'account_empty',
  before: string | null,
  after: string,
): Promise<void> => record(before === after ? null : kind, name);
