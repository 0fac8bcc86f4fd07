import { ProviderError } from '../../providers/provider-error.ts';
import { xmlriver } from '../../providers/search/xmlriver.ts';
import type { Engine } from '../../shared/engines.ts';
import { dayOf, PAGE_SIZE } from '../../shared/positions/places.ts';
import type { AccountSpending, FetchCost } from '../../shared/positions/positions.ts';
import type { Actor } from '../access/scope.ts';
import { listSearchAccounts, searchCallOf, type SearchAccount } from '../accounts/search-accounts.ts';
import { findProject } from '../portfolio/projects.ts';
import { listKeywordRows } from './rows.ts';
import { settingsOf } from './settings.ts';
import { countSpent, listBalances, listSpentSince } from './spending-rows.ts';

const PATIENCE_MS = 5_000;
const KEPT_MS = 3_600_000;
const WEEK = 7;

const prices = new Map<string, { amount: number; at: number }>();

const keysOf = ({ login }: SearchAccount) => ({ login: login['login'] ?? '', key: login['key'] ?? '' });

/** Returns the roubles for a thousand requests, asked for once an hour; null where the service does not tell. */
async function priceOf(account: SearchAccount, engine: Engine): Promise<number | null> {
  const name = `${account.id}/${engine}`;
  const known = prices.get(name);
  if (known && Date.now() - known.at < KEPT_MS) return known.amount;
  try {
    const call = searchCallOf('xmlriver', AbortSignal.timeout(PATIENCE_MS));
    const amount = Number((await xmlriver.readPrice(keysOf(account), engine, call)).amount);
    prices.set(name, { amount, at: Date.now() });
    return amount;
  } catch (error) {
    if (error instanceof ProviderError || error instanceof DOMException) return null;
    throw error;
  }
}

/** Returns what a reading of a project's positions costs at most, and what there is for it. Throws AppError `not_found`. */
export async function fetchCost(actor: Actor, projectId: number, engine: Engine): Promise<FetchCost> {
  const { id } = await findProject(actor, projectId);
  const [settings, keywords, accounts, spent, balances] = await Promise.all([
    settingsOf(id),
    listKeywordRows(id),
    listSearchAccounts('xmlriver'),
    countSpent(id, dayOf(Date.now())),
    listBalances(),
  ]);
  const requests = keywords.length * Math.ceil(settings.depth / PAGE_SIZE[engine]);
  const [account] = accounts;
  const price = account ? await priceOf(account, engine) : null;
  return {
    requests,
    price: price === null ? null : ((requests * price) / 1000).toFixed(2),
    balance: balances.find((one) => one.id === account?.id)?.balance ?? null,
    left_today: Math.max(0, settings.daily_cap - spent),
    has_account: account !== undefined,
  };
}

/** Returns what each XMLRiver account has spent in a week, and for how many days its balance lasts at that. */
export async function listSpending(): Promise<AccountSpending[]> {
  const since = dayOf(Date.now()) - WEEK;
  const [accounts, spent, balances] = await Promise.all([
    listSearchAccounts('xmlriver'),
    listSpentSince(since),
    listBalances(),
  ]);
  return Promise.all(
    accounts.map(async (account) => {
      const requests_week = spent.find(({ id }) => id === account.id)?.requests ?? 0;
      const balance = balances.find(({ id }) => id === account.id)?.balance ?? null;
      const price = requests_week === 0 || balance === null ? null : await priceOf(account, 'yandex');
      const aDay = price === null ? 0 : (requests_week / WEEK) * (price / 1000);
      return { id: account.id, requests_week, lasts_days: aDay === 0 ? null : Math.floor(Number(balance) / aDay) };
    }),
  );
}
