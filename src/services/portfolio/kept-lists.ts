import { createHash } from 'node:crypto';
import { readerSignal, readingFor } from '../../../db/readers.ts';
import type { JsonText } from './json.ts';
import { readBytes, type Statement } from './list-rows.ts';

const MAX_BYTES = 96 * 1024 * 1024;
const MAX_LISTS = 1000;

/**
 * JSON of a list with its weak ETag, cached while nothing is committed to the database. `encoded` caches its compressed
 * forms.
 */
export interface KeptList<T = unknown> extends JsonText<T> {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly encoded: Map<string, Promise<Buffer>>;
}

export const isKeptList = (value: unknown): value is KeptList =>
  (value as KeptList | null)?.encoded instanceof Map && Buffer.isBuffer((value as KeptList).bytes);

interface Kept {
  version: string;
  list: KeptList;
}
interface Loading {
  version: string;
  list: Promise<KeptList>;
  waiting: number;
  end: AbortController;
}

// By statement and values, least recently used first. These two say whose rows they are, and as of which day.
const kept = new Map<string, Kept>();
const loading = new Map<string, Loading>();
let keptBytes = 0;

function forget(key: string): void {
  keptBytes -= kept.get(key)?.list.bytes.length ?? 0;
  kept.delete(key);
}

function keep(key: string, version: string, list: KeptList): void {
  forget(key);
  if (list.bytes.length > MAX_BYTES / 2) return;
  kept.set(key, { version, list });
  keptBytes += list.bytes.length;
  for (const oldest of kept.keys()) {
    if (keptBytes <= MAX_BYTES && kept.size <= MAX_LISTS) break;
    forget(oldest);
  }
}

async function read(statement: Statement): Promise<KeptList> {
  const bytes = await readBytes(statement);
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url')}"`;
  return { bytes, etag, encoded: new Map() };
}

/** Starts a load that is aborted once none of its callers waits any more. */
function load(key: string, version: string, statement: Statement): Loading {
  const end = new AbortController();
  const list = readingFor({ signal: end.signal }, () => read(statement));
  const started: Loading = { version, list, waiting: 0, end };
  loading.set(key, started);
  list
    .then((loaded) => keep(key, version, loaded))
    .catch(() => undefined)
    .finally(() => {
      if (loading.get(key) === started) loading.delete(key);
    });
  return started;
}

async function joined(current: Loading): Promise<KeptList> {
  const signal = readerSignal();
  const leave = (): void => {
    current.waiting -= 1;
    if (current.waiting === 0) current.end.abort();
  };
  current.waiting += 1;
  signal?.addEventListener('abort', leave, { once: true });
  try {
    return await current.list;
  } finally {
    signal?.removeEventListener('abort', leave);
  }
}

/**
 * Returns the list that a statement makes as one BLOB of JSON named `json`. `version` is the `dataVersion` from before:
 * while that stays, the list is cached by statement and values, which must hold all else that it depends on (scope,
 * today's date). Null: nothing is cached.
 */
export function keptList<T>(version: string | null, statement: Statement): Promise<KeptList<T>> {
  return keptOrRead(version, statement) as Promise<KeptList<T>>;
}

async function keptOrRead(version: string | null, statement: Statement): Promise<KeptList> {
  if (version === null) return read(statement);
  const key = `${statement.sql}\n${JSON.stringify(statement.bind)}`;
  const found = kept.get(key);
  if (found?.version === version) {
    kept.delete(key);
    kept.set(key, found);
    return found.list;
  }
  const current = loading.get(key);
  const usable = current?.version === version && !current.end.signal.aborted ? current : undefined;
  return joined(usable ?? load(key, version, statement));
}
