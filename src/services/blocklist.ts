import { mkdir } from 'node:fs/promises';
import { lockPath, openList } from '../providers/blocklist/directory.ts';
import type { IndexMeta } from '../providers/blocklist/index-layout.ts';
import { UNKNOWN, type IndexFile } from '../providers/blocklist/index-lookup.ts';
import {
  BLOCKLIST_MAX_AGE_HOURS,
  type BlocklistMeta,
  type BlocklistProgress,
  type BlocklistStatus,
  type Verdict,
} from '../shared/blocklist.ts';
import { AppError } from '../shared/errors.ts';
import type { BlocklistSource } from './blocklist-update.ts';

const HOUR_MS = 3_600_000;

/** What is loaded in `dir`, and whether it still counts. Reads one page of the index. */
export async function blocklistStatus(dir: string, now = new Date()): Promise<BlocklistStatus> {
  const list = openList(dir);
  if (typeof list === 'string') {
    const nothing = { list_version: null, source: null, format: null, entries: null, unusable: null };
    return { state: list, age_hours: null, ...nothing, fetched_at: null, updated_at: null };
  }
  list.close();
  const age = ageHours(list.meta, now);
  const state = age > BLOCKLIST_MAX_AGE_HOURS ? 'stale' : 'fresh';
  return { state, age_hours: Math.round(age * 10) / 10, ...publicMeta(list.meta) };
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

/** Opens the list; null where there is no whole one or it is too old to give verdicts. Close it. */
export function openFresh(dir: string, now: Date): IndexFile | null {
  const list = openList(dir);
  if (typeof list === 'string') return null;
  if (ageHours(list.meta, now) <= BLOCKLIST_MAX_AGE_HOURS) return list;
  list.close();
  return null;
}

/**
 * Loads a list from a file or a URL in place of the current one, which is kept beside it. A list that can't be read, is
 * empty or has lost half of its entries is `refused`, and the current one stays as it was. One update at a time: `busy`.
 * A source that has nothing newer only renews `fetched_at`.
 */
export async function updateBlocklist(
  dir: string,
  source: BlocklistSource,
  onProgress: (progress: BlocklistProgress) => void = () => {},
): Promise<BlocklistMeta> {
  await mkdir(dir, { recursive: true });
  // A check of a few names must not wait for HTTP and the readers of all formats.
  const [{ replaceFrom }, { withLockFile }] = await Promise.all([
    import('./blocklist-update.ts'),
    import('../lib/lock-file.ts'),
  ]);
  const meta = await withLockFile(lockPath(dir), () => replaceFrom(dir, source, onProgress));
  if (meta === undefined) throw new AppError('busy', 'blocklist.busy');
  return publicMeta(meta);
}

// By the list's own date, or by its reading; and no list is younger than its reading, whatever date it carries.
function ageHours({ updated_at, fetched_at }: IndexMeta, now: Date): number {
  const read = Date.parse(fetched_at);
  const since = updated_at === null ? read : Math.min(Date.parse(updated_at), read);
  return Math.max(0, (now.getTime() - since) / HOUR_MS);
}

const publicMeta = ({ etag: _etag, last_modified: _lastModified, ...meta }: IndexMeta): BlocklistMeta => meta;
