import { fstatSync, readSync } from 'node:fs';
import type { BlocklistMeta } from '../../shared/checks/blocklist.ts';

// The index file: a header page; the names, each as its length and its bytes, with zeros at the end up to a whole page; for
// every bucket the number of entries before it, then the number of all entries; the entries, bucket by bucket, each with a
// name's hash, and with its place among the names and, above LISTED_SHIFT, its LISTED bits; then a sum for every page of the
// names and of the tables (starts and entries), so that a look-up of a few names detects damage in the pages that it reads. The
// low bits of a hash choose its bucket. A hit counts only if the bytes of the name are equal, so a hash collision can't give a
// wrong verdict. Numbers have the machine's byte order: the file is not portable.

export const HEADER_BYTES = 4096;
/** Bytes covered by one sum: few, because a look-up computes the sum of every page that it reads. */
export const PAGE_BYTES = 128;
const MAGIC = 'SEOBLK05';
const PROLOGUE = MAGIC.length + 8;

/** Bits in an index that tell how a name is listed. */
export const LISTED = { exact: 1, mask: 2, url: 4 } as const;
/** Bits of a finding below this are how the name itself is LISTED; those above are the place of its mask, counted from 1. */
export const MASK_SHIFT = 3;
/** The LISTED bits of an entry are above its place among the names, which has fewer bits than this. */
export const LISTED_SHIFT = 28;

/** Returns the place of an entry's name among the names. */
export const placeIn = (entry: number): number => entry & ((1 << LISTED_SHIFT) - 1);

/** Metadata of a list. `etag` and `last_modified` are those of its server, for the next conditional request. */
export type ListFacts = Omit<BlocklistMeta, 'list_version' | 'entries'> & {
  etag: string | null;
  last_modified: string | null;
};
export type IndexMeta = BlocklistMeta & ListFacts;

/** `checksum` is the sum of the pages' sums. */
export interface IndexHeader {
  /** A power of two. */
  buckets: number;
  /** A multiple of PAGE_BYTES. */
  namesBytes: number;
  /** Length of the starts of the buckets and their entries. */
  tablesBytes: number;
  checksum: number;
  meta: IndexMeta;
}

/** Encodes the file's first page, with a checksum of its own. */
export function encodeHeader(header: IndexHeader): Buffer {
  const page = Buffer.alloc(HEADER_BYTES);
  const length = page.write(JSON.stringify(header), PROLOGUE);
  page.write(MAGIC);
  page.writeUInt32LE(length, MAGIC.length + 4);
  page.writeInt32LE(sumOf(page), MAGIC.length);
  return page;
}

const ZEROS = Buffer.alloc(HEADER_BYTES);

// Checksum of the header page. Not CRC-32: loading zlib would take longer than the look-up of ten names.
function sumOf(page: Buffer): number {
  const written = PROLOGUE + page.readUInt32LE(MAGIC.length + 4);
  const rest = page.subarray(written);
  // Zeros only multiply: one power stands for the steps of them all, each of which V8 would interpret.
  const end = rest.equals(ZEROS.subarray(0, rest.length)) ? Math.min(written, page.length) : page.length;
  let hash = HASH_SEED;
  // By index: for a few names this runs before V8 compiles it, and an iterator is slow then.
  for (let at = MAGIC.length + 4; at < end; at++) hash = Math.imul(hash ^ page[at]!, HASH_PRIME);
  return finishHash(Math.imul(hash, primePower(page.length - end)));
}

/** HASH_PRIME to a power, modulo 2^32. */
function primePower(exponent: number): number {
  let power = 1;
  let factor = HASH_PRIME;
  for (let rest = exponent; rest > 0; rest >>= 1) {
    if ((rest & 1) === 1) power = Math.imul(power, factor);
    factor = Math.imul(factor, factor);
  }
  return power;
}

