import { deflateRawSync } from 'node:zlib';
import { transaction } from '../../../db/index.ts';
import { patiently } from '../../operations/failure.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { dayOf, placesIn } from '../../shared/positions/places.ts';
import type { SearchPageRow } from '../../shared/positions/tables.ts';
import type { FetchRun } from './fetch-run.ts';
import {
  deleteFailures,
  deletePages,
  listPages,
  listSought,
  replacePlaces,
  scopeOf,
  upsertDays,
  upsertFailures,
  upsertPages,
  type SoughtDomain,
} from './query-rows.ts';
import { addSpending } from './spending-rows.ts';
import { openPurse } from './spent.ts';

/** A page that was answered. */
interface AnsweredPage {
  query_id: number;
  page: number;
  urls: string[];
  isLast: boolean;
  read_at: string;
}

/** A query that was read to its end. `read_at`: when its first page was. */
interface ReadQuery {
  query_id: number;
  urls: string[];
  read_at: string | undefined;
  depth: number;
  requests: number;
}

/** Stores what a run is answered. Each method resolves once that is committed; what comes meanwhile is committed together. */
export interface Journal {
  /** Returns the pages of a query that were answered before and that its list can go on after, in their order. */
  pagesOf: (query_id: number) => AnsweredPage[];
  /** Returns the domains of the project as of the last commit. */
  sought: () => readonly SoughtDomain[];
  /** Takes one more request from the cap of the day. Throws AppError `refused` where the project has used it up. */
  reserve: () => void;
  /** Gives a request back that was not charged. */
  release: () => void;
  answered: (page: AnsweredPage, accountId: number) => Promise<void>;
  /** Counts a request that may have been charged though it was not answered. */
  lost: (accountId: number) => Promise<void>;
  read: (query: ReadQuery) => Promise<void>;
  failed: (query_id: number, error: Message) => Promise<void>;
  hasFailed: () => boolean;
  close: () => Promise<void>;
}

type Entry =
  | { kind: 'page'; page: AnsweredPage; accountId: number }
  | { kind: 'lost'; accountId: number }
  | { kind: 'read'; query: ReadQuery }
  | { kind: 'failed'; query_id: number; error: Message };

const ofKind = <K extends Entry['kind']>(entries: readonly Entry[], kind: K) =>
  entries.filter((entry): entry is Extract<Entry, { kind: K }> => entry.kind === kind);

/** Packs the results of a query for their column. */
const packed = (urls: readonly string[]): string => deflateRawSync(JSON.stringify(urls)).toString('base64');

/** Stores pages, and what they and lost requests have cost. Returns the number of these requests. */
async function storePages(run: FetchRun, entries: readonly Entry[]): Promise<number> {
  const { operation_id, input } = run;
  const pages = ofKind(entries, 'page');
  if (pages.length > 0) {
    await upsertPages(
      pages.map(({ page: { query_id, page, urls, isLast, read_at } }) => ({
        operation_id,
        query_id,
        page,
        urls: JSON.stringify(urls),
        is_last: Number(isLast),
        read_at,
      })),
    );
  }
  const paid = new Map<number, number>();
  const all = [...pages, ...ofKind(entries, 'lost')];
  for (const { accountId } of all) paid.set(accountId, (paid.get(accountId) ?? 0) + 1);
  const day = dayOf(Date.now());
  for (const [xmlriver_id, requests] of paid) {
    await addSpending({ project_id: input.project_id, day, xmlriver_id, requests });
  }
  return all.length;
}

async function storeRead(
  run: FetchRun,
  entries: readonly Extract<Entry, { kind: 'read' }>[],
  sought: readonly SoughtDomain[],
): Promise<void> {
  if (entries.length === 0) return;
  const checked_at = new Date().toISOString();
  const scope_id = await scopeOf(
    run.input.project_id,
    sought.map(({ id }) => id),
  );
  const days = entries.map(({ query: { query_id, urls, depth, requests, read_at } }) => ({
    query_id,
    day: dayOf(read_at ?? checked_at),
    depth,
    requests,
    source: 'xmlriver',
    checked_at,
    scope_id,
    results: packed(urls),
  }));
  await upsertDays(days);
  const places = entries.flatMap(({ query: { query_id, urls } }, index) =>
    placesIn(urls, sought).map((place) => Object.assign(place, { query_id, day: days[index]?.day ?? 0 })),
  );
  await replacePlaces(days, places);
  const ids = entries.map(({ query }) => query.query_id);
  await deletePages(run.operation_id, ids);
  await deleteFailures(run.operation_id, ids);
}

