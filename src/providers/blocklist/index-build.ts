import type { BlocklistEntries } from '../../shared/checks/blocklist.ts';
import { LISTED } from './index-layout.ts';
import { integersOf, type Names } from './name-store.ts';
import type { SecondThread } from './second-thread.ts';

// Average at most. Fewer cost space, more cost time.
const NAMES_A_BUCKET = 4;

/** The content of an index file after its header, and the number of distinct names by kind. */
export interface IndexBody {
  buckets: number;
  /** The starts of the buckets, then their entries. */
  tables: Int32Array;
  names: Uint8Array;
  entries: BlocklistEntries;
}

/** Some of the buckets of an index, to be built in memory that threads share. */
export interface BuildRequest extends Pick<Names, 'names' | 'hashes' | 'places'> {
  buckets: number;
  /** The starts of all buckets, then room for an entry of every row. */
  tables: Int32Array;
  /** The first of these buckets, and the one after them. */
  from: number;
  to: number;
}

/** The entries that buckets have got: from `first` up to `end`; and how many names were repeated, by kind. */
export interface Built {
  first: number;
  end: number;
  repeated: BlocklistEntries;
}

/**
 * Builds the tables of an index; merges flags of repeated names in place. Of a repeated name the first record is used: the
 * others stay as unused bytes, because compacting the names would take longer than the rest. A thread at hand builds a half;
 * it fails if that one ends meanwhile.
 */
export async function buildIndex(list: Names, thread?: SecondThread): Promise<IndexBody> {
  const { names, hashes, places, rows } = list;
  const buckets = 2 ** Math.ceil(Math.log2(Math.max(rows / NAMES_A_BUCKET, 1)));
  const tables = integersOf(buckets + 1 + rows * 2);
  const whole = { names, hashes, places, buckets, tables, from: 0, to: buckets };
  const parts = thread?.isAtHand() && buckets > 1 ? await buildInTwo(whole, thread) : [buildBuckets(whole)];
  let used = 0;
  const entries = { ...list.entries };
  for (const [index, { first, end, repeated }] of parts.entries()) {
    for (const kind of ['exact', 'mask', 'url'] as const) entries[kind] -= repeated[kind];
    // The entries of the second part follow those of the first one.
    if (first > used) moveEntries(whole, index * (buckets / 2), first, end, used);
    used += end - first;
  }
  tables[buckets] = used;
  return { buckets, tables: tables.subarray(0, buckets + 1 + used * 2), names, entries };
}

async function buildInTwo(whole: BuildRequest, thread: SecondThread): Promise<[Built, Built]> {
  const middle = whole.buckets / 2;
  const asked = thread.ask('build', { ...whole, from: middle });
  return [buildBuckets({ ...whole, to: middle }), await asked];
}

/** Moves the entries `[first, end)`, those of the last buckets, to `place`. */
function moveEntries({ buckets, tables }: BuildRequest, from: number, first: number, end: number, place: number): void {
  const table = tables.subarray(buckets + 1);
  table.copyWithin(place * 2, first * 2, end * 2);
  for (let bucket = from; bucket < buckets; bucket++) tables[bucket]! -= first - place;
}

/** Sorts the rows of some buckets into them, and merges those of one name. */
export function buildBuckets({ names, hashes, places, buckets, tables, from, to }: BuildRequest): Built {
  const table = tables.subarray(buckets + 1);
  const repeated = { exact: 0, mask: 0, url: 0 };
  const ends = sortByBucket({ names, hashes, places, buckets, tables, from, to });
  const first = from === 0 ? 0 : ends[from - 1]!;
  let used = first;
  for (let bucket = from, row = first; bucket < to; bucket++) {
    const start = used;
    for (const end = ends[bucket]!; row < end; row++) {
      const hash = table[row * 2]!;
      const place = table[row * 2 + 1]!;
      let same = start;
      while (same < used && (table[same * 2] !== hash || !isSame(names, table[same * 2 + 1]!, place))) same++;
      if (same < used) merge(names, table[same * 2 + 1]!, place, repeated);
      else {
        table[used * 2] = hash;
        table[used * 2 + 1] = place;
        used++;
      }
    }
    tables[bucket] = start;
  }
  return { first, end: used, repeated };
}

/** Puts an entry for every row of the buckets into the table, bucket by bucket. Returns after which row each bucket ends. */
function sortByBucket({ hashes, places, buckets, tables, from, to }: BuildRequest): Int32Array {
  const table = tables.subarray(buckets + 1);
  const mask = buckets - 1;
  const ends = new Int32Array(buckets);
  for (let row = 0; row < hashes.length; row++) ends[hashes[row]! & mask]!++;
  // The number of rows of each becomes where it starts.
  for (let bucket = 0, start = 0; bucket < to; bucket++) {
    const count = ends[bucket]!;
    ends[bucket] = bucket < from ? start + count : start;
    start += count;
  }
  for (let row = 0; row < hashes.length; row++) {
    const hash = hashes[row]!;
    const bucket = hash & mask;
    if (bucket < from || bucket >= to) continue;
    const at = ends[bucket]!++;
    table[at * 2] = hash;
    table[at * 2 + 1] = places[row]!;
  }
  return ends;
}

// Merges a repeated name into the first record; counts it if it was listed in the same way.
function merge(names: Uint8Array, first: number, again: number, repeated: BlocklistEntries): void {
  const listed = names[again]!;
  if ((names[first]! & listed) === 0) names[first]! |= listed;
  else if (listed === LISTED.exact) repeated.exact++;
  else if (listed === LISTED.mask) repeated.mask++;
  else repeated.url++;
}

function isSame(names: Uint8Array, one: number, other: number): boolean {
  const end = names[one + 1]! + 2;
  for (let i = 1; i < end; i++) if (names[one + i] !== names[other + i]) return false;
  return true;
}
