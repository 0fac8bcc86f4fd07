// Of `node:crypto`: the global object would load the Web Crypto API as well.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, link, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DoubtfulList, FormerList, ListsBeside } from '../../shared/checks/blocklist.ts';
import type { TakenList } from '../../shared/checks/list-doubt.ts';
import type { Validators } from './fetch.ts';
import type { IndexMeta } from './index-layout.ts';
import { openIndex, type IndexFile } from './index-lookup.ts';
import { DAY_MS } from '../../shared/time.ts';

// The directory of the list: the current one as `list.idx`; former ones as `former-<version>.idx`; `doubtful.idx`, which waits
// for a person; the ledger of accepted lists; the source's last report of no change; the lock of a running update.
const pathsIn = (dir: string) => ({
  current: join(dir, 'list.idx'),
  doubtful: join(dir, 'doubtful.idx'),
  lists: join(dir, 'lists.json'),
  confirmed: join(dir, 'confirmed.json'),
});
const FORMER = /^former-(.+)\.idx$/;
const formerPath = (dir: string, version: string): string => join(dir, `former-${version}.idx`);

// Former lists to keep: the last two, and the last one of each of three days before. An index of the register has some 80 MB.
const KEPT = { last: 2, days: 3 };
const LEDGER_DAYS = 30;
const REFUSED_KEPT = 50;

interface Confirmation {
  list_version: string;
  fetched_at: string;
}

/** A list as the audit tells it. */
interface ToldList {
  list_version: string;
  names: number;
}

/**
 * The exchange of the current list, noted before it is made and until it is in the audit. `by` is who decided, as the caller gave
 * it; the outcome is looked up later, by the current list.
 */
export interface ListDecision {
  id: string;
  decided_at: string;
  by: object;
  action: 'update' | 'accept' | 'restore';
  before: ToldList | null;
  after: ToldList;
  outcome?: 'done' | 'failed';
}

/**
 * The accepted lists, in order (`taken`); the versions that a person has rolled back (`refused`), and how many names those block
 * since a person last accepted a list (`refused_totals`); the list that waits for a person (`doubt`); what the audit does not
 * have yet (`decisions`).
 */
export interface Ledger {
  taken: TakenList[];
  refused: string[];
  refused_totals: number[];
  doubt: (DoubtfulList & Validators) | null;
  decisions: ListDecision[];
}

/** Returns the path of the lock file of a running update. */
export const lockPath = (dir: string): string => join(dir, 'update.lock');

/** Returns a unique temporary path; the next update removes files that a crash leaves there. */
export const temporaryPath = (dir: string): string => join(dir, `${randomUUID()}.tmp`);

/** Removes files left by crashed updates and earlier versions. Call only while holding the lock. */
export async function removeLeftovers(dir: string): Promise<void> {
  const isLeft = (file: string): boolean => file.endsWith('.tmp') || file === 'list.previous.idx';
  const files = await readdir(dir);
  await Promise.all(files.filter(isLeft).map((file) => rm(join(dir, file), { force: true })));
}

/**
 * Opens the current list; its `fetched_at` includes confirmations. `missing`: none was loaded; `damaged`: it is incomplete. The
 * caller must close it.
 */
export function openList(dir: string): IndexFile | 'missing' | 'damaged' {
  const index = openIndex(pathsIn(dir).current);
  if (index === null) return 'missing';
  if (index === 'damaged') return index;
  const confirmation = readJson(pathsIn(dir).confirmed) as Confirmation | null;
  if (confirmation?.list_version === index.meta.list_version && confirmation.fetched_at > index.meta.fetched_at) {
    index.meta.fetched_at = confirmation.fetched_at;
  }
  return index;
}

/** Opens the list that waits for a person; null if there is none. */
export const openDoubtful = (dir: string): IndexFile | 'damaged' | null => openIndex(pathsIn(dir).doubtful);

/** Opens a former list; null if it is not kept. */
export const openFormer = (dir: string, version: string): IndexFile | 'damaged' | null =>
  openIndex(formerPath(dir, version));

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // Without the file only the current list is known, and its age counts from its import.
    return null;
  }
}

async function writeJson(dir: string, path: string, value: object): Promise<void> {
  const temporary = temporaryPath(dir);
  await writeFile(temporary, JSON.stringify(value), { flush: true });
  await rename(temporary, path);
}

