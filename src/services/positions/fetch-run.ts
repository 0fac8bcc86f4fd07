import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { config } from '../../lib/config.ts';
import { messageFor } from '../../operations/failure.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { SearchPage } from '../../providers/provider.ts';
import { xmlriver } from '../../providers/search/xmlriver.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { PAGE_SIZE, placesIn, type Sought } from '../../shared/positions/places.ts';
import {
  listSearchAccounts,
  noteAccountError,
  searchCallOf,
  storeSearchBalance,
  type SearchAccount,
} from '../accounts/search-accounts.ts';
import type { FetchInput } from './fetch.ts';
import { openJournal, type Journal } from './fetch-store.ts';
import type { QueryOfDay } from './query-rows.ts';

/** A run of an operation. */
export interface FetchRun {
  operation_id: number;
  input: FetchInput;
  queries: readonly QueryOfDay[];
  sought: readonly (Sought & { type: 'main' | 'transfer' })[];
  scope_id: number;
  signal: AbortSignal;
  /** Called for each query: it was read, or it can't be now. */
  onRead: (isRead: boolean) => void;
}

// More than the streams of an account, so that these are busy while some queries wait for another try.
const AT_ONCE = 30;
const TRIES = 5;
const USUAL_PAUSE = 5;
// A service that asks for patience again and again is not waited for.
const MOST_WAITS = 20;

/** Thrown where no query can be read any more; `told` is why. */
class Stopped extends Error {
  readonly told: Message;
  constructor(told: Message) {
    super(told.key);
    this.told = told;
  }
}

/** Whether an account can't be used any more: its login is refused, or it has no money. */
const isSpent = (error: ProviderError): boolean =>
  error.kind === 'credentials' ||
  (error.kind === 'refused' && (error.reason === 'no_money' || error.reason === 'address'));

const isTemporary = ({ kind }: ProviderError): boolean => kind === 'unavailable' || kind === 'malformed';

/** The accounts of a run: the first one that works is used by all queries. */
interface Accounts {
  /** Of calls: fires some time after that of the run. */
  signal: AbortSignal;
  current: () => SearchAccount;
  /** Goes on with the next account. */
  drop: (account: SearchAccount, error: ProviderError) => Promise<void>;
}

async function openAccounts(signal: AbortSignal): Promise<Accounts> {
  const left = await listSearchAccounts('xmlriver');
  let why: Message = { key: 'positions.no_account' };
  return {
    signal: graceful(signal),
    current: () => {
      const [first] = left;
      if (!first) throw new Stopped(why);
      return first;
    },
    drop: async (account, error) => {
      const at = left.indexOf(account);
      if (at < 0) return;
      left.splice(at, 1);
      const params = { name: account.name };
      why =
        error.reason === 'no_money'
          ? { key: 'positions.no_money', params }
          : { key: 'positions.account_refused', params };
      await noteAccountError(account, why);
    },
  };
}

const loginOf = ({ login }: SearchAccount) => ({ login: login['login'] ?? '', key: login['key'] ?? '' });

// An answer that is under way when the work stops is paid: it gets so long to come.
const GRACE_MS = 8_000;

/** Returns a signal that fires some time after another one. */
function graceful(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  // Every call that is under way listens.
  setMaxListeners(0, signal, late.signal);
  const end = (): void => void setTimeout(() => late.abort(signal.reason), GRACE_MS).unref();
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return late.signal;
}

/** Waits as an error asks for. A pace of the configuration, which is a test's or the demo's, shortens the pause. */
const pauseAfter = async ({ retryAfter }: ProviderError, signal: AbortSignal): Promise<void> => {
  const seconds = retryAfter ?? USUAL_PAUSE;
  const quick = config().searchPace ? 0.02 : 1;
  await sleep(seconds * 1000 * quick * (1 + Math.random() / 4), undefined, { signal });
};

/** Reads a page, with other tries after temporary failures, and by other accounts. Throws Stopped, or ProviderError. */
async function readPage(
  { input, signal }: FetchRun,
  keyword: string,
  page: number,
  accounts: Accounts,
): Promise<{ answer: SearchPage; account: SearchAccount }> {
  const { engine, region, device } = input;
  let tries = 0;
  let waits = 0;
  for (;;) {
    signal.throwIfAborted();
    const account = accounts.current();
    try {
      const call = searchCallOf('xmlriver', accounts.signal);
      const answer = await xmlriver.readPage(loginOf(account), { engine, keyword, region, device }, page, call);
      return { answer, account };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (isSpent(error)) {
        await accounts.drop(account, error);
        continue;
      }
      if (error.kind === 'rate_limited') waits += 1;
      else tries += 1;
      const isOver = tries >= TRIES || waits > MOST_WAITS;
      if (isOver || !(isTemporary(error) || error.kind === 'rate_limited')) throw error;
      await pauseAfter(error, signal);
    }
  }
}

