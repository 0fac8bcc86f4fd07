import { transaction } from '../../../db/index.ts';
import { findRow } from '../../../db/rows.ts';
import type { Call, Money, Registrar } from '../../providers/provider.ts';
import { registrars } from '../../shared/accounts/tables.ts';
import { recordMoney } from './events.ts';
import { setBalance } from './rows.ts';

/** An account at a registrar, opened. */
interface Opened {
  id: number;
  registrar: Registrar;
  login: Record<string, string>;
}

/** Changes what an account is known to have left; null: it stays. */
export const changeBalance = (id: number, next: (known: Money | null) => Money | null): Promise<void> =>
  transaction(async () => {
    const row = await findRow(registrars, id);
    if (!row) return;
    const { balance, balance_currency } = row;
    const known =
      balance === null || balance_currency === null ? null : { amount: balance, currency: balance_currency };
    const money = next(known);
    if (!money || (money.amount === known?.amount && money.currency === known.currency)) return;
    await setBalance(id, money);
    await recordMoney(row.name, row, { balance: money.amount, balance_currency: money.currency });
  });

/** Reads what an account has left, and keeps it for the lists and their mark; undefined where the service does not tell it. */
export async function readBalance({ id, registrar, login }: Opened, call: Call): Promise<Money | undefined> {
  const balance = await registrar.readBalance?.(login, call);
  if (balance) await changeBalance(id, () => balance);
  return balance;
}
