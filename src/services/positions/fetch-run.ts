import pLimit from 'p-limit';
import { graceful } from '../../lib/grace.ts';
import { messageFor } from '../../operations/failure.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { xmlriver } from '../../providers/search/xmlriver.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { PAGE_SIZE, placesIn } from '../../shared/positions/places.ts';
import { listSearchAccounts, searchCallOf, storeSearchBalance } from '../accounts/search-accounts.ts';
import type { FetchInput } from './fetch.ts';
import { loginOf, openAccounts, readPage, Stopped, type Accounts } from './fetch-page.ts';
import { openJournal, type Journal } from './fetch-store.ts';
import { findQueryState, type QueryOfProject } from './query-rows.ts';

/** A run of an operation. */
export interface FetchRun {
  operation_id: number;
  input: FetchInput;
  queries: readonly QueryOfProject[];
  /** Whether a query that was read at a time is done: another operation may have read it meanwhile. */
  isDone: (checkedAt: string | null) => boolean;
  signal: AbortSignal;
  /** Called for each query: it was read, or it can't be now. */
  onRead: (isRead: boolean) => void;
}

// More than the streams of an account, so that these are busy while some queries wait for another try.
const AT_ONCE = 30;

// An answer that is under way when the work stops is paid: it gets so long to come.
const GRACE_MS = 8_000;
// After a stop a received answer gets so long to be stored: another process may hold the lock of the database.
const STORE_GRACE_MS = 30_000;

// A page of an answer, with its time.
type ReadPage = Pick<Parameters<Journal['answered']>[0], 'urls' | 'isLast' | 'read_at'>;

/** Reads the pages of a query until all mains are found, no page follows, or the depth is reached; then stores it. */
async function readQuery(run: FetchRun, query: QueryOfProject, journal: Journal, accounts: Accounts): Promise<void> {
  const { depth, engine } = run.input;
  const urls: string[] = [];
  const known = new Set<string>();
  let read_at: string | undefined;
  let requests = 0;
  let isLast = false;
  let isStuck = false;
  const take = (page: ReadPage): void => {
    requests += 1;
    read_at ??= page.read_at;
    isLast = page.isLast;
    const hasNew = page.urls.some((url) => !known.has(url));
    // A page without anything new is no further page, and says nothing of those that should follow.
    isStuck = !hasNew && !isLast;
    if (!hasNew) return;
    urls.push(...page.urls);
    for (const url of page.urls) known.add(url);
  };
  // Pages with few results don't make a reading dearer than was told before it.
  const most = Math.ceil(depth / PAGE_SIZE[engine]);
  // The mains of now: they may have been moved since the last page.
  const isFound = (): boolean => {
    const sought = journal.sought();
    const mains = sought.filter(({ type }) => type === 'main');
    const found = new Set(placesIn(urls, sought).map(({ domain_id }) => domain_id));
    return mains.length > 0 && mains.every(({ id }) => found.has(id));
  };
  const isOver = (): boolean => isLast || isStuck || urls.length >= depth || requests >= most || isFound();
  for (const page of journal.pagesOf(query.id)) take(page);
  while (!isOver()) {
    const { answer, account } = await readPage(run, query.keyword, requests, accounts, journal);
    const page = { query_id: query.id, page: requests, ...answer, read_at: new Date().toISOString() };
    await journal.answered(page, account.id);
    take(page);
  }
  // Past the last result nothing is missing: the whole depth was read.
  const whole = { depth: isLast ? depth : Math.min(depth, urls.length), requests };
  await journal.read({ query_id: query.id, urls: urls.slice(0, depth), read_at, ...whole });
}

// The queries that are being read in this process, by their id.
const beingRead = new Map<number, Promise<void>>();

/** Reads a query, unless it is gone, or another operation has read it meanwhile. */
async function readOpen(run: FetchRun, query: QueryOfProject, journal: Journal, accounts: Accounts): Promise<void> {
  for (let other = beingRead.get(query.id); other; other = beingRead.get(query.id)) await other;
  const reading = async (): Promise<void> => {
    const state = await findQueryState(query.id);
    if (state && !run.isDone(state.done_at)) await readQuery(run, query, journal, accounts);
  };
  const mine = reading();
  beingRead.set(
    query.id,
    mine.catch(() => undefined),
  );
  try {
    await mine;
  } finally {
    beingRead.delete(query.id);
  }
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
  const [accounts, journal] = await Promise.all([
    openAccounts(graceful(run.signal, GRACE_MS)),
    openJournal(run, graceful(run.signal, STORE_GRACE_MS)),
  ]);
  const limit = pLimit(AT_ONCE);
  let stopped: Message | null = null;
  let broken: unknown;
  const fail = async (query: QueryOfProject, error: Message): Promise<void> => {
    await journal.failed(query.id, error);
    run.onRead(false);
  };
  const work = async (query: QueryOfProject): Promise<void> => {
    if (run.signal.aborted || broken !== undefined) return;
    try {
      if (stopped) await fail(query, stopped);
      else {
        await readOpen(run, query, journal, accounts);
        run.onRead(true);
      }
    } catch (error) {
      if (run.signal.aborted) return;
      if (error instanceof Stopped) stopped ??= error.told;
      const told = error instanceof Stopped ? error.told : messageFor(error);
      if (told) await fail(query, told).catch((trouble: unknown) => (broken ??= trouble));
      else broken ??= error;
    }
  };
  await Promise.all(run.queries.map((query) => limit(() => work(query))));
  await journal.close();
  if (run.signal.aborted) return null;
  if (broken !== undefined) throw broken;
  return stopped ?? (journal.hasFailed() ? { key: 'positions.some_open' } : null);
}
