import { finishHash, HASH_PRIME, HASH_SEED, LISTED } from './index-layout.ts';
import type { PackedNames } from './packed-names.ts';

const DOT = 0x2e;
const QUESTIONS = 2048;
// A name has no more.
const MAX_LABELS = 127;

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
 * processor waits for much at once only where nothing else is in between: so many questions are taken through each step. The
 * steps are small functions, which are compiled the sooner.
 */
export function findAll(names: PackedNames, index: IndexTables): Int32Array {
  const findings = new Int32Array(names.count);
  const questions = {
    count: 0,
    hashes: new Int32Array(QUESTIONS),
    owners: new Int32Array(QUESTIONS),
    froms: new Int32Array(QUESTIONS),
    entries: new Int32Array(QUESTIONS),
    lasts: new Int32Array(QUESTIONS),
    lengths: new Int32Array(QUESTIONS),
  };
  for (let owner = 0; owner < names.count;) {
    questions.count = 0;
    while (owner < names.count && questions.count < QUESTIONS - MAX_LABELS) ask(names, owner++, questions);
    findBuckets(index, questions);
    findEntries(index, questions);
    readLengths(index, questions);
    answer(index, names, questions, findings);
  }
  return findings;
}

/** What is asked of the index: whether it has the name of `owner` from `from` on, whose hash is given. Then what was found. */
interface Questions {
  count: number;
  hashes: Int32Array;
  owners: Int32Array;
  froms: Int32Array;
  /** Where the bucket begins; then the first entry of that hash, or -1. */
  entries: Int32Array;
  /** Where the bucket ends. */
  lasts: Int32Array;
  /** How long the entry's name is, or -1. */
  lengths: Int32Array;
}

// From the shortest name that a mask can have to the whole one.
function ask({ bytes, starts, ends }: PackedNames, owner: number, questions: Questions): void {
  const { hashes, owners, froms } = questions;
  const start = starts[owner]!;
  let { count } = questions;
  let hash = HASH_SEED;
  let labels = 0;
  for (let i = ends[owner]! - 1; i >= start; i--) {
    // A mask has two labels at least.
    if (bytes[i] === DOT && ++labels > 1) {
      hashes[count] = finishHash(hash);
      owners[count] = owner;
      froms[count++] = i + 1;
    }
    hash = Math.imul(hash ^ bytes[i]!, HASH_PRIME);
  }
  hashes[count] = finishHash(hash);
  owners[count] = owner;
  froms[count++] = start;
  questions.count = count;
}

function findBuckets({ buckets, tables }: IndexTables, { count, hashes, entries, lasts }: Questions): void {
  for (let i = 0; i < count; i++) {
    const bucket = hashes[i]! & (buckets - 1);
    entries[i] = tables[bucket]!;
    lasts[i] = tables[bucket + 1]!;
  }
}

function findEntries({ buckets, tables }: IndexTables, { count, hashes, entries, lasts }: Questions): void {
  for (let i = 0; i < count; i++) {
    const hash = hashes[i]!;
    let found = -1;
    // Without a way out: it would be guessed wrong.
    for (let entry = lasts[i]! - 1; entry >= entries[i]!; entry--) {
      const isOther = (tables[buckets + 1 + entry * 2]! ^ hash) === 0 ? 0 : -1;
      found = (found & isOther) | (entry & ~isOther);
    }
    entries[i] = found;
  }
}

function readLengths({ buckets, tables, names }: IndexTables, { count, entries, lengths }: Questions): void {
  for (let i = 0; i < count; i++) {
    const entry = entries[i]!;
    lengths[i] = entry < 0 ? -1 : names[tables[buckets + 1 + entry * 2 + 1]! + 1]!;
  }
}

function answer(
  index: IndexTables,
  { bytes, starts, ends }: PackedNames,
  { count, hashes, owners, froms, entries, lengths }: Questions,
  findings: Int32Array,
): void {
  for (let i = 0; i < count; i++) {
    if (lengths[i]! < 0) continue;
    const owner = owners[i]!;
    const from = froms[i]!;
    const place = placeOf(index, hashes[i]!, entries[i]!, bytes, from, ends[owner]!);
    if (place < 0) continue;
    const listed = index.names[place]!;
    const start = starts[owner]!;
    // The last mask counts.
    if ((listed & LISTED.mask) !== 0) findings[owner] = (from - start + 1) << MASK_SHIFT;
    if (from === start) findings[owner]! |= listed & (LISTED.exact | LISTED.url);
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
