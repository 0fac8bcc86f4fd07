import { fstatSync, readSync } from 'node:fs';
import type { BlocklistMeta } from '../../shared/blocklist.ts';

// The index file: a header page; for every bucket how many entries there are before it, and behind the last one how many
// there are; the entries, bucket by bucket, each as a name's hash and its place among the names; then the names, each as how
// it is listed, its length, its bytes. The low bits of a hash choose its bucket. A hit counts only when the name's bytes are
// equal, so a hash that two names share can't give a wrong verdict. Numbers have the machine's byte order: the file stays
// where it was made.

export const HEADER_BYTES = 4096;
const MAGIC = 'SEOBLK03';
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
  for (const byte of page.subarray(MAGIC.length + 4)) hash = Math.imul(hash ^ byte, HASH_PRIME);
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
  return fstatSync(file).size === HEADER_BYTES + header.tablesBytes + header.namesBytes ? header : null;
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
