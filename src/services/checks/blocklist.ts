import { mkdir } from 'node:fs/promises';
import { lockPath, openList, readLists } from '../../providers/blocklist/directory.ts';
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
import type { BlocklistSource } from './blocklist-update.ts';

const HOUR_MS = 3_600_000;

/** What is loaded in `dir`, whether it counts, and what waits for a person. Reads one page of the index. */
export async function blocklistStatus(dir: string, now = new Date()): Promise<BlocklistStatus> {
  const list = openList(dir);
  if (typeof list !== 'string') list.close();
  return statusOf(dir, list, now);
}

/**
 * Verdicts for host names, in the order asked. All are `unknown` where there is no whole list or it is too old; what is no
 * host name is `unknown` too.
 */
export async function checkBlocklist(dir: string, hosts: string[], now = new Date()): Promise<Verdict[]> {
  const list = openFresh(dir, now);
  try {
    return (await list?.check(hosts)) ?? hosts.map(() => UNKNOWN);
  } finally {
    list?.close();
  }
}

/** Verdicts, and the very list that they come from. They are null where it does not count, or turns out to be damaged. */
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
  return { state, age_hours: Math.round(age * 10) / 10, ...publicMeta(list.meta), ...waiting };
}

/** Whether the current list's source says in a few bytes that it has nothing newer. */
export function isConditional(dir: string): boolean {
  const list = openList(dir);
  if (typeof list === 'string') return false;
  list.close();
  return list.meta.etag !== null || list.meta.last_modified !== null;
}

/** Opens the list; null where there is no whole one or it is too old to give verdicts. Close it. */
export function openFresh(dir: string, now: Date): IndexFile | null {
  const list = openList(dir);
  if (typeof list === 'string') return null;
  if (ageHours(list.meta, now) <= BLOCKLIST_MAX_AGE_HOURS) return list;
  list.close();
  return null;
}

/**
 * Loads a list from a file or a URL in place of the current one, which is kept beside it. A list that can't be read or is
 * empty is `refused`, and so is one that differs too much from those of the last seven days; that one waits for
 * `acceptBlocklist`. The current one stays as it was. One update at a time: `busy`. A source that has nothing newer only renews
 * `fetched_at`.
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
 * Takes the list over that waits for a person; what is measured by the lists before it begins anew. 409 where none waits, or
 * another one than `seen`.
 */
export async function acceptBlocklist(dir: string, now = new Date(), seen?: string): Promise<BlocklistMeta> {
  const { acceptDoubtful } = await import('./blocklist-update.ts');
  return publicMeta(await alone(dir, () => acceptDoubtful(dir, now, seen)));
}

/**
 * Puts the former list back; the one that it replaces is not taken again unless a person accepts it. It is as old as it was.
 * 409 where there is no whole former list, or it is another one than `seen`: of two people who decide at once, the second would
 * go back by two lists.
 */
export async function rollBackBlocklist(dir: string, now = new Date(), seen?: string): Promise<BlocklistMeta> {
  const { rollBack } = await import('./blocklist-update.ts');
  return publicMeta(await alone(dir, () => rollBack(dir, now, seen)));
}

/** Runs work on the directory while no other process does. */
async function alone<T>(dir: string, work: () => Promise<T>): Promise<T> {
  const { withLockFile } = await import('../../lib/lock-file.ts');
  await mkdir(dir, { recursive: true });
  const result = await withLockFile(lockPath(dir), work);
  if (result === undefined) throw new AppError('busy', 'blocklist.busy');
  return result;
}

// By the list's own date, or by its reading; and no list is younger than its reading, whatever date it carries. A reading that is
// still to come was noted before the clock was set back: so far off, it would make the list look fresh until then.
function ageHours({ updated_at, fetched_at }: IndexMeta, now: Date): number {
  const read = Date.parse(fetched_at);
  const since = updated_at === null ? read : Math.min(Date.parse(updated_at), read);
  return Math.abs(now.getTime() - since) / HOUR_MS;
}

const publicMeta = ({ etag: _etag, last_modified: _lastModified, ...meta }: IndexMeta): BlocklistMeta => meta;
