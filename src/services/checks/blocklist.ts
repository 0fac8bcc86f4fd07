import { mkdir } from 'node:fs/promises';
import { lockPath, openList, readLedger, readLists } from '../../providers/blocklist/directory.ts';
import type { IndexMeta } from '../../providers/blocklist/index-layout.ts';
import { UNKNOWN, type IndexFile } from '../../providers/blocklist/index-lookup.ts';
import {
  BLOCKLIST_MAX_AGE_HOURS,
  type BlocklistMeta,
  type BlocklistProgress,
  type BlocklistStatus,
  type Verdict,
} from '../../shared/checks/blocklist.ts';
import { AppError } from '../../shared/errors.ts';
import type { BlocklistSource } from './blocklist-source.ts';

const HOUR_MS = 3_600_000;

/** Returns the status of the list in `dir`, and of the lists that wait for a person. Reads one page of the index. */
export async function blocklistStatus(dir: string, now = new Date()): Promise<BlocklistStatus> {
  const list = openList(dir);
  if (typeof list !== 'string') list.close();
  return statusOf(dir, list, now);
}

/**
 * Returns verdicts for host names, in the order asked. All are `unknown` where there is no whole list or it is too old;
 * a text that is no host name is `unknown`, too.
 */
export async function checkBlocklist(dir: string, hosts: string[], now = new Date()): Promise<Verdict[]> {
  const list = openFresh(dir, now);
  try {
    return (await list?.check(hosts)) ?? hosts.map(() => UNKNOWN);
  } finally {
    list?.close();
  }
}

/**
 * Returns verdicts and the status of the very list that they come from. The verdicts are null where the list is
 * missing, stale or damaged.
 */
export async function lookUpHosts(
  dir: string,
  hosts: string[],
  now = new Date(),
): Promise<{ list: BlocklistStatus; verdicts: Verdict[] | null }> {
  const index = openList(dir);
  const list = statusOf(dir, index, now);
  if (typeof index === 'string') return { list, verdicts: null };
  try {
    return { list, verdicts: list.state === 'fresh' ? await index.check(hosts) : null };
  } finally {
    index.close();
  }
}

function statusOf(dir: string, list: IndexFile | 'missing' | 'damaged', now: Date): BlocklistStatus {
  const waiting = readLists(dir, typeof list === 'string' ? null : list.meta.list_version);
  if (typeof list === 'string') {
    const nothing = { list_version: null, source: null, format: null, entries: null, unusable: null };
    return { state: list, age_hours: null, ...nothing, fetched_at: null, updated_at: null, ...waiting };
  }
  const age = ageHours(list.meta, now);
  const state = age > BLOCKLIST_MAX_AGE_HOURS ? 'stale' : 'fresh';
  // In the order of a list that is not there: the columns of CSV do not depend on it.
  const { list_version, source, format, entries, unusable, fetched_at, updated_at, ...rest } = publicMeta(list.meta);
  const known = { list_version, source, format, entries, unusable, fetched_at, updated_at, ...rest };
  return { state, age_hours: Math.round(age * 10) / 10, ...known, ...waiting };
}

/** Returns the version of the current list; null where there is no whole one. Reads one page of the index. */
export function currentVersion(dir: string): string | null {
  const list = openList(dir);
  if (typeof list === 'string') return null;
  list.close();
  return list.meta.list_version;
}

/** Whether a person has gone back to this list from the one before it, and none was taken since. */
export function isRestored(dir: string, version: string): boolean {
  const { taken, refused } = readLedger(dir);
  const [last, before] = taken.toReversed();
  return last?.list_version === version && before !== undefined && refused.includes(before.list_version);
}

/**
 * Names the exchange that has made the current list the current one: the same list that comes again later has another name. As long as
 * the name is the same, work that began under it has read no other list.
 */
export const currentExchange = (dir: string): string =>
  // Both, because the ledger is written before the exchange is made.
  `${currentVersion(dir)} ${readLedger(dir).taken.at(-1)?.taken_at}`;

/** Whether the current list's source answers conditional requests: then "nothing new" costs a few bytes. */
export function isConditional(dir: string): boolean {
  const list = openList(dir);
  if (typeof list === 'string') return false;
  list.close();
  return list.meta.etag !== null || list.meta.last_modified !== null;
}

/** Opens the list; null where there is no whole one or it is too old to give verdicts. The caller closes it. */
export function openFresh(dir: string, now: Date): IndexFile | null {
  const list = openList(dir);
  if (typeof list === 'string') return null;
  if (ageHours(list.meta, now) <= BLOCKLIST_MAX_AGE_HOURS) return list;
  list.close();
  return null;
}

/**
 * Replaces the current list, which is kept beside it, by one from a file or a URL. A source that has nothing newer only
 * renews `fetched_at`. Throws AppError `refused`, and leaves the current list, where the new one can't be read, is
 * empty, or differs too much from those of the last seven days (that one waits for `acceptBlocklist`); `busy` during
 * another update.
 */
export async function updateBlocklist(
  dir: string,
  source: BlocklistSource,
  onProgress: (progress: BlocklistProgress) => void = () => {},
): Promise<BlocklistMeta> {
  // A check of a few names must not wait for HTTP and the readers of all formats.
  const { replaceFrom } = await import('./blocklist-update.ts');
  return publicMeta(await alone(dir, () => replaceFrom(dir, source, onProgress)));
}

/**
 * Makes the list that waits for a person the current one; later lists are no longer measured by those before it. Throws
 * AppError `conflict` where none waits, or another one than `seen`; `busy` during another update.
 */
export async function acceptBlocklist(dir: string, now = new Date(), seen?: string): Promise<BlocklistMeta> {
  const { acceptDoubtful } = await import('./blocklist-update.ts');
  return publicMeta(await alone(dir, () => acceptDoubtful(dir, now, seen)));
}

/**
 * Makes the former list the current one, as old as it is. The replaced list is not taken again unless a person accepts
 * it. Throws AppError `conflict` where there is no whole former list, or it is another one than `seen`: of two people
 * who decide at once, the second would go back by two lists. Throws `busy` during an update.
 */
export async function rollBackBlocklist(dir: string, now = new Date(), seen?: string): Promise<BlocklistMeta> {
  const { rollBack } = await import('./blocklist-update.ts');
  return publicMeta(await alone(dir, () => rollBack(dir, now, seen)));
}

/** Runs work under the directory's lock. Throws AppError `busy` where another process holds it, `unavailable` where the disk is full. */
async function alone<T>(dir: string, work: () => Promise<T>): Promise<T> {
  const { withLockFile } = await import('../../lib/lock-file.ts');
  const result = await mkdir(dir, { recursive: true })
    .then(() => withLockFile(lockPath(dir), work))
    .catch(async (error: unknown) => {
      // Only then: it is built together with the database, which a list does not need.
      const { fullDisk } = await import('../../lib/disk.ts');
      throw fullDisk(error) ?? error;
    });
  if (result === undefined) throw new AppError('busy', 'blocklist.busy');
  return result;
}

// The age by the list's own date, but never less than since its last fetch. A fetch in the future was noted before the
// clock was set back: without `abs` the list would look fresh until then.
function ageHours({ updated_at, fetched_at }: IndexMeta, now: Date): number {
  const read = Date.parse(fetched_at);
  const since = updated_at === null ? read : Math.min(Date.parse(updated_at), read);
  return Math.abs(now.getTime() - since) / HOUR_MS;
}

const publicMeta = ({ etag: _etag, last_modified: _lastModified, ...meta }: IndexMeta): BlocklistMeta => meta;
