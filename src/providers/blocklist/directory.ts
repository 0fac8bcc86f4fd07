import { readFileSync } from 'node:fs';
import { copyFile, link, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IndexMeta } from './index-layout.ts';
import { openIndex, type IndexFile } from './index-lookup.ts';

// The directory of the list: `list.idx`, the one before it, when its source last said that nothing has changed, and the
// lock of a running update.
const pathsIn = (dir: string) => ({
  current: join(dir, 'list.idx'),
  previous: join(dir, 'list.previous.idx'),
  confirmed: join(dir, 'confirmed.json'),
});

interface Confirmation {
  list_version: string;
  fetched_at: string;
}

/** The file that an update of the list holds. */
export const lockPath = (dir: string): string => join(dir, 'update.lock');

/** A path that no other update uses; the next update removes what a crash leaves there. */
export const temporaryPath = (dir: string): string => join(dir, `${crypto.randomUUID()}.tmp`);

/** Removes what updates that crashed have left. Only for the holder of the lock. */
export async function removeLeftovers(dir: string): Promise<void> {
  const files = await readdir(dir);
  await Promise.all(files.filter((file) => file.endsWith('.tmp')).map((file) => rm(join(dir, file), { force: true })));
}

/**
 * Opens the current list; its `fetched_at` counts confirmations. `missing` where none was loaded, `damaged` where it is not
 * whole. Close it.
 */
export function openList(dir: string): IndexFile | 'missing' | 'damaged' {
  const index = openIndex(pathsIn(dir).current);
  if (index === null) return 'missing';
  if (index === 'damaged') return index;
  const confirmation = readConfirmation(dir);
  if (confirmation?.list_version === index.meta.list_version && confirmation.fetched_at > index.meta.fetched_at) {
    index.meta.fetched_at = confirmation.fetched_at;
  }
  return index;
}

function readConfirmation(dir: string): Confirmation | null {
  try {
    return JSON.parse(readFileSync(pathsIn(dir).confirmed, 'utf8')) as Confirmation;
  } catch {
    // Without it the list is as old as its reading.
    return null;
  }
}

/** Notes that the source has nothing newer than the current list. */
export async function confirmList(dir: string, { list_version }: IndexMeta, fetched_at: string): Promise<void> {
  const temporary = temporaryPath(dir);
  await writeFile(temporary, JSON.stringify({ list_version, fetched_at } satisfies Confirmation), { flush: true });
  await rename(temporary, pathsIn(dir).confirmed);
}

/** Puts an index in the current one's place, at once; the current one, if it is whole, becomes the previous one. */
export async function replaceList(dir: string, index: string, keepPrevious: boolean): Promise<void> {
  const { current, previous } = pathsIn(dir);
  if (keepPrevious) await keep(current, previous);
  await rename(index, current);
}

// A second name for the same file; where the file system has none, a copy.
async function keep(current: string, previous: string): Promise<void> {
  await rm(previous, { force: true });
  try {
    await link(current, previous);
  } catch {
    await copyFile(current, previous);
  }
}