/** Reads the header of an index file; null if it is none, of another version, or does not have its full length. */
export function readHeader(file: number): IndexHeader | null {
  const page = Buffer.alloc(HEADER_BYTES);
  readSync(file, page, 0, HEADER_BYTES, 0);
  if (page.toString('latin1', 0, MAGIC.length) !== MAGIC) return null;
  if (sumOf(page) !== page.readInt32LE(MAGIC.length)) return null;
  const length = page.readUInt32LE(MAGIC.length + 4);
  const header = JSON.parse(page.toString('utf8', PROLOGUE, PROLOGUE + length)) as IndexHeader;
  return fstatSync(file).size === HEADER_BYTES + bodyBytes(header) + sumsBytes(header) ? header : null;
}

type Sizes = Pick<IndexHeader, 'namesBytes' | 'tablesBytes'>;

/** Returns the length in bytes of what stands between the header of an index file and its sums. */
export const bodyBytes = ({ namesBytes, tablesBytes }: Sizes): number => namesBytes + tablesBytes;

/** Returns the length in bytes of the sums at the end of an index file. */
export const sumsBytes = (sizes: Sizes): number => pagesOf(bodyBytes(sizes)) * 4;

/** Returns the number of pages for a number of bytes; the last page may be shorter. */
export const pagesOf = (bytes: number): number => Math.ceil(bytes / PAGE_BYTES);

/**
 * Computes the sum of `words[start, end)`. Each step is a bijection of the sum so far, so two pages that differ in one word
 * never have the same sum. Not CRC-32: loading zlib would take longer than the look-up of ten names.
 */
export function pageSum(words: Int32Array, start: number, end: number): number {
  let sum = HASH_SEED;
  for (let i = start; i < end; i++) sum = step(sum, words[i]!);
  return sum | 0;
}

function step(sum: number, word: number): number {
  const next = Math.imul(sum ^ word, HASH_PRIME);
  return next ^ (next >>> 15);
}

/**
 * Writes the sum of each of the first pages of `words` to `sums`, until that is full. Of four pages at once: each step of a sum
 * waits for the one before it.
 */
export function sumPages(words: Int32Array, sums: Int32Array): void {
  const length = PAGE_BYTES / 4;
  const whole = Math.min(sums.length, Math.floor(words.length / length)) & ~3;
  for (let page = 0; page < whole; page += 4) {
    const end = (page + 1) * length;
    let [first, second, third, fourth] = [HASH_SEED, HASH_SEED, HASH_SEED, HASH_SEED];
    for (let i = page * length; i < end; i++) {
      first = step(first, words[i]!);
      second = step(second, words[i + length]!);
      third = step(third, words[i + length * 2]!);
      fourth = step(fourth, words[i + length * 3]!);
    }
    sums[page] = first;
    sums[page + 1] = second;
    sums[page + 2] = third;
    sums[page + 3] = fourth;
  }
  for (let page = whole; page < sums.length; page++) {
    sums[page] = pageSum(words, page * length, Math.min((page + 1) * length, words.length));
  }
}

/** Computes the checksum of an index file from the sums of its pages. */
export const checksumOf = (sums: Int32Array): number => pageSum(sums, 0, sums.length) >>> 0;

const HASH_SEED = 0x811c9dc5;
export const HASH_PRIME = 0x01000193;

/** Whether the record at a place of an index's names has the name `bytes[start, end)`. */
export function isAt(names: Uint8Array, place: number, bytes: Uint8Array, start: number, end: number): boolean {
  if (names[place] !== end - start) return false;
  for (let i = start, at = place + 1; i < end; i++, at++) if (names[at] !== bytes[i]) return false;
  return true;
}

/**
 * Computes the hash of a name: its bytes are the coefficients of a polynomial in HASH_PRIME, the last one without a factor. So
 * a reader computes it from the start on, and a look-up from the end, which gives the hashes of all parents in one pass.
 */
export function hashName(names: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let i = start; i < end; i++) hash = (Math.imul(hash, HASH_PRIME) + names[i]!) | 0;
  return finishHash(hash);
}

/**
 * Finishes a name's hash with MurmurHash3's mixer: the polynomial alone mixes the low bits, which choose the bucket, too little. The
 * result is signed: V8 stores an integer beyond 31 bits on the heap, which makes a look-up half as fast.
 */
export function finishHash(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
