import type { Findings } from './formats.ts';
import { LISTED } from './index-layout.ts';
import { lastHash, MAX_NAME, readName } from './names.ts';

/**
 * Why a file is no blocklist: a web page; no known format, or mostly unreadable; its end is missing; it unpacks to too much; or
 * it has too many names.
 */
export type ListProblem = 'html' | 'garbage' | 'cut' | 'packed' | 'large';

/** Names of a list, or of a part of one. */
export interface Names {
  /** In order, each as its LISTED bits, its length and its bytes. */
  names: Buffer;
  /** Of the names, in order. */
  hashes: Int32Array;
  rows: number;
  unusable: number;
}

// The whole register has two million names in 50 MB. Building an index takes about three times that.
const MAX_NAMES_BYTES = 2 ** 28;
const MAX_ROWS = 10_000_000;

const isTooMany = (bytes: number, rows: number): boolean => bytes > MAX_NAMES_BYTES - MAX_NAME || rows >= MAX_ROWS;

/** Returns whether a list has reached the limit of names; a store drops those beyond it. */
export const isFull = ({ names, rows }: Names): boolean => isTooMany(names.length, rows);

/** Keeps the findings of a reader. */
export function createNameStore(): Findings & { isFull: () => boolean; taken: () => Names } {
  // Enough for most lists: unused pages take no memory, while growing copies the names.
  let names = Buffer.allocUnsafeSlow(1 << 25);
  let hashes = new Int32Array(1 << 20);
  let used = 0;
  let rows = 0;
  let unusable = 0;
  const skip = (): void => void unusable++;
  const take: Findings['take'] = (bytes, start, end, listed) => {
    while (start < end && bytes[start]! <= 0x20) start++;
    while (end > start && bytes[end - 1]! <= 0x20) end--;
    if (start === end || isTooMany(used, rows)) return;
    if (used + MAX_NAME + 2 > names.length) {
      const longer = Buffer.allocUnsafeSlow(names.length * 2);
      names.copy(longer, 0, 0, used);
      names = longer;
    }
    if (rows === hashes.length) {
      const longer = new Int32Array(rows * 2);
      longer.set(hashes);
      hashes = longer;
    }
    const isMask = bytes[start] === 0x2a && bytes[start + 1] === 0x2e;
    const length = readName(bytes, isMask ? start + 2 : start, end, names, used + 2);
    if (length < 0) skip();
    if (length <= 0) return;
    names[used] = isMask && listed === LISTED.exact ? LISTED.mask : listed;
    names[used + 1] = length;
    hashes[rows] = lastHash;
    used += length + 2;
    rows++;
  };
  const taken = (): Names => ({ names: names.subarray(0, used), hashes: hashes.subarray(0, rows), rows, unusable });
  return { take, skip, taken, isFull: () => isTooMany(used, rows) };
}

/** Joins the names of two parts of a list, in their order. The parts must not be used afterwards. */
export function joinNames(first: Names, rest: Names): Names {
  const bytes = first.names.length + rest.names.length;
  const rows = first.rows + rest.rows;
  // Where the first part's memory has room for both it is used further.
  const hasRoom = first.names.buffer.byteLength >= bytes && first.hashes.buffer.byteLength >= rows * 4;
  const names = hasRoom ? Buffer.from(first.names.buffer, 0, bytes) : Buffer.allocUnsafeSlow(bytes);
  const hashes = hasRoom ? new Int32Array(first.hashes.buffer, 0, rows) : new Int32Array(rows);
  if (!hasRoom) {
    first.names.copy(names);
    hashes.set(first.hashes);
  }
  rest.names.copy(names, first.names.length);
  hashes.set(rest.hashes, first.rows);
  return { names, hashes, rows, unusable: first.unusable + rest.unusable };
}

/** Returns the names with zeros behind them, up to a multiple of four bytes. */
export function padNames(names: Buffer): Buffer {
  const length = Math.ceil(names.length / 4) * 4;
  if (names.byteOffset + length > names.buffer.byteLength) return Buffer.concat([names], length);
  return Buffer.from(names.buffer, names.byteOffset, length).fill(0, names.length);
}
