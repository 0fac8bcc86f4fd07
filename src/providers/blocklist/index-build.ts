import type { BlocklistEntries } from '../../shared/checks/blocklist.ts';
import { LISTED, LISTED_SHIFT, placeIn } from './index-layout.ts';
import type { Names } from './name-store.ts';

// Average at most. Fewer cost space, more cost time.
const NAMES_A_BUCKET = 4;

/** The tables of an index, and the number of distinct names by kind. */
export interface IndexBody {
  buckets: number;
  /** The starts of the buckets, then their entries. */
  tables: Int32Array;
  entries: BlocklistEntries;
}

/**
 * Builds the tables of an index. A repeated name has one entry with the LISTED bits of all, and the place of the first: the
 * others stay as unused bytes, because compacting the names would take longer than the rest.
 */
export function buildIndex(list: Names): IndexBody {
  const { names, rows } = list;
  const buckets = 2 ** Math.ceil(Math.log2(Math.max(rows / NAMES_A_BUCKET, 1)));
  const tables = new Int32Array(buckets + 1 + rows * 2);
  const table = tables.subarray(buckets + 1);
  const entries = { ...list.entries };
  const ends = sortByBucket(list, buckets, table);
  let used = 0;
  for (let bucket = 0, row = 0; bucket < buckets; bucket++) {
    const start = used;
    for (const end = ends[bucket]!; row < end; row++) {
      const hash = table[row * 2]!;
      const entry = table[row * 2 + 1]!;
      let same = start;
      while (same < used && (table[same * 2] !== hash || !isSame(names, table[same * 2 + 1]!, entry))) same++;
      if (same < used) table[same * 2 + 1]! |= bitsToMerge(table[same * 2 + 1]!, entry, entries);
      else {
        table[used * 2] = hash;
        table[used * 2 + 1] = entry;
        used++;
      }
    }
    tables[bucket] = start;
  }
  tables[buckets] = used;
  return { buckets, tables: tables.subarray(0, buckets + 1 + used * 2), entries };
}

/** Puts an entry for every row into the table, bucket by bucket. Returns after which row each bucket ends. */
function sortByBucket({ hashes, places }: Names, buckets: number, table: Int32Array): Int32Array {
  const mask = buckets - 1;
  const ends = new Int32Array(buckets);
  for (let row = 0; row < hashes.length; row++) ends[hashes[row]! & mask]!++;
  // The number of rows of each becomes where it starts.
  for (let bucket = 0, start = 0; bucket < buckets; bucket++) {
    const count = ends[bucket]!;
    ends[bucket] = start;
    start += count;
  }
  for (let row = 0; row < hashes.length; row++) {
    const hash = hashes[row]!;
    const at = ends[hash & mask]!++;
    table[at * 2] = hash;
    table[at * 2 + 1] = places[row]!;
  }
  return ends;
}

// The LISTED bits of a repeated name, for its first entry; if it was listed in the same way, it does not count.
function bitsToMerge(first: number, again: number, entries: BlocklistEntries): number {
  const listed = again >> LISTED_SHIFT;
  if (((first >> LISTED_SHIFT) & listed) === 0) return listed << LISTED_SHIFT;
  if (listed === LISTED.exact) entries.exact--;
  else if (listed === LISTED.mask) entries.mask--;
  else entries.url--;
  return 0;
}

function isSame(names: Uint8Array, one: number, other: number): boolean {
  const first = placeIn(one);
  const second = placeIn(other);
  const end = names[first]! + 1;
  for (let i = 0; i < end; i++) if (names[first + i] !== names[second + i]) return false;
  return true;
}
