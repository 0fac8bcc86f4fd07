import { transaction } from '../../../db/index.ts';
import { config } from '../../lib/config.ts';
import type { Use } from '../../operations/flow.ts';
import type { ProviderError } from '../../providers/provider-error.ts';
import type { Call, Money } from '../../providers/provider.ts';
import { SOURCES, type Source, type SourceChoice } from '../../shared/engines.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { readSecret } from './team.ts';
import { recordMoney, recordSpent } from './events.ts';
import { findSearchKnown, listUsable, setSearchBalance, setSearchError } from './rows.ts';

const TABLES = {
  xmlriver: { table: 'xmlriver_accounts', secret: 'key' },
  arsenkin: { table: 'arsenkin_accounts', secret: 'token' },
} as const;

/** An account at a source. `login` has the secret in clear. */
export interface SearchAccount {
  id: number;
  name: string;
  source: Source;
  login: Readonly<Record<string, string>>;
}

/** Returns the source to read by; null: no account is there for it. */
export type PickSource = (choice: SourceChoice) => Source | null;

/**
 * Looks at the accounts once and returns how sources are picked: the one that was chosen, where it has an account; else the first
 * one with an account whose last test has not failed, else the first one with any.
 */
export async function openSources(): Promise<PickSource> {
  const accounts = await Promise.all(SOURCES.map((source) => listUsable(TABLES[source].table)));
  const has = SOURCES.filter((_, index) => (accounts[index] ?? []).length > 0);
  const works = SOURCES.find((_, index) => accounts[index]?.some((account) => account['check_error'] === null));
  const auto = works ?? has[0] ?? null;
  return (choice) => (choice === 'auto' ? auto : (has.find((source) => source === choice) ?? null));
}

/** Returns all accounts of a source by id, those whose last test has failed last. */
export async function listSearchAccounts(source: Source): Promise<SearchAccount[]> {
  const { table, secret } = TABLES[source];
  return (await listUsable(table)).map((row) => ({
    id: row.id,
    name: row.name,
    source,
    login: {
      ...(typeof row['login'] === 'string' && { login: row['login'] }),
      [secret]: readSecret(table, row.id, String(row[secret])),
    },
  }));
}

/** Returns the accounts of sources as those that an operation works with: it may take any of them, so that none is deleted meanwhile. */
export async function searchUses(sources: readonly Source[]): Promise<Use[]> {
  const uses = sources.map(async (source) => {
    const { table: kind } = TABLES[source];
    return (await listUsable(kind)).map(({ id }): Use => ({ kind, id }));
  });
  return (await Promise.all(uses)).flat();
}

/** Returns the options of a call to a source: its address and its pace, unless the source's own stand. */
export function searchCallOf(source: Source, signal?: AbortSignal): Call {
  const { searchUrls, searchPace: pace } = config();
  const url = searchUrls[source];
  return { ...(signal && { signal }), ...(url !== undefined && { url }), ...(pace && { pace }) };
}

/** Keeps why an account can't be used, as a failed test of it would. */
export const noteAccountError = (
  { id, name, source }: SearchAccount,
  { reason }: Pick<ProviderError, 'reason'>,
  told: Message,
): Promise<void> =>
  transaction(async () => {
    const { table } = TABLES[source];
    const before = await findSearchKnown(table, id);
    if (!before) return;
    const error = JSON.stringify(told);
    await setSearchError(table, id, error, new Date().toISOString());
    const kind = reason === 'no_money' ? 'account_empty' : 'account_refused';
    await recordSpent(name, kind, before.check_error, error);
  });

/** Keeps what an account has left. */
export const storeSearchBalance = ({ id, name, source }: SearchAccount, balance: Money): Promise<void> =>
  transaction(async () => {
    const { table } = TABLES[source];
    const before = await findSearchKnown(table, id);
    if (!before) return;
    await setSearchBalance(table, id, balance, new Date().toISOString());
    await recordMoney(name, before, { balance: balance.amount, balance_currency: balance.currency });
  });
