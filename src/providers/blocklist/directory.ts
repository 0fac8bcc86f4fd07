import { existsSync, readFileSync } from 'node:fs';
import { copyFile, link, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DoubtfulList, FormerList, ListsBeside } from '../../shared/checks/blocklist.ts';
import type { TakenList } from '../../shared/checks/list-doubt.ts';
import type { Validators } from './fetch.ts';
import type { IndexMeta } from './index-layout.ts';
import { openIndex, type IndexFile } from './index-lookup.ts';

// The directory of the list: `list.idx`; the lists before it as `former-<version>.idx`; `doubtful.idx`, which waits for a
// person; what was taken over when; when the source last said that nothing has changed; the lock of a running update.
const pathsIn = (dir: string) => ({
  current: join(dir, 'list.idx'),
  doubtful: join(dir, 'doubtful.idx'),
  lists: join(dir, 'lists.json'),
  confirmed: join(dir, 'confirmed.json'),
});
const FORMER = /^former-(.+)\.idx$/;
const formerPath = (dir: string, version: string): string => join(dir, `former-${version}.idx`);

// An index of the whole register has some 80 MB: the last two, and the last one of three days before.
const KEPT = { last: 2, days: 3 };
const LEDGER_DAYS = 30;
const REFUSED_KEPT = 50;

interface Confirmation {
  list_version: string;
  fetched_at: string;
}

/**
 * What was taken over, in order; the versions that a person went back from, and how many names those had since a person has last
 * accepted one; the list that waits for a person.
 */
export interface Ledger {
  taken: TakenList[];
  refused: string[];
  refused_totals: number[];
  doubt: (DoubtfulList & Validators) | null;
}

/** The file that an update of the list holds. */
export const lockPath = (dir: string): string => join(dir, 'update.lock');

/** A path that no other update uses; the next update removes what a crash leaves there. */
export const temporaryPath = (dir: string): string => join(dir, `${crypto.randomUUID()}.tmp`);

/** Removes what updates that crashed, and earlier versions, have left. Only for the holder of the lock. */
export async function removeLeftovers(dir: string): Promise<void> {
  const isLeft = (file: string): boolean => file.endsWith('.tmp') || file === 'list.previous.idx';
  const files = await readdir(dir);
  await Promise.all(files.filter(isLeft).map((file) => rm(join(dir, file), { force: true })));
}

/**
 * Opens the current list; its `fetched_at` counts confirmations. `missing` where none was loaded, `damaged` where it is not
 * whole. Close it.
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

/** Opens the list that waits for a person. */
export const openDoubtful = (dir: string): IndexFile | 'damaged' | null => openIndex(pathsIn(dir).doubtful);

/** Opens a list that was the current one. */
export const openFormer = (dir: string, version: string): IndexFile | 'damaged' | null =>
  openIndex(formerPath(dir, version));

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // Without it the current list alone is known, and is as old as its reading.
    return null;
  }
}

async function writeJson(dir: string, path: string, value: object): Promise<void> {
  const temporary = temporaryPath(dir);
  await writeFile(temporary, JSON.stringify(value), { flush: true });
  await rename(temporary, path);
}

/** What the directory knows of its lists. Empty where nothing was kept yet. */
export function readLedger(dir: string): Ledger {
  const {
    taken = [],
    refused = [],
    refused_totals = [],
    doubt = null,
  } = (readJson(pathsIn(dir).lists) as Partial<Ledger> | null) ?? {};
  return { taken, refused, refused_totals, doubt };
}

/** Keeps the ledger, without what measures nothing any more. */
export async function writeLedger(
  dir: string,
  { taken, refused, refused_totals, doubt }: Ledger,
  now: Date,
): Promise<void> {
  const since = new Date(now.getTime() - LEDGER_DAYS * 86_400_000).toISOString();
  const kept = taken.filter(
    ({ taken_at, list_version }, index) =>
      taken_at > since || index === taken.length - 1 || existsSync(formerPath(dir, list_version)),
  );
  await writeJson(dir, pathsIn(dir).lists, {
    taken: kept,
    refused: refused.slice(-REFUSED_KEPT),
    refused_totals: refused_totals.slice(-REFUSED_KEPT),
    doubt,
  } satisfies Ledger);
}

/** The list that a rollback from the current one can give back, and what waits for a person. */
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

/** Notes that the source has nothing newer than the current list. */
export async function confirmList(dir: string, { list_version }: IndexMeta, fetched_at: string): Promise<void> {
  await writeJson(dir, pathsIn(dir).confirmed, { list_version, fetched_at } satisfies Confirmation);
}

/** Puts an index aside, to wait for a person. It takes the place of one that waits already. */
export const putAside = (dir: string, index: string): Promise<void> => rename(index, pathsIn(dir).doubtful);

/** Lets go of the list that waits for a person. */
export const dropDoubtful = (dir: string): Promise<void> => rm(pathsIn(dir).doubtful, { force: true });

/** Puts an index in the current one's place, at once; the current one, `kept`, stays as a former one. */
export async function replaceList(dir: string, index: string, kept: string | null): Promise<void> {
  const { current } = pathsIn(dir);
  if (kept !== null) await linkOrCopy(current, formerPath(dir, kept));
  await rename(index, current);
}

/** Puts the list that waits for a person in the current one's place. */
export const takeDoubtful = (dir: string, kept: string | null): Promise<void> =>
  replaceList(dir, pathsIn(dir).doubtful, kept);

/** Puts a former list back in the current one's place. */
export async function restoreFormer(dir: string, version: string): Promise<void> {
  const temporary = temporaryPath(dir);
  await linkOrCopy(formerPath(dir, version), temporary);
  await rename(temporary, pathsIn(dir).current);
}

/** Removes former lists beyond what is kept: the newest, and the newest of each of some days before. */
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

// A second name for the same file; where the file system has none, a copy.
async function linkOrCopy(from: string, to: string): Promise<void> {
  await rm(to, { force: true });
  try {
    await link(from, to);
  } catch {
    await copyFile(from, to);
  }
}