/** Reads a page within the cap of the day. */
async function readPaid(
  run: FetchRun,
  keyword: string,
  page: number,
  journal: Journal,
  accounts: Accounts,
): ReturnType<typeof readPage> {
  journal.reserve();
  try {
    return await readPage(run, keyword, page, accounts);
  } catch (error) {
    journal.release();
    throw error;
  }
}

// Pages have fewer results than they should where other blocks stand among them. One more costs money without end.
const MOST_PAGES = 2;

/** Reads the pages of a query until all mains are found, no page follows, or the depth is reached; then stores it. */
async function readQuery(run: FetchRun, query: QueryOfDay, journal: Journal, accounts: Accounts): Promise<void> {
  const { depth, engine } = run.input;
  const mains = new Set(run.sought.flatMap(({ id, type }) => (type === 'main' ? [id] : [])));
  const urls: string[] = [];
  const known = new Set<string>();
  let requests = 0;
  let isLast = false;
  let isStuck = false;
  const take = (page: SearchPage): void => {
    requests += 1;
    isLast = page.isLast;
    const hasNew = page.urls.some((url) => !known.has(url));
    // A page without anything new is no further page, and says nothing of those that should follow.
    isStuck = !hasNew && !isLast;
    if (!hasNew) return;
    urls.push(...page.urls);
    for (const url of page.urls) known.add(url);
  };
  const isFound = (): boolean => {
    const found = new Set(placesIn(urls, run.sought).map(({ domain_id }) => domain_id));
    return mains.size > 0 && [...mains].every((id) => found.has(id));
  };
  const most = MOST_PAGES * Math.ceil(depth / PAGE_SIZE[engine]);
  const isOver = (): boolean => isLast || isStuck || urls.length >= depth || requests >= most || isFound();
  for (const page of journal.pagesOf(query.id)) take(page);
  while (!isOver()) {
    const { answer, account } = await readPaid(run, query.keyword, requests, journal, accounts);
    await journal.answered({ query_id: query.id, page: requests, ...answer }, account.id);
    take(answer);
  }
  // Past the last result nothing is missing: the whole depth was read.
  const read = isLast ? depth : Math.min(urls.length, depth);
  await journal.read({ query_id: query.id, urls: urls.slice(0, depth), depth: read, requests });
}

/** Reads what the first account has left, for the lists and their mark. A service that does not tell it is let alone. */
export async function keepBalance(signal: AbortSignal): Promise<void> {
  const [account] = await listSearchAccounts('xmlriver');
  if (!account) return;
  try {
    const call = searchCallOf('xmlriver', signal);
    await storeSearchBalance(account, await xmlriver.readBalance(loginOf(account), call));
  } catch (error) {
    if (!(error instanceof ProviderError) && !signal.aborted) throw error;
  }
}

/**
 * Reads the positions of queries over the accounts, by all their streams. Answered pages are stored at once, so that they are not
 * paid again after a crash. Returns why it stopped where queries are left.
 */
export async function readPositions(run: FetchRun): Promise<Message | null> {
  const [accounts, journal] = await Promise.all([openAccounts(run.signal), openJournal(run)]);
  const limit = pLimit(AT_ONCE);
  let stopped: Message | null = null;
  let broken: unknown;
  const fail = async (query: QueryOfDay, error: Message): Promise<void> => {
    await journal.failed(query.id, error);
    run.onRead(false);
  };
  const work = async (query: QueryOfDay): Promise<void> => {
    if (run.signal.aborted || broken !== undefined) return;
    try {
      if (stopped) await fail(query, stopped);
      else {
        await readQuery(run, query, journal, accounts);
        run.onRead(true);
      }
    } catch (error) {
      if (run.signal.aborted) return;
      if (error instanceof Stopped) stopped ??= error.told;
      const told = error instanceof Stopped ? error.told : messageFor(error);
      if (told) await fail(query, told);
      else broken = error;
    }
  };
  await Promise.all(run.queries.map((query) => limit(() => work(query))));
  await journal.close();
  if (broken !== undefined) throw broken;
  return stopped ?? (journal.hasFailed() ? { key: 'positions.some_open' } : null);
}
