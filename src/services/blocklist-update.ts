import { rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  confirmList,
  openList,
  removeLeftovers,
  replaceList,
  temporaryPath,
} from '../providers/blocklist/directory.ts';
import { fetchList, type Validators } from '../providers/blocklist/fetch.ts';
import { buildIndex, writeIndex } from '../providers/blocklist/index-build.ts';
import type { IndexMeta } from '../providers/blocklist/index-layout.ts';
import { parseList, type ParsedList, type SoundList } from '../providers/blocklist/parse.ts';
import type { BlocklistEntries, BlocklistProgress } from '../shared/blocklist.ts';
import { AppError } from '../shared/errors.ts';

// A list with fewer entries than this part of the current one is taken for a broken one.
const LEAST_PART = 0.5;
const NO_VALIDATORS: Validators = { etag: null, last_modified: null };

/** Where a list comes from: one of `file` (a path) and `url` (http, https, file). */
export interface BlocklistSource {
  file?: string | undefined;
  url?: string | undefined;
  /** What the file is called in the status, where its path says nothing (an upload). */
  source?: string | undefined;
  /** Takes the list even if it has lost half of its entries. */
  allowShrink?: boolean | undefined;
  now?: Date | undefined;
}

type Progress = (progress: BlocklistProgress) => void;
type Origin = { name: string; url: URL } | { name: string; file: string };

/** The work of `updateBlocklist`, for the holder of the directory's lock. */
export async function replaceFrom(dir: string, source: BlocklistSource, onProgress: Progress): Promise<IndexMeta> {
  const origin = originOf(source);
  const fetched_at = (source.now ?? new Date()).toISOString();
  await removeLeftovers(dir);
  const current = await currentMeta(dir);
  const download = temporaryPath(dir);
  const index = temporaryPath(dir);
  try {
    let validators = NO_VALIDATORS;
    if ('url' in origin) {
      // What another source sent says nothing about this one.
      const known = current?.source === origin.name ? current : NO_VALIDATORS;
      const fetched = await fetchList(origin.url, download, known, (bytes, total) =>
        onProgress({ phase: 'download', bytes, total }),
      );
      if (fetched.status === 'unchanged' && current !== null) {
        await confirmList(dir, current, fetched_at);
        return { ...current, fetched_at };
      }
      if (fetched.status === 'new') validators = fetched;
    }
    const list = await readList('url' in origin ? download : origin.file, origin.name, onProgress);
    const body = buildIndex(list);
    assertUsable(list, total(body.entries), current, source.allowShrink ?? false);
    const { format, updated_at, unusable } = list;
    const { etag, last_modified } = validators;
    const facts = { source: origin.name, format, unusable, fetched_at, updated_at, etag, last_modified };
    const meta = await writeIndex(index, body, facts);
    await replaceList(dir, index, current !== null);
    return meta;
  } finally {
    await Promise.all([rm(download, { force: true }), rm(index, { force: true })]);
  }
}

function originOf({ file, url, source }: BlocklistSource): Origin {
  if (file !== undefined) return { name: source ?? basename(file), file };
  if (url === undefined || !URL.canParse(url)) throw new AppError('invalid', 'blocklist.bad_url', { url: url ?? '' });
  const parsed = new URL(url);
  if (parsed.protocol === 'file:') return { name: parsed.href, file: fileURLToPath(parsed) };
  if (!/^https?:$/.test(parsed.protocol)) throw new AppError('invalid', 'blocklist.bad_url', { url });
  const shown = new URL(parsed);
  shown.username = '';
  shown.password = '';
  return { name: shown.href, url: parsed };
}

async function currentMeta(dir: string): Promise<IndexMeta | null> {
  const list = openList(dir);
  if (typeof list === 'string') return null;
  list.close();
  return list.meta;
}

async function readList(path: string, name: string, onProgress: Progress): Promise<ParsedList> {
  try {
    const { size } = await stat(path);
    return await parseList(path, (bytes) => onProgress({ phase: 'import', bytes, total: size }));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    if (reason === undefined) throw error;
    throw new AppError('refused', 'blocklist.unreadable', { file: name, reason }, { cause: error });
  }
}

const total = ({ exact, mask, url }: BlocklistEntries): number => exact + mask + url;

// Every refusal says both counts, so that a person can judge.
function assertUsable(
  list: ParsedList,
  found: number,
  current: IndexMeta | null,
  allowShrink: boolean,
): asserts list is SoundList {
  const counts = { found, current: current === null ? 0 : total(current.entries) };
  if (list.problem !== null) throw new AppError('refused', `blocklist.${list.problem}`, counts);
  if (found === 0) throw new AppError('refused', 'blocklist.empty', counts);
  if (!allowShrink && found < counts.current * LEAST_PART) throw new AppError('refused', 'blocklist.shrunk', counts);
}
