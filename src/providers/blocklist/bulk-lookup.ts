import { finishHash, HASH_PRIME, isAt, LISTED, LISTED_SHIFT, MASK_SHIFT, placeIn } from './index-layout.ts';
import type { PackedNames } from './packed-names.ts';

const DOT = 0x2e;
const QUESTIONS = 2048;
// A name has at most so many.
const MAX_LABELS = 127;

/** An index in memory. */
export interface IndexTables {
  buckets: number;
  /** The starts of the buckets, then their entries. */
  tables: Int32Array;
  names: Uint8Array;
}

/**
 * Returns a finding for each name, as `findingOf` does for one. Most of the time is spent waiting for memory, and the processor
 * overlaps such waits only if little code is in between: so each step handles many questions at once. The steps are small
 * functions, because those are compiled sooner.
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

/** Questions to the index: whether it has the name of `owner` from `from` on, with its hash; then the results. */
interface Questions {
  count: number;
  hashes: Int32Array;
  owners: Int32Array;
  froms: Int32Array;
  /** Start of the bucket; then the first entry with that hash, or -1. */
  entries: Int32Array;
  /** End of the bucket. */
  lasts: Int32Array;
  /** Length of the entry's name, or -1. */
  lengths: Int32Array;
}

// Asks for all suffixes of a name, from the shortest that a mask can have to the whole name.
function ask({ bytes, starts, ends }: PackedNames, owner: number, questions: Questions): void {
  const { hashes, owners, froms } = questions;
  const start = starts[owner]!;
  let { count } = questions;
  let hash = 0;
  let power = 1;
  let labels = 0;
  for (let i = ends[owner]! - 1; i >= start; i--) {
    // A mask has at least two labels.
    if (bytes[i] === DOT && ++labels > 1) {
      hashes[count] = finishHash(hash);
      owners[count] = owner;
      froms[count++] = i + 1;
    }
    hash = (hash + Math.imul(bytes[i]!, power)) | 0;
    power = Math.imul(power, HASH_PRIME);
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
    // No early exit: the processor would mispredict that branch.
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
    lengths[i] = entry < 0 ? -1 : names[placeIn(tables[buckets + 1 + entry * 2 + 1]!)]!;
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
    const listed = listedIn(index, hashes[i]!, entries[i]!, bytes, from, ends[owner]!);
    const start = starts[owner]!;
    // The longest mask counts, which comes last.
    if ((listed & LISTED.mask) !== 0) findings[owner] = (from - start + 1) << MASK_SHIFT;
    if (from === start) findings[owner]! |= listed & (LISTED.exact | LISTED.url);
  }
}

/** Returns the LISTED bits of the name `bytes[from, end)`, if the entry or a later one with its hash is of it; else 0. */
function listedIn(
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
    const found = tables[at + 1]!;
    if (tables[at] === hash && isAt(names, placeIn(found), bytes, from, end)) return found >> LISTED_SHIFT;
  }
  return 0;
}
