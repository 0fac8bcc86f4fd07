import { buildIndex, writeIndex } from './index-build.ts';
import type { IndexMeta } from './index-layout.ts';
import { parseList, type ListProblem } from './parse.ts';

/** A list to be made an index: its file, the new index file, and what is known of it besides its names. */
export interface ImportRequest extends Pick<IndexMeta, 'source' | 'fetched_at' | 'etag' | 'last_modified'> {
  path: string;
  index: string;
}

/** What came of it; `found` names were read where there is a problem. */
export type Imported = { problem: null; meta: IndexMeta } | { problem: ListProblem | 'empty'; found: number };

/** Reads a list and writes its index. Takes a second of a core for a million names. Errors of the file system are thrown. */
export async function importList(
  { path, index, ...known }: ImportRequest,
  onBytes: (bytes: number) => void,
): Promise<Imported> {
  const list = await parseList(path, onBytes);
  if (list.problem !== null) return { problem: list.problem, found: list.rows };
  const body = buildIndex(list);
  const { exact, mask, url } = body.entries;
  if (exact + mask + url === 0) return { problem: 'empty', found: 0 };
  const { format, updated_at, unusable } = list;
  return { problem: null, meta: await writeIndex(index, body, { ...known, format, updated_at, unusable }) };
}
