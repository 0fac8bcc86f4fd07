import { deflateRawSync } from 'node:zlib';
import { transaction } from '../../../db/index.ts';
import { patiently } from '../../operations/failure.ts';
import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { dayOf, placesIn } from '../../shared/positions/places.ts';
import type { SearchPageRow } from '../../shared/positions/tables.ts';
import type { FetchRun } from './fetch-run.ts';
import {
  deleteFailures,
  deletePages,
  insertPages,
  listPages,
  replacePlaces,
  upsertDays,
  upsertFailures,
} from './query-rows.ts';
import { settingsOf } from './settings.ts';
import { addSpending, countSpent } from './spending-rows.ts';

/** A page that was answered. */
interface AnsweredPage {
  query_id: number;
  page: number;
  urls: string[];
  isLast: boolean;
}

/** A query that was read to its end. */
interface ReadQuery {
  query_id: number;
  urls: string[];
  depth: number;
  requests: number;
}

/** Stores what a run is answered. Each method resolves once that is committed; what comes meanwhile is committed together. */
export interface Journal {
  /** Returns the pages of a query that were answered before, in their order. */
  pagesOf: (query_id: number) => AnsweredPage[];
  /** Takes one more request from the cap of the day. Throws AppError `refused` where the project has used it up. */
  reserve: () => void;
  /** Gives a request back that was not charged. */
  release: () => void;
  answered: (page: AnsweredPage, accountId: number) => Promise<void>;
  read: (query: ReadQuery) => Promise<void>;
  failed: (query_id: number, error: Message) => Promise<void>;
  hasFailed: () => boolean;
  close: () => Promise<void>;
}

type Entry =
  | { kind: 'page'; page: AnsweredPage; accountId: number }
  | { kind: 'read'; query: ReadQuery }
  | { kind: 'failed'; query_id: number; error: Message };

const ofKind = <K extends Entry['kind']>(entries: readonly Entry[], kind: K) =>
  entries.filter((entry): entry is Extract<Entry, { kind: K }> => entry.kind === kind);

/** Packs the results of a query for their column. */
const packed = (urls: readonly string[]): string => deflateRawSync(JSON.stringify(urls)).toString('base64');

async function storePages(run: FetchRun, pages: readonly Extract<Entry, { kind: 'page' }>[]): Promise<void> {
  const { operation_id, input } = run;
  if (pages.length === 0) return;
  await insertPages(
    pages.map(({ page: { query_id, page, urls, isLast } }) => ({
      operation_id,
      query_id,
      page,
      urls: JSON.stringify(urls),
      is_last: Number(isLast),
    })),
  );
  const paid = new Map<number, number>();
  for (const { accountId } of pages) paid.set(accountId, (paid.get(accountId) ?? 0) + 1);
  const day = dayOf(Date.now());
  for (const [xmlriver_id, requests] of paid) {
    await addSpending({ project_id: input.project_id, day, xmlriver_id, requests });
  }
}

async function storeRead(run: FetchRun, entries: readonly Extract<Entry, { kind: 'read' }>[]): Promise<void> {
  const { day } = run.input;
  if (entries.length === 0) return;
  const checked_at = new Date().toISOString();
  const days = entries.map(({ query: { query_id, urls, depth, requests } }) => ({
    query_id,
    day,
    depth,
    requests,
    source: 'xmlriver',
    checked_at,
    scope_id: run.scope_id,
    results: packed(urls),
  }));
  await upsertDays(days);
  const places = entries.flatMap(({ query: { query_id, urls } }) =>
    placesIn(urls, run.sought).map((place) => Object.assign(place, { query_id, day })),
  );
  await replacePlaces(days, places);
  const ids = entries.map(({ query }) => query.query_id);
  await deletePages(run.operation_id, ids);
  await deleteFailures(run.operation_id, ids);
}

/** Paid requests of a project on a day, those under way included. The readings of this process share it while there are any. */
interface Spent {
  day: number;
  requests: number;
  readings: number;
}

const spentBy = new Map<number, Spent>();

/** Returns what a project has spent today, with what other processes have stored meanwhile. */
async function spentOf(projectId: number): Promise<Spent> {
  const day = dayOf(Date.now());
  const stored = await countSpent(projectId, day);
  const known = spentBy.get(projectId);
  if (known?.day === day) {
    known.requests = Math.max(known.requests, stored);
    return known;
  }
  const spent = { day, requests: stored, readings: known?.readings ?? 0 };
  spentBy.set(projectId, spent);
  return spent;
}

/** Counts a reading out; with the last one, what was spent is what is stored. */
function leave(projectId: number): void {
  const spent = spentBy.get(projectId);
  if (spent) spent.readings -= 1;
  if (spent && spent.readings <= 0) spentBy.delete(projectId);
}

/** Opens the journal of a run, with what an earlier one was answered. */
export async function openJournal(run: FetchRun): Promise<Journal> {
  const { operation_id, input } = run;
  const known = new Map<number, SearchPageRow[]>();
  for (const row of await listPages(operation_id)) {
    const pages = known.get(row.query_id);
    if (pages) pages.push(row);
    else known.set(row.query_id, [row]);
  }
  const { daily_cap } = await settingsOf(input.project_id);
  let spent = await spentOf(input.project_id);
  spent.readings += 1;
  let waiting: Entry[] = [];
  let writing: Promise<void> | null = null;
  let hasFailed = false;

  const write = async (): Promise<void> => {
    const entries = waiting;
    waiting = [];
    writing = null;
    const store = async (): Promise<void> => {
      await storePages(run, ofKind(entries, 'page'));
      await storeRead(run, ofKind(entries, 'read'));
      const failures = ofKind(entries, 'failed').map(({ query_id, error }) => ({
        operation_id,
        query_id,
        day: input.day,
        error: JSON.stringify(error),
      }));
      if (failures.length > 0) await upsertFailures(failures);
    };
    await patiently(() => transaction(store), run.signal);
    spent = await spentOf(input.project_id);
  };
  let previous: Promise<void> = Promise.resolve();
  const commit = (entry: Entry): Promise<void> => {
    waiting.push(entry);
    writing ??= previous = previous.then(write);
    return writing;
  };

  return {
    pagesOf: (query_id) =>
      (known.get(query_id) ?? []).map(({ page, urls, is_last }) => ({
        query_id,
        page,
        urls: JSON.parse(urls) as string[],
        isLast: is_last === 1,
      })),
    reserve: () => {
      if (spent.requests >= daily_cap) throw new AppError('refused', 'positions.cap', { cap: daily_cap });
      spent.requests += 1;
    },
    release: () => {
      spent.requests -= 1;
    },
    answered: (page, accountId) => commit({ kind: 'page', page, accountId }),
    read: (query) => commit({ kind: 'read', query }),
    failed: (query_id, error) => {
      hasFailed = true;
      return commit({ kind: 'failed', query_id, error });
    },
    hasFailed: () => hasFailed,
    close: async () => {
      leave(input.project_id);
      await previous;
    },
  };
}
