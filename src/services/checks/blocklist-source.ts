import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measuringCall } from '../../lib/measures.ts';
import { redact } from '../../lib/redact.ts';
import type { Validators, Fetched } from '../../providers/blocklist/fetch.ts';
import { type ImportRequest, type Imported, importList } from '../../providers/blocklist/import.ts';
import type { BlocklistProgress } from '../../shared/checks/blocklist.ts';
import { AppError } from '../../shared/errors.ts';

/** Asks for a list whatever its age is. */
export const NO_VALIDATORS: Validators = { etag: null, last_modified: null };

/** Where a list comes from: one of `file` (a path) and `url` (http, https, file). */
export interface BlocklistSource {
  file?: string | undefined;
  url?: string | undefined;
  /** Name of the file in the status, where its path says nothing (an upload). */
  source?: string | undefined;
  /** A person says that the list is right, however much it differs from those before it. */
  accept?: boolean | undefined;
  /** Reads the list in a process of its own: for a server, which has to go on answering. */
  apart?: boolean | undefined;
  /** Aborts a download. */
  ending?: AbortSignal | undefined;
  now?: Date | undefined;
}

/** Called as a list is downloaded and read. */
export type Progress = (progress: BlocklistProgress) => void;
type Origin = { name: string; url: URL } | { name: string; file: string; isUrl: boolean };

/**
 * Downloads a list to `path` unless it is as `known`; a local file is only looked at. Throws AppError `unavailable` where the
 * source does not answer.
 */
export async function fetchFrom(
  origin: Origin,
  path: string,
  known: Validators,
  onProgress: Progress,
  ending: AbortSignal | undefined,
): Promise<Fetched> {
  if ('url' in origin) {
    const onBytes = (bytes: number, total: number | null): void => onProgress({ phase: 'download', bytes, total });
    // A file needs neither HTTP nor TLS, which take as long to load as all else.
    const { fetchList } = await import('../../providers/blocklist/fetch.ts');
    return measuringCall('blocklist', () => fetchList(origin.url, path, known, onBytes, undefined, ending), ending);
  }
  const none = { status: 'new', ...NO_VALIDATORS } as const;
  if (!origin.isUrl) return none;
  try {
    const { size, mtimeMs } = await stat(origin.file);
    const etag = `${size}-${mtimeMs}`;
    return known.etag === etag ? { status: 'unchanged' } : { ...none, etag };
  } catch {
    // The reader reports the reason.
    return none;
  }
}

/** Returns where a list comes from, with a name without a password. Throws AppError `invalid` for a bad URL. */
export function originOf({ file, url, source }: BlocklistSource): Origin {
  if (file !== undefined) return { name: source ?? basename(file), file, isUrl: false };
  if (url === undefined || !URL.canParse(url)) throw new AppError('invalid', 'blocklist.bad_url', { url: url ?? '' });
  const parsed = new URL(url);
  if (parsed.protocol === 'file:') return { name: parsed.href, file: fileURLToPath(parsed), isUrl: true };
  if (!/^https?:$/.test(parsed.protocol)) throw new AppError('invalid', 'blocklist.bad_url', { url });
  const shown = new URL(parsed);
  shown.username = '';
  shown.password = '';
  return { name: redact(shown.href), url: parsed };
}

/** Builds the index of a list, in a process of its own if `isApart`. Throws AppError `refused` for an unreadable file. */
export async function readList(request: ImportRequest, isApart: boolean, onProgress: Progress): Promise<Imported> {
  try {
    const { size } = await stat(request.path);
    const onBytes = (bytes: number): void => onProgress({ phase: 'import', bytes, total: size });
    if (!isApart) return await importList(request, onBytes);
    const { importApart } = await import('../../providers/blocklist/import-apart.ts');
    return await importApart(request, onBytes);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (isApart ? (error as Error).message : undefined);
    if (reason === undefined) throw error;
    throw new AppError('refused', 'blocklist.unreadable', { file: request.source, reason }, { cause: error });
  }
}
