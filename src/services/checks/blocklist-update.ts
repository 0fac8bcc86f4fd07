import { rm } from 'node:fs/promises';
import { crashPoint } from '../../lib/crash-point.ts';
import {
  confirmList,
  dropDoubtful,
  openDoubtful,
  openFormer,
  openList,
  pruneFormers,
  putAside,
  readLedger,
  readLists,
  removeLeftovers,
  replaceList,
  restoreFormer,
  takeDoubtful,
  temporaryPath,
  writeLedger,
  type Ledger,
} from '../../providers/blocklist/directory.ts';
import type { Validators } from '../../providers/blocklist/fetch.ts';
import type { Imported } from '../../providers/blocklist/import.ts';
import type { IndexMeta } from '../../providers/blocklist/index-layout.ts';
import type { IndexFile } from '../../providers/blocklist/index-lookup.ts';
import type { BlocklistEntries, DoubtfulList } from '../../shared/checks/blocklist.ts';
import { AppError } from '../../shared/errors.ts';
import { doubtOf, isAsLong, type Doubt, type TakenList } from '../../shared/checks/list-doubt.ts';
import { decided } from './list-decisions.ts';
import {
  type BlocklistSource,
  type Progress,
  originOf,
  readList,
  NO_VALIDATORS,
  fetchFrom,
} from './blocklist-source.ts';

/** Does the work of `updateBlocklist`. The caller holds the directory's lock. */
export async function replaceFrom(dir: string, source: BlocklistSource, onProgress: Progress): Promise<IndexMeta> {
  const origin = originOf(source);
  const now = source.now ?? new Date();
  const fetched_at = now.toISOString();
  await removeLeftovers(dir);
  const download = temporaryPath(dir);
  const index = temporaryPath(dir);
  const path = 'url' in origin ? download : origin.file;
  const read = ({ etag, last_modified }: Validators): Promise<Imported> => {
    const request = { path, index, source: origin.name, fetched_at, etag, last_modified };
    return readList(request, source.apart ?? false, onProgress);
  };
  try {
    // A local file is read at the same time as the current list.
    const isAtHand = 'file' in origin && !origin.isUrl;
    const [current, early] = await Promise.all([currentMeta(dir), isAtHand ? read(NO_VALIDATORS) : undefined]);
    const ledger = await withWholeDoubt(dir, ledgerOf(dir, current), now);
    // The clock was set back since the last fetch: only a full fetch gives the list its right age.
    const isAhead = current !== null && current.fetched_at > fetched_at;
    // Validators only mean something to the source that sent them. Its last answer counts, even if that list is in
    // doubt.
    const known = isAhead
      ? undefined
      : [source.accept ? null : ledger.doubt, current].find((list) => list?.source === origin.name);
    const fetched = await fetchFrom(origin, download, known ?? NO_VALIDATORS, onProgress, source.ending);
    if (fetched.status === 'unchanged' && known) {
      if (known === current) await confirmList(dir, current, fetched_at);
      else if (ledger.doubt) throw await stillInDoubt(dir, ledger, ledger.doubt, now);
      return { ...(current ?? (known as IndexMeta)), fetched_at };
    }
    const imported = early ?? (await read(fetched.status === 'new' ? fetched : NO_VALIDATORS));
    if (imported.problem !== null) {
      const counts = { found: imported.found, current: current === null ? 0 : total(current.entries) };
      throw new AppError('refused', `blocklist.${imported.problem}`, counts);
    }
    const { meta } = imported;
    const doubt = source.accept ? null : judge(meta, current, ledger, now);
    if (doubt) throw await keepForPerson(dir, index, ledger, { ...meta, ...doubt }, now);
    const judged = source.accept ? { judged: true as const } : {};
    const noted = decided(ledger, { action: source.accept ? 'accept' : 'update', current, next: meta, now });
    await take(dir, noted, { ...takenOf(meta, now), ...judged }, now);
    crashPoint('blocklist:noted');
    await replaceList(dir, index, current && current.list_version !== meta.list_version ? current.list_version : null);
    if (isAhead) await confirmList(dir, meta, fetched_at);
    await pruneFormers(dir, readLedger(dir));
    return meta;
  } finally {
    await Promise.all([rm(download, { force: true }), rm(index, { force: true })]);
  }
}

/** Does the work of `acceptBlocklist`. The caller holds the directory's lock. */
export async function acceptDoubtful(dir: string, now: Date, seen?: string): Promise<IndexMeta> {
  const current = await currentMeta(dir);
  const ledger = ledgerOf(dir, current);
  const meta = await wholeMeta(openDoubtful(dir));
  if (ledger.doubt === null) throw new AppError('conflict', 'blocklist.no_doubt');
  if (meta === null) throw new AppError('conflict', 'blocklist.doubt_damaged');
  refuseOther(seen, meta.list_version);
  const noted = decided(ledger, { action: 'accept', current, next: meta, now });
  await take(dir, noted, { ...takenOf(meta, now), judged: true }, now);
  crashPoint('blocklist:noted');
  await takeDoubtful(dir, current?.list_version ?? null);
  crashPoint('blocklist:switched');
  await pruneFormers(dir, readLedger(dir));
  return meta;
}

