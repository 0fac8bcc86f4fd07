import type { BlocklistEntries } from '../../shared/checks/blocklist.ts';
import type { Findings } from './formats.ts';
import { LISTED, LISTED_SHIFT, PAGE_BYTES, pagesOf } from './index-layout.ts';
import { lastHash, MAX_NAME, readName } from './names.ts';
import { COUNT, createBatch, createPlainRows, type Batch, type PlainRows } from './plain-rows.ts';

/**
 * Why a file is no blocklist: a web page; no known format, or mostly unreadable; its end is missing; it unpacks to too much; or
 * it has too many names.
 */
export type ListProblem = 'html' | 'garbage' | 'cut' | 'packed' | 'large';

/** Names of a list. */
export interface Names {
  /** In order, each as its length and its bytes; then zeros up to a whole page. */
  names: Uint8Array;
  /** Of the names, in order. */
  hashes: Int32Array;
  /** Where each name begins in `names`, and above LISTED_SHIFT its LISTED bits. */
  places: Int32Array;
  /** Numbers of rows by kind, a repeated name as often as it stands there. */
  entries: BlocklistEntries;
  rows: number;
  unusable: number;
}

// The whole register has two million names in 50 MB. Building an index takes about three times that. A place among the names
// has fewer bits than LISTED_SHIFT.
const MAX_NAMES_BYTES = 2 ** LISTED_SHIFT;
const MAX_ROWS = 10_000_000;

const isTooMany = (bytes: number, rows: number): boolean => bytes > MAX_NAMES_BYTES - MAX_NAME || rows >= MAX_ROWS;

function longer(integers: Int32Array): Int32Array<ArrayBuffer> {
  const twice = new Int32Array(integers.length * 2);
  twice.set(integers);
  return twice;
}

/** Keeps names, which come in batches. */
function createNames() {
  // Enough for most lists: unused pages take no memory, while growing copies the names.
  let names = new Uint8Array(1 << 25);
  let hashes = new Int32Array(1 << 20);
  let places = new Int32Array(1 << 20);
  const totals = new Int32Array(4);
  return {
    /** By COUNT. */
    totals,
    /** Takes the names out of a batch. */
    put(batch: Batch): void {
      const [used, rows] = [totals[COUNT.bytes]!, totals[COUNT.rows]!];
      const [bytes, more] = [batch.counts[COUNT.bytes]!, batch.counts[COUNT.rows]!];
      while (used + bytes > names.length) {
        const grown = new Uint8Array(names.length * 2);
        grown.set(names);
        names = grown;
      }
      while (rows + more > hashes.length) {
        hashes = longer(hashes);
        places = longer(places);
      }
      names.set(batch.names.subarray(0, bytes), used);
      hashes.set(batch.hashes.subarray(0, more), rows);
      places.set(batch.places.subarray(0, more), rows);
      for (let count = 0; count < totals.length; count++) totals[count]! += batch.counts[count]!;
      batch.counts.fill(0);
    },
    taken(): Omit<Names, 'unusable'> {
      const [used = 0, rows = 0, mask = 0, url = 0] = totals;
      return {
        names: padNames(names, used),
        hashes: hashes.subarray(0, rows),
        places: places.subarray(0, rows),
        entries: { exact: rows - mask - url, mask, url },
        rows,
      };
    },
  };
}

/** Keeps the findings of a reader. `plain` is null where the machine cannot run it. */
export function createNameStore(
  plain: PlainRows | null = createPlainRows(),
): Findings & { isFull: () => boolean; taken: () => Names } {
  const all = createNames();
  const batch = plain ?? createBatch();
  const { counts } = batch;
  let unusable = 0;
  const total = (count: number): number => all.totals[count]! + counts[count]!;
  const isFull = (): boolean => isTooMany(total(COUNT.bytes), total(COUNT.rows));
  // A row has four bytes at least, and its name fewer than it.
  const makeRoom = (bytes: number): void => {
    const isFit = counts[COUNT.bytes]! + bytes <= batch.room && counts[COUNT.rows]! + bytes / 4 <= batch.hashes.length;
    if (!isFit) all.put(batch);
  };
  const skip = (): void => void unusable++;
  const take: Findings['take'] = (bytes, start, end, listed) => {
    while (start < end && bytes[start]! <= 0x20) start++;
    while (end > start && bytes[end - 1]! <= 0x20) end--;
    if (start === end || isFull()) return;
    makeRoom(MAX_NAME + 1);
    const isMask = bytes[start] === 0x2a && bytes[start + 1] === 0x2e;
    const at = counts[COUNT.bytes]!;
    const length = readName(bytes, isMask ? start + 2 : start, end, batch.names, at + 1);
    if (length < 0) skip();
    if (length <= 0) return;
    const kind = isMask && listed === LISTED.exact ? LISTED.mask : listed;
    if (kind === LISTED.mask) counts[COUNT.masks]!++;
    if (kind === LISTED.url) counts[COUNT.urls]!++;
    const row = counts[COUNT.rows]!++;
    batch.names[at] = length;
    batch.hashes[row] = lastHash;
    batch.places[row] = (all.totals[COUNT.bytes]! + at) | (kind << LISTED_SHIFT);
    counts[COUNT.bytes] = at + length + 1;
  };
  const load: Findings['load'] = (block) => {
    const bytes = block.length;
    if (plain === null || bytes > plain.room) return false;
    // Near the limit each row is read, so that the names beyond it are dropped.
    if (isTooMany(total(COUNT.bytes) + bytes, total(COUNT.rows) + bytes / 4)) return false;
    plain.load(block);
    return true;
  };
  const takePlain: Findings['takePlain'] = (at, end, hasAddresses) => {
    makeRoom(end - at);
    return plain === null ? at : plain.read(at, hasAddresses, all.totals[COUNT.bytes]!);
  };
  const taken = (): Names => {
    all.put(batch);
    return { ...all.taken(), unusable };
  };
  return { take, load, takePlain, skip, isFull, taken };
}

/** Returns the names with zeros behind them, up to a whole page: their memory is of whole pages. */
const padNames = (names: Uint8Array, used: number): Uint8Array =>
  names.subarray(0, pagesOf(used) * PAGE_BYTES).fill(0, used);
