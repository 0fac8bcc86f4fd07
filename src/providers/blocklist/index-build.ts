import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { BlocklistEntries } from '../../shared/checks/blocklist.ts';
import {
  encodeHeader,
  HEADER_BYTES,
  LISTED,
  PAGE_BYTES,
  pagesOf,
  pageSum,
  type IndexMeta,
  type ListFacts,
} from './index-layout.ts';
import type { ParsedList } from './parse.ts';

// Average at most. Fewer cost space, more cost time.
const NAMES_A_BUCKET = 4;

/** The content of an index file after its header, and the number of distinct names by kind. */
export interface IndexBody {
  buckets: number;
  /** The starts of the buckets, then their entries. */
  tables: Buffer;
  names: Buffer;
  entries: BlocklistEntries;
}

/**
 * Builds the tables of an index; merges flags of repeated names in place. Of a repeated name the first record is used: the
 * others stay as unused bytes, because compacting the names would take longer than the rest.
 */
export function buildIndex({ names, hashes, rows }: Pick<ParsedList, 'names' | 'hashes' | 'rows'>): IndexBody {
  const entries = countRows(names, rows);
  const buckets = 2 ** Math.ceil(Math.log2(Math.max(rows / NAMES_A_BUCKET, 1)));
  const tables = new Int32Array(buckets + 1 + rows * 2);
  const starts = tables.subarray(0, buckets + 1);
  const table = tables.subarray(buckets + 1);
  sortByBucket(names, hashes, starts, table);
  let used = 0;
  for (let bucket = 0, row = 0; bucket < buckets; bucket++) {
    const first = used;
    for (const end = starts[bucket + 1]!; row < end; row++) {
      const hash = table[row * 2]!;
      const place = table[row * 2 + 1]!;
      let same = first;
      while (same < used && (table[same * 2] !== hash || !isSame(names, table[same * 2 + 1]!, place))) same++;
      if (same < used) merge(names, table[same * 2 + 1]!, place, entries);
      else {
        table[used * 2] = hash;
        table[used * 2 + 1] = place;
        used++;
      }
    }
    starts[bucket] = first;
  }
  starts[buckets] = used;
  return { buckets, tables: Buffer.from(tables.buffer, 0, (buckets + 1 + used * 2) * 4), names, entries };
}

/** Puts an entry for every row into `table`, bucket by bucket. */
function sortByBucket(names: Uint8Array, hashes: Int32Array, starts: Int32Array, table: Int32Array): void {
  const buckets = starts.length - 1;
  for (let row = 0; row < hashes.length; row++) starts[(hashes[row]! & (buckets - 1)) + 1]!++;
  for (let bucket = 1; bucket <= buckets; bucket++) starts[bucket]! += starts[bucket - 1]!;
  const next = starts.slice();
  for (let row = 0, place = 0; row < hashes.length; row++) {
    const hash = hashes[row]!;
    const at = next[hash & (buckets - 1)]!++;
    table[at * 2] = hash;
    table[at * 2 + 1] = place;
    place += 2 + names[place + 1]!;
  }
}

function countRows(names: Uint8Array, rows: number): BlocklistEntries {
  const counts = [0, 0, 0, 0, 0];
  for (let row = 0, at = 0; row < rows; row++) {
    counts[names[at]!]!++;
    at += 2 + names[at + 1]!;
  }
  return { exact: counts[LISTED.exact]!, mask: counts[LISTED.mask]!, url: counts[LISTED.url]! };
}

// Merges a repeated name into the first record; corrects the count if it was listed in the same way.
function merge(names: Uint8Array, first: number, again: number, entries: BlocklistEntries): void {
  const listed = names[again]!;
  if ((names[first]! & listed) === 0) names[first]! |= listed;
  else if (listed === LISTED.exact) entries.exact--;
  else if (listed === LISTED.mask) entries.mask--;
  else entries.url--;
}

function isSame(names: Uint8Array, one: number, other: number): boolean {
  const end = names[one + 1]! + 2;
  for (let i = 1; i < end; i++) if (names[one + i] !== names[other + i]) return false;
  return true;
}

/** Writes a new index file and syncs it to disk. Fails if the path exists. */
export async function writeIndex(path: string, body: IndexBody, facts: ListFacts): Promise<IndexMeta> {
  const { buckets, tables, names, entries } = body;
  const sizes = { buckets, tablesBytes: tables.length, namesBytes: names.length };
  const file = await open(path, 'wx');
  try {
    // Runs in another thread while the sums are computed.
    const writing = file.writev([tables, names], HEADER_BYTES);
    const sums = Buffer.concat([sumsOf(tables), sumsOf(names)]);
    const checksum = crc32(sums, crc32(names, crc32(tables)));
    const list_version = `${checksum.toString(16).padStart(8, '0')}-${entries.exact + entries.mask + entries.url}`;
    const meta: IndexMeta = { ...facts, list_version, entries };
    const { bytesWritten } = await writing;
    await file.write(sums, 0, sums.length, HEADER_BYTES + bytesWritten);
    await file.write(encodeHeader({ ...sizes, checksum, meta }), 0, HEADER_BYTES, 0);
    // On a full disk a write may be partial without an error.
    if (bytesWritten < tables.length + names.length) throw Object.assign(new Error('disk full'), { code: 'ENOSPC' });
    await file.sync();
    return meta;
  } finally {
    await file.close();
  }
}

/** Computes the sum of every page, for readers of only a few pages. */
function sumsOf(part: Buffer): Buffer {
  const words = new Int32Array(part.buffer, part.byteOffset, part.length / 4);
  const sums = new Int32Array(pagesOf(part.length));
  for (let page = 0; page < sums.length; page++) {
    const start = (page * PAGE_BYTES) / 4;
    sums[page] = pageSum(words, start, Math.min(start + PAGE_BYTES / 4, words.length));
  }
  return Buffer.from(sums.buffer);
}
