import { buildIndex } from './index-build.ts';
import type { IndexMeta } from './index-layout.ts';
import { createIndex } from './index-write.ts';
import type { ListProblem } from './name-store.ts';
import { parseList } from './parse.ts';

/** A list to import: its file, the path of the new index, and its metadata. */
export interface ImportRequest extends Pick<IndexMeta, 'source' | 'fetched_at' | 'etag' | 'last_modified'> {
  path: string;
  index: string;
}

/** Result of an import; with a problem, the number of names found before it. */
export type Imported = { problem: null; meta: IndexMeta } | { problem: ListProblem | 'empty'; found: number };

/** Reads a list and writes its index. Takes a quarter of a second of CPU time for a million names. Throws errors of the file system. */
export async function importList(
  { path, index, ...known }: ImportRequest,
  onBytes: (bytes: number) => void,
): Promise<Imported> {
  const list = await parseList(path, onBytes);
  if (list.problem !== null) return { problem: list.problem, found: list.rows };
  if (list.rows === 0) return { problem: 'empty', found: 0 };
  const { format, updated_at, unusable } = list;
  const file = await createIndex(index, list.names);
  try {
    const body = buildIndex(list);
    // Plain lists are made of lists with masks, whose marks they leave out.
    if (format === 'list' && body.entries.mask === 0) {
      const { markParents } = await import('./index-parents.ts');
      markParents(body, list.names);
    }
    return { problem: null, meta: await file.finish(body, { ...known, format, updated_at, unusable }) };
  } finally {
    await file.close();
  }
}
