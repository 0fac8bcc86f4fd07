import type { BlocklistEntries } from '../../shared/checks/blocklist.ts';
import type { Findings } from './formats.ts';
import { LISTED } from './index-layout.ts';
import { lastHash, MAX_NAME, readName } from './names.ts';

/**
 * Why a file is no blocklist: a web page; no known format, or mostly unreadable; its end is missing; it unpacks to too much; or
 * it has too many names.
 */
export type ListProblem = 'html' | 'garbage' | 'cut' | 'packed' | 'large';

/** Names of a list, or of a part of one, in memory that threads share. */
export interface Names {
  /** In order, each as its LISTED bits, its length and its bytes; the length of their memory is a multiple of four. */
  names: Uint8Array;
  /** Of the names, in order. */
  hashes: Int32Array;
  /** Where each name begins in `names`. */
  places: Int32Array;
  /** Numbers of rows by kind, a repeated name as often as it stands there. */
  entries: BlocklistEntries;
  rows: number;
  unusable: number;
}

// The whole register has two million names in 50 MB. Building an index takes about three times that.
const MAX_NAMES_BYTES = 2 ** 28;
const MAX_ROWS = 10_000_000;

const isTooMany = (bytes: number, rows: number): boolean => bytes > MAX_NAMES_BYTES - MAX_NAME || rows >= MAX_ROWS;

/** Returns whether a list has reached the limit of names; a store drops those beyond it. */
export const isFull = ({ names, rows }: Names): boolean => isTooMany(names.length, rows);

const padded = (bytes: number): number => Math.ceil(bytes / 4) * 4;
const bytesOf = (length: number): Uint8Array => new Uint8Array(new SharedArrayBuffer(length));
/** Returns integers in memory that threads share. */
export const integersOf = (length: number): Int32Array => new Int32Array(new SharedArrayBuffer(length * 4));

function longer(integers: Int32Array): Int32Array {
  const twice = integersOf(integers.length * 2);
  twice.set(integers);
  return twice;
}

/** Keeps the findings of a reader. */
export function createNameStore(): Findings & { isFull: () => boolean; taken: () => Names } {
  // Enough for most lists: unused pages take no memory, while growing copies the names.
  let names = bytesOf(1 << 25);
  let hashes = integersOf(1 << 20);
  let places = integersOf(1 << 20);
  const counts = new Int32Array(LISTED.url + 1);
  let used = 0;
  let rows = 0;
  let unusable = 0;
  const skip = (): void => void unusable++;
  const take: Findings['take'] = (bytes, start, end, listed) => {
    while (start < end && bytes[start]! <= 0x20) start++;
    while (end > start && bytes[end - 1]! <= 0x20) end--;
    if (start === end || isTooMany(used, rows)) return;
    if (used + MAX_NAME + 2 > names.length) {
      const grown = bytesOf(names.length * 2);
      grown.set(names);
      names = grown;
    }
    if (rows === hashes.length) {
      hashes = longer(hashes);
      places = longer(places);
    }
    const isMask = bytes[start] === 0x2a && bytes[start + 1] === 0x2e;
    const length = readName(bytes, isMask ? start + 2 : start, end, names, used + 2);
    if (length < 0) skip();
    if (length <= 0) return;
    const kind = isMask && listed === LISTED.exact ? LISTED.mask : listed;
    counts[kind]!++;
    names[used] = kind;
    names[used + 1] = length;
    hashes[rows] = lastHash;
    places[rows] = used;
    used += length + 2;
    rows++;
  };
  const taken = (): Names => ({
    names: names.subarray(0, used),
    hashes: hashes.subarray(0, rows),
    places: places.subarray(0, rows),
    entries: { exact: counts[LISTED.exact]!, mask: counts[LISTED.mask]!, url: counts[LISTED.url]! },
    rows,
    unusable,
  });
  return { take, skip, taken, isFull: () => isTooMany(used, rows) };
}

/** Joins the names of two parts of a list, in their order. The parts must not be used afterwards. */
export function joinNames(first: Names, rest: Names): Names {
  const bytes = first.names.length + rest.names.length;
  const rows = first.rows + rest.rows;
  // Where the first part's memory has room for both it is used further.
  const hasRoom = first.names.buffer.byteLength >= bytes && first.hashes.buffer.byteLength >= rows * 4;
  const names = hasRoom ? new Uint8Array(first.names.buffer, 0, bytes) : bytesOf(padded(bytes)).subarray(0, bytes);
  const hashes = hasRoom ? new Int32Array(first.hashes.buffer, 0, rows) : integersOf(rows);
  const places = hasRoom ? new Int32Array(first.places.buffer, 0, rows) : integersOf(rows);
  if (!hasRoom) {
    names.set(first.names);
    hashes.set(first.hashes);
    places.set(first.places);
  }
  names.set(rest.names, first.names.length);
  hashes.set(rest.hashes, first.rows);
  const entries = {
    exact: first.entries.exact + rest.entries.exact,
    mask: first.entries.mask + rest.entries.mask,
    url: first.entries.url + rest.entries.url,
  };
  for (let row = 0; row < rest.rows; row++) places[first.rows + row] = rest.places[row]! + first.names.length;
  return { names, hashes, places, rows, entries, unusable: first.unusable + rest.unusable };
}

/** Returns the names with zeros behind them, up to a multiple of four bytes. */
export const padNames = (names: Uint8Array): Uint8Array =>
  new Uint8Array(names.buffer, names.byteOffset, padded(names.length)).fill(0, names.length);
