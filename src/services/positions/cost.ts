import { ProviderError } from '../../providers/provider-error.ts';
import { xmlriver } from '../../providers/search/xmlriver.ts';
import type { Engine } from '../../shared/engines.ts';
import { AppError } from '../../shared/errors.ts';
import { dayOf, PAGE_SIZE } from '../../shared/positions/places.ts';
import type { AccountSpending, FetchCost, PositionCap } from '../../shared/positions/positions.ts';
import { defaultSettings } from '../../shared/positions/settings.ts';
import { isAdmin, type Actor } from '../access/scope.ts';
import { listSearchAccounts, openSources, searchCallOf, type SearchAccount } from '../accounts/search-accounts.ts';
import { findProject } from '../portfolio/projects.ts';
import { findFetch } from './fetch.ts';
import { listKeywordRows } from './rows.ts';
import { settingsOf } from './settings.ts';
import { countSpent, listBalances, listCapsOn, listSpentSince } from './spending-rows.ts';
import { listLimits, listTaskSpentSince } from './task-rows.ts';

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

// The cost of a request at Arsenkin is estimated from the tasks of so many days.
const PRICED_DAYS = 30;

/** The highest cost of a reading by a source. */
type SourceCost = Pick<FetchCost, 'requests' | 'price' | 'currency' | 'balance'>;

/** Returns the cost of keywords at XMLRiver: each of their pages is a request. */
async function costByPages(keywords: number, depth: number, engine: Engine): Promise<SourceCost> {
  const [[account], balances] = await Promise.all([listSearchAccounts('xmlriver'), listBalances()]);
  const requests = keywords * Math.ceil(depth / PAGE_SIZE[engine]);
  const price = account ? await priceOf(account, engine) : null;
  return {
    requests,
    price: price === null ? null : ((requests * price) / 1000).toFixed(2),
    currency: 'RUB',
    balance: balances.find((one) => one.id === account?.id)?.balance ?? null,
  };
}

/** Returns the cost of keywords at Arsenkin, in limits, by what earlier ones have cost: the service tells no price. */
async function costByTasks(keywords: number): Promise<SourceCost> {
  const since = dayOf(Date.now()) - PRICED_DAYS;
  const [[account], spent, balances] = await Promise.all([
    listSearchAccounts('arsenkin'),
    listTaskSpentSince(since),
    listLimits(),
  ]);
  const known = spent.filter(({ requests, limits }) => requests > 0 && limits > 0);
  const { requests = 0, limits = 0 } = known.find(({ id }) => id === account?.id) ?? known[0] ?? {};
  return {
    requests: keywords,
    price: requests === 0 ? null : String(Math.ceil((keywords * limits) / requests)),
    currency: 'limits',
    balance: balances.find((one) => one.id === account?.id)?.balance ?? null,
  };
}

/** Returns what a reading of a project's positions costs at most, and what there is for it. Throws AppError `not_found`. */
export async function fetchCost(actor: Actor, projectId: number, engine: Engine): Promise<FetchCost> {
  const { id } = await findProject(actor, projectId);
  const [settings, keywords, pick, spent] = await Promise.all([
    settingsOf(id),
    listKeywordRows(id),
    openSources(),
    countSpent(id, dayOf(Date.now())),
  ]);
  const picked = pick(settings.source);
  const source = picked ?? (settings.source === 'arsenkin' ? 'arsenkin' : 'xmlriver');
  const cost =
    source === 'arsenkin'
      ? await costByTasks(keywords.length)
      : await costByPages(keywords.length, settings.depth, engine);
  return {
    ...cost,
    source,
    left_today: Math.max(0, settings.daily_cap - spent),
    has_account: picked !== null,
    operation_id: await findFetch(id, engine),
  };
}

/** Returns the cap of each project and what it leaves today, for administrators: of everybody's projects. Throws AppError `forbidden`. */
export async function listPositionCaps(actor: Actor): Promise<PositionCap[]> {
  if (!isAdmin(actor)) throw new AppError('forbidden', 'error.forbidden');
  const rows = await listCapsOn(dayOf(Date.now()), defaultSettings(0).daily_cap);
  return rows.map((row) => Object.assign(row, { left: Math.max(0, row.daily_cap - row.used) }));
}

/** Returns for how many days a balance lasts at what a week has cost; null: not known, or nothing was spent. */
const lastsAt = (balance: string | null, week: number): number | null =>
  balance === null || week <= 0 ? null : Math.floor(Number(balance) / (week / WEEK));

async function spendingByTasks(since: number): Promise<AccountSpending[]> {
  const [spent, balances] = await Promise.all([listTaskSpentSince(since), listLimits()]);
  return balances.map(({ id, balance }) => {
    const { requests = 0, limits = 0 } = spent.find((one) => one.id === id) ?? {};
    return { source: 'arsenkin', id, requests_week: requests, lasts_days: lastsAt(balance, limits) };
  });
}

/** Returns what each account has spent in a week, and for how many days its balance lasts at that. */
export async function listSpending(): Promise<AccountSpending[]> {
  const since = dayOf(Date.now()) - WEEK;
  const [accounts, spent, balances] = await Promise.all([
    listSearchAccounts('xmlriver'),
    listSpentSince(since),
    listBalances(),
  ]);
  const byPages = await Promise.all(
    accounts.map(async (account): Promise<AccountSpending> => {
      const requests_week = spent.find(({ id }) => id === account.id)?.requests ?? 0;
      const balance = balances.find(({ id }) => id === account.id)?.balance ?? null;
      const price = requests_week === 0 || balance === null ? null : await priceOf(account, 'yandex');
      const lasts_days = lastsAt(balance, price === null ? 0 : requests_week * (price / 1000));
      return { source: 'xmlriver', id: account.id, requests_week, lasts_days };
    }),
  );
  return [...byPages, ...(await spendingByTasks(since))];
}
