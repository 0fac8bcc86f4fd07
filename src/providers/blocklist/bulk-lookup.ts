import { finishHash, HASH_PRIME, HASH_SEED, LISTED } from './index-layout.ts';
import type { PackedNames } from './packed-names.ts';

const DOT = 0x2e;
const QUESTIONS = 4096;
// A name has no more, the last of which is asked for by none.
const MAX_LABELS = 128;

/** An index in memory. */
export interface IndexTables {
  buckets: number;
  /** The starts of the buckets, then their entries. */
  tables: Int32Array;
  names: Uint8Array;
}

/** Where in a finding of a name the place of its mask begins; below it is how the name itself is LISTED. */
export const MASK_SHIFT = 3;

/**
 * How each of the names is listed, as `findingOf` tells it of one. Most of the time goes into waiting for memory, and the
 * processor waits for much at once only where nothing else is in between: so many questions are taken through each step.
 */
export function findAll({ bytes, starts, ends, count }: PackedNames, index: IndexTables): Int32Array {
  const { names } = index;
  const findings = new Int32Array(count);
  const hashes = new Int32Array(QUESTIONS);
  const froms = new Int32Array(QUESTIONS);
  const owners = new Int32Array(QUESTIONS);
  const entries = new Int32Array(QUESTIONS);
  for (let owner = 0; owner < count;) {
    let asked = 0;
    for (; owner < count && asked < QUESTIONS - MAX_LABELS; owner++) {
      const start = starts[owner]!;
      let hash = HASH_SEED;
      let labels = 0;
      for (let i = ends[owner]! - 1; i >= start; i--) {
        // A mask has two labels at least.
        if (bytes[i] === DOT && ++labels > 1) {
          hashes[asked] = finishHash(hash);
          froms[asked] = i + 1;
          owners[asked++] = owner;
        }
        hash = Math.imul(hash ^ bytes[i]!, HASH_PRIME);
      }
      hashes[asked] = finishHash(hash);
      froms[asked] = start;
      owners[asked++] = owner;
    }
    findEntries(index, hashes, entries, asked);
    for (let question = 0; question < asked; question++) {
      const from = froms[question]!;
      const owner = owners[question]!;
      const place = placeOf(index, hashes[question]!, entries[question]!, bytes, from, ends[owner]!);
      if (place < 0) continue;
      const listed = names[place]!;
      const start = starts[owner]!;
      // Questions go from the shortest name to the whole one, and the last mask counts.
      if ((listed & LISTED.mask) !== 0) findings[owner] = (from - start + 1) << MASK_SHIFT;
      if (from === start) findings[owner]! |= listed & (LISTED.exact | LISTED.url);
    }
  }
  return findings;
}

/** Sets each question's entry to the first one of its hash, or to -1. */
function findEntries({ buckets, tables }: IndexTables, hashes: Int32Array, entries: Int32Array, asked: number): void {
  const lasts = new Int32Array(asked);
  for (let question = 0; question < asked; question++) {
    const bucket = hashes[question]! & (buckets - 1);
    entries[question] = tables[bucket]!;
    lasts[question] = tables[bucket + 1]!;
  }
  const first = buckets + 1;
  for (let question = 0; question < asked; question++) {
    const hash = hashes[question]!;
    let found = -1;
    // Without a way out: it would be guessed wrong.
    for (let entry = lasts[question]! - 1; entry >= entries[question]!; entry--) {
      const isOther = (tables[first + entry * 2]! ^ hash) === 0 ? 0 : -1;
      found = (found & isOther) | (entry & ~isOther);
    }
    entries[question] = found;
  }
}

/** Where the name `bytes[from, end)` is among the names, if it is that of the entry or of a later one of its hash; else -1. */
function placeOf(
  { buckets, tables, names }: IndexTables,
  hash: number,
  firstEntry: number,
  bytes: Uint8Array,
  from: number,
  end: number,
): number {
  if (firstEntry < 0) return -1;
  const last = tables[(hash & (buckets - 1)) + 1]!;
  for (let entry = firstEntry; entry < last; entry++) {
    const at = buckets + 1 + entry * 2;
    if (tables[at] === hash && isAt(names, tables[at + 1]!, bytes, from, end)) return tables[at + 1]!;
  }
  return -1;
}

/** Whether the record at a place of an index's names is of the name `bytes[start, end)`. */
export function isAt(names: Uint8Array, place: number, bytes: Uint8Array, start: number, end: number): boolean {
  if (names[place + 1] !== end - start) return false;
  for (let i = start, at = place + 2; i < end; i++, at++) if (names[at] !== bytes[i]) return false;
  return true;
}
