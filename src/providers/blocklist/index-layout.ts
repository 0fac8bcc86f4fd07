import { fstatSync, readSync } from 'node:fs';
import type { BlocklistMeta } from '../../shared/checks/blocklist.ts';

// The index file: a header page; for every bucket how many entries there are before it, and behind the last one how many
// there are; the entries, bucket by bucket, each as a name's hash and its place among the names; the names, each as how
// it is listed, its length, its bytes, and zeros up to a multiple of four; then a sum for every page of the tables (starts and
// entries), and one for every page of the names, so that a look-up of a few names can tell damage by the pages it reads. The low bits of a hash choose
// its bucket. A hit counts only when the name's bytes are equal, so a hash that two names share can't give a wrong verdict.
// Numbers have the machine's byte order: the file stays where it was made.

export const HEADER_BYTES = 4096;
/** What one sum covers: small, because a look-up computes the sum of every page that it touches. */
export const PAGE_BYTES = 512;
const MAGIC = 'SEOBLK04';
const PROLOGUE = MAGIC.length + 8;

/** How a name is listed; the bits an index keeps of it. */
export const LISTED = { exact: 1, mask: 2, url: 4 } as const;

/** What is known of a list besides its names. `etag` and `last_modified` are its server's, for the next conditional request. */
export type ListFacts = Omit<BlocklistMeta, 'list_version' | 'entries'> & {
  etag: string | null;
  last_modified: string | null;
};
export type IndexMeta = BlocklistMeta & ListFacts;

/** `checksum` is the CRC-32 of everything behind the header. */
export interface IndexHeader {
  /** A power of two. */
  buckets: number;
  /** The starts of the buckets and their entries. */
  tablesBytes: number;
  /** A multiple of four. */
  namesBytes: number;
  checksum: number;
  meta: IndexMeta;
}

/** The file's first page, with a checksum of its own. */
export function encodeHeader(header: IndexHeader): Buffer {
  const page = Buffer.alloc(HEADER_BYTES);
  const length = page.write(JSON.stringify(header), PROLOGUE);
  page.write(MAGIC);
  page.writeUInt32LE(length, MAGIC.length + 4);
  page.writeInt32LE(sumOf(page), MAGIC.length);
  return page;
}

// Of a page alone: loading zlib for it would take longer than the look-up of ten names.
function sumOf(page: Buffer): number {
  let hash = HASH_SEED;
  // By index: a few names are looked up before anything is compiled, and an iterator is slow then.
  for (let at = MAGIC.length + 4; at < page.length; at++) hash = Math.imul(hash ^ page[at]!, HASH_PRIME);
  return finishHash(hash);
}

/** The header of an index file, or null where the file is none, is of another version, or is not as long as it was made. */
export function readHeader(file: number): IndexHeader | null {
  const page = Buffer.alloc(HEADER_BYTES);
  readSync(file, page, 0, HEADER_BYTES, 0);
  if (page.toString('latin1', 0, MAGIC.length) !== MAGIC) return null;
  if (sumOf(page) !== page.readInt32LE(MAGIC.length)) return null;
  const length = page.readUInt32LE(MAGIC.length + 4);
  const header = JSON.parse(page.toString('utf8', PROLOGUE, PROLOGUE + length)) as IndexHeader;
  const { tablesBytes, namesBytes } = header;
  return fstatSync(file).size === HEADER_BYTES + tablesBytes + namesBytes + sumsBytes(header) ? header : null;
}

/** How long the sums at the end of an index file are. */
export const sumsBytes = ({ tablesBytes, namesBytes }: Pick<IndexHeader, 'tablesBytes' | 'namesBytes'>): number =>
  (pagesOf(tablesBytes) + pagesOf(namesBytes)) * 4;

/** How many pages so many bytes fill; the last one may be shorter. */
export const pagesOf = (bytes: number): number => Math.ceil(bytes / PAGE_BYTES);

/**
 * The sum of `words[start, end)`. Each step is a bijection of the sum so far, so two pages that differ in one word never
 * have the same sum. Not CRC-32: loading zlib would take longer than the look-up of ten names.
 */
export function pageSum(words: Int32Array, start: number, end: number): number {
  let sum = HASH_SEED;
  for (let i = start; i < end; i++) {
    sum = Math.imul(sum ^ words[i]!, HASH_PRIME);
    sum ^= sum >>> 15;
  }
  return sum | 0;
}

export const HASH_SEED = 0x811c9dc5;
export const HASH_PRIME = 0x01000193;

/** The hash of a name. From its end, so that the look-up gets the hashes of all parents in one pass. */
export function hashName(names: Uint8Array, start: number, end: number): number {
  let hash = HASH_SEED;
  for (let i = end - 1; i >= start; i--) hash = Math.imul(hash ^ names[i]!, HASH_PRIME);
  return finishHash(hash);
}

/**
 * The end of a name's hash: FNV-1a alone leaves the low bits, which choose the bucket, too much alike (MurmurHash3's mixer).
 * Signed: V8 keeps an integer beyond 31 bits on the heap, which makes a look-up half as fast.
 */
export function finishHash(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