/** Reads the ledger; empty if there is none. */
export function readLedger(dir: string): Ledger {
  const {
    taken = [],
    refused = [],
    refused_totals = [],
    doubt = null,
    decisions = [],
  } = (readJson(pathsIn(dir).lists) as Partial<Ledger> | null) ?? {};
  return { taken, refused, refused_totals, doubt, decisions };
}

/** Writes the ledger, without lists over 30 days old (except the last one and those kept as files). */
export async function writeLedger(
  dir: string,
  { taken, refused, refused_totals, doubt, decisions }: Ledger,
  now: Date,
): Promise<void> {
  const since = new Date(now.getTime() - LEDGER_DAYS * DAY_MS).toISOString();
  const kept = taken.filter(
    ({ taken_at, list_version }, index) =>
      taken_at > since || index === taken.length - 1 || existsSync(formerPath(dir, list_version)),
  );
  await writeJson(dir, pathsIn(dir).lists, {
    taken: kept,
    refused: refused.slice(-REFUSED_KEPT),
    refused_totals: refused_totals.slice(-REFUSED_KEPT),
    doubt,
    decisions,
  } satisfies Ledger);
}

/** Returns the list that a rollback of the current one would restore, and the one that waits for a person. */
export function readLists(dir: string, current: string | null): ListsBeside {
  const ledger = readLedger(dir);
  const former = formerOf(dir, ledger, current ?? ledger.taken.at(-1)?.list_version);
  if (ledger.doubt === null) return { doubt: null, former };
  const { etag: _etag, last_modified: _lastModified, ...doubt } = ledger.doubt;
  return { doubt, former };
}

function formerOf(dir: string, { taken, refused }: Ledger, current: string | undefined): FormerList | null {
  const found = taken.findLast(
    ({ list_version }) =>
      list_version !== current && !refused.includes(list_version) && existsSync(formerPath(dir, list_version)),
  );
  return found ? { list_version: found.list_version, total: found.total, taken_at: found.taken_at } : null;
}

/** Stores that the source has nothing newer than the current list. */
export async function confirmList(dir: string, { list_version }: IndexMeta, fetched_at: string): Promise<void> {
  await writeJson(dir, pathsIn(dir).confirmed, { list_version, fetched_at } satisfies Confirmation);
}

/** Puts an index aside, to wait for a person. It replaces one that already waits. */
export const putAside = (dir: string, index: string): Promise<void> => rename(index, pathsIn(dir).doubtful);

/** Deletes the list that waits for a person. */
export const dropDoubtful = (dir: string): Promise<void> => rm(pathsIn(dir).doubtful, { force: true });

/** Replaces the current index atomically; the current one is kept as a former one under the version `kept`, unless null. */
export async function replaceList(dir: string, index: string, kept: string | null): Promise<void> {
  const { current } = pathsIn(dir);
  if (kept !== null) await linkOrCopy(current, formerPath(dir, kept));
  await rename(index, current);
}

/** Replaces the current list by the one that waits for a person; `kept` as in `replaceList`. */
export const takeDoubtful = (dir: string, kept: string | null): Promise<void> =>
  replaceList(dir, pathsIn(dir).doubtful, kept);

/** Replaces the current list by a former one. */
export async function restoreFormer(dir: string, version: string): Promise<void> {
  const temporary = temporaryPath(dir);
  await linkOrCopy(formerPath(dir, version), temporary);
  await rename(temporary, pathsIn(dir).current);
}

/** Removes former lists except those in KEPT: the newest ones, and the newest of each of some days before. */
export async function pruneFormers(dir: string, { taken, refused }: Ledger): Promise<void> {
  const kept = new Set<string>();
  const days = new Set<string>();
  for (const { list_version, taken_at } of taken.slice(0, -1).toReversed()) {
    const day = taken_at.slice(0, 10);
    if (refused.includes(list_version) || kept.has(list_version)) continue;
    if (kept.size < KEPT.last) kept.add(list_version);
    else if (!days.has(day) && days.size < KEPT.days) {
      days.add(day);
      kept.add(list_version);
    }
  }
  for (const file of await readdir(dir)) {
    const version = FORMER.exec(file)?.[1];
    if (version !== undefined && !kept.has(version)) await rm(join(dir, file), { force: true });
  }
}

// Makes a hard link; if the file system has none, a copy.
async function linkOrCopy(from: string, to: string): Promise<void> {
  await rm(to, { force: true });
  try {
    await link(from, to);
  } catch {
    await copyFile(from, to);
  }
}