async function storeFailures(
  { operation_id }: FetchRun,
  entries: readonly Extract<Entry, { kind: 'failed' }>[],
): Promise<void> {
  if (entries.length === 0) return;
  const day = dayOf(Date.now());
  await upsertFailures(
    entries.map(({ query_id, error }) => ({ operation_id, query_id, day, error: JSON.stringify(error) })),
  );
}

// A list of results goes on after so long: that of a day, and one that is read over midnight.
const APART_MS = 3_600_000;

const pageOf = ({ query_id, page, urls, is_last, read_at }: SearchPageRow): AnsweredPage => ({
  query_id,
  page,
  urls: JSON.parse(urls) as string[],
  isLast: is_last === 1,
  read_at,
});

/**
 * Returns the pages after which a list can go on. A list belongs to the day on which its first page was read; on a later day it
 * goes on for an hour, then it begins anew, because results have moved between its pages. Of lists that were begun more than
 * once the pages of the last one count.
 */
function goingOn(pages: readonly SearchPageRow[]): AnsweredPage[] {
  const [first] = pages;
  const now = Date.now();
  if (!first?.read_at) return [];
  if (dayOf(first.read_at) !== dayOf(now) && now - Date.parse(first.read_at) > APART_MS) return [];
  const end = pages.findIndex(({ page, read_at }, index) => page !== index || read_at < first.read_at);
  return pages.slice(0, end < 0 ? pages.length : end).map(pageOf);
}

async function listKnown(operation_id: number): Promise<Map<number, SearchPageRow[]>> {
  const known = new Map<number, SearchPageRow[]>();
  for (const row of await listPages(operation_id)) {
    const pages = known.get(row.query_id);
    if (pages) pages.push(row);
    else known.set(row.query_id, [row]);
  }
  return known;
}

/** Opens the journal of a run, with what an earlier one was answered. It waits for our own storage until `late` fires. */
export async function openJournal(run: FetchRun, late: AbortSignal): Promise<Journal> {
  const { operation_id, input } = run;
  const known = await listKnown(operation_id);
  let sought = await listSought(input.project_id);
  const purse = await openPurse(input.project_id);
  let waiting: Entry[] = [];
  let writing: Promise<void> | null = null;
  let hasFailed = false;

  const write = async (): Promise<void> => {
    const entries = waiting;
    waiting = [];
    writing = null;
    const store = async (): Promise<{ paid: number; domains: SoughtDomain[] }> => {
      const domains = await listSought(input.project_id);
      const paid = await storePages(run, entries);
      await storeRead(run, ofKind(entries, 'read'), domains);
      await storeFailures(run, ofKind(entries, 'failed'));
      return { paid, domains };
    };
    const { paid, domains } = await patiently(() => transaction(store), late);
    sought = domains;
    await patiently(purse.refresh, late).finally(() => purse.release(paid));
  };
  let previous: Promise<void> = Promise.resolve();
  const commit = (entry: Entry): Promise<void> => {
    waiting.push(entry);
    writing ??= previous = previous.then(write);
    return writing;
  };

  return {
    pagesOf: (query_id) => goingOn(known.get(query_id) ?? []),
    sought: () => sought,
    reserve: purse.reserve,
    release: () => purse.release(),
    answered: (page, accountId) => commit({ kind: 'page', page, accountId }),
    lost: (accountId) => commit({ kind: 'lost', accountId }),
    read: (query) => commit({ kind: 'read', query }),
    failed: (query_id, error) => {
      hasFailed = true;
      return commit({ kind: 'failed', query_id, error });
    },
    hasFailed: () => hasFailed,
    close: async () => {
      // Its failure is that of the writes that wait for it.
      await previous.catch(() => undefined);
      purse.close();
    },
  };
}