/** Does the work of `rollBackBlocklist`. The caller holds the directory's lock. */
export async function rollBack(dir: string, now: Date, seen?: string): Promise<IndexMeta> {
  const current = await currentMeta(dir);
  const ledger = ledgerOf(dir, current);
  const { former } = readLists(dir, current?.list_version ?? null);
  const meta = former && (await wholeMeta(openFormer(dir, former.list_version)));
  if (!former || !meta) throw new AppError('conflict', 'blocklist.no_former');
  refuseOther(seen, former.list_version);
  // A damaged current list is not refused: it may come again undamaged.
  const refused = current === null ? ledger.refused : [...ledger.refused, current.list_version];
  const refused_totals =
    current === null ? ledger.refused_totals : [...ledger.refused_totals, blocking(current.entries)];
  const taken: TakenList[] = [...ledger.taken, { ...takenOf(meta, now), judged: true }];
  const noted = decided(ledger, { action: 'restore', current, next: meta, now });
  await writeLedger(dir, { ...noted, taken, refused, refused_totals }, now);
  crashPoint('blocklist:noted');
  await restoreFormer(dir, former.list_version);
  await pruneFormers(dir, readLedger(dir));
  return meta;
}

/** Throws AppError `conflict` for a decision about another list than the one that the person has seen. */
function refuseOther(seen: string | undefined, found: string): void {
  if (seen !== undefined && seen !== found) throw new AppError('conflict', 'blocklist.other_list');
}

const takenOf = ({ list_version, entries }: IndexMeta, now: Date): TakenList => ({
  list_version,
  total: total(entries),
  blocking: blocking(entries),
  taken_at: now.toISOString(),
});

/**
 * Returns the ledger of lists; an empty one begins with the current list. Lists of earlier versions, which don't tell how many
 * names they block, have had as many others as the current one.
 */
function ledgerOf(dir: string, current: IndexMeta | null): Ledger {
  const ledger = readLedger(dir);
  if (current === null) return ledger;
  if (ledger.taken.length === 0) return { ...ledger, taken: [takenOf(current, new Date(current.fetched_at))] };
  const { url } = current.entries;
  for (const list of ledger.taken) list.blocking ??= Math.max(0, list.total - url);
  return ledger;
}

/** Returns the ledger without a list in doubt that nobody could accept: its file is damaged, so its source has to send it again. */
async function withWholeDoubt(dir: string, ledger: Ledger, now: Date): Promise<Ledger> {
  if (ledger.doubt === null) return ledger;
  const meta = await wholeMeta(openDoubtful(dir));
  if (meta?.list_version === ledger.doubt.list_version) return ledger;
  const without = { ...ledger, doubt: null };
  await dropDoubtful(dir);
  await writeLedger(dir, without, now);
  return without;
}

/**
 * Notes a list as taken over, before it is: if a crash comes between, the next list is measured too strictly at most.
 */
async function take(dir: string, ledger: Ledger, list: TakenList, now: Date): Promise<void> {
  const refused = ledger.refused.filter((version) => version !== list.list_version);
  const isSame = ledger.taken.at(-1)?.list_version === list.list_version;
  const taken = isSame && !list.judged ? ledger.taken : [...ledger.taken, list];
  const refused_totals = list.judged ? [] : ledger.refused_totals;
  await writeLedger(dir, { ...ledger, taken, refused, refused_totals, doubt: null }, now);
  if (ledger.doubt?.list_version !== list.list_version) await dropDoubtful(dir);
}

function judge(meta: IndexMeta, current: IndexMeta | null, ledger: Ledger, now: Date): Doubt | null {
  const found = blocking(meta.entries);
  const isAnother = meta.list_version !== current?.list_version;
  if (ledger.refused.includes(meta.list_version) || (isAnother && isAsLong(found, ledger.refused_totals))) {
    return { reason: 'given_back', found, expected: current === null ? 0 : blocking(current.entries) };
  }
  return isAnother ? doubtOf(found, ledger.taken, now.getTime()) : null;
}

/** Puts a list aside for a person, and returns the AppError that says so. */
async function keepForPerson(
  dir: string,
  index: string,
  ledger: Ledger,
  { list_version, source, reason, found, expected, fetched_at, etag, last_modified }: IndexMeta & Doubt,
  now: Date,
): Promise<AppError> {
  const doubt = { list_version, source, reason, found, expected, fetched_at, etag, last_modified };
  await putAside(dir, index);
  await writeLedger(dir, { ...ledger, doubt }, now);
  return inDoubt(doubt);
}

async function stillInDoubt(
  dir: string,
  ledger: Ledger,
  doubt: NonNullable<Ledger['doubt']>,
  now: Date,
): Promise<AppError> {
  await writeLedger(dir, { ...ledger, doubt: { ...doubt, fetched_at: now.toISOString() } }, now);
  return inDoubt(doubt);
}

const inDoubt = ({ reason, found, expected }: DoubtfulList): AppError =>
  new AppError('refused', `blocklist.${reason}`, { found, current: expected }, { code: 'list_in_doubt' });

// A damaged list must not be confirmed by a source that has nothing newer.
const currentMeta = (dir: string): Promise<IndexMeta | null> => wholeMeta(openList(dir));

async function wholeMeta(list: IndexFile | string | null): Promise<IndexMeta | null> {
  if (list === null || typeof list === 'string') return null;
  try {
    return (await list.isWhole()) ? list.meta : null;
  } finally {
    list.close();
  }
}

const total = ({ exact, mask, url }: BlocklistEntries): number => exact + mask + url;
const blocking = ({ exact, mask }: BlocklistEntries): number => exact + mask;
