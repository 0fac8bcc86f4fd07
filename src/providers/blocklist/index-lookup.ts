import { closeSync, openSync, read, readSync } from 'node:fs';
import type { Verdict } from '../../shared/checks/blocklist.ts';
import {
  bodyBytes,
  finishHash,
  HASH_PRIME,
  HEADER_BYTES,
  isAt,
  LISTED,
  LISTED_SHIFT,
  MASK_SHIFT,
  PAGE_BYTES,
  pagesOf,
  pageSum,
  placeIn,
  readHeader,
  sumsBytes,
  type IndexHeader,
  type IndexMeta,
} from './index-layout.ts';
import type { IndexTables } from './bulk-lookup.ts';
import { copyCanonical, MAX_NAME, readName } from './names.ts';
import type { PackedNames } from './packed-names.ts';

/** Above this number of names it is faster to read the whole file once than the pages of each name. */
const READ_WHOLE_ABOVE = 2000;
const DOT = 0x2e;

const FREE: Verdict = Object.freeze({ status: 'free', reason: null, entry: null, url_listed: false });
/** The verdict if the list can't tell. */
export const UNKNOWN: Verdict = Object.freeze({ status: 'unknown', reason: null, entry: null, url_listed: false });

/** An open index file. It stays readable after another one has replaced it. */
export interface IndexFile {
  meta: IndexMeta;
  /** Returns verdicts in the order of `hosts`, by this list, however old it is; null if the file turns out to be damaged. */
  check(hosts: string[]): Promise<Verdict[] | null>;
  /** Verifies the checksum. Reads the whole list. */
  isWhole(): Promise<boolean>;
  /** Reads the whole list and returns a function to look up names by the hundred thousand; null if the file is damaged. */
  load(): Promise<((names: PackedNames) => Int32Array) | null>;
  close(): void;
}

/**
 * Opens an index file; null if there is none, `damaged` if its header is damaged or its length wrong. Reads one page,
 * synchronously, because the thread pool would take longer.
 */
export function openIndex(path: string): IndexFile | 'damaged' | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const header = headerOf(file);
  if (header === null) {
    closeSync(file);
    return 'damaged';
  }
  return {
    meta: header.meta,
    close: () => closeSync(file),
    async check(hosts) {
      const index = hosts.length > READ_WHOLE_ABOVE ? await readIndex(file, header) : header;
      const find = index && ('names' in index ? findInMemory(index) : findOnDisk(file, index));
      try {
        return find === null ? null : verdictsOf(hosts, find, hasMasks(header.meta));
      } catch (error) {
        if (error instanceof DamagedPage) return null;
        throw error;
      }
    },
    async isWhole() {
      const { isWhole } = await import('./index-whole.ts');
      return isWhole(file, header);
    },
    async load() {
      const reading = readIndex(file, header);
      const [{ findAll }, index] = await Promise.all([import('./bulk-lookup.ts'), reading]);
      return index && ((names) => findAll(names, index));
    },
  };
}

// The read is under way while the module that verifies it is loaded: a look-up of ten names never loads that module.
async function readIndex(file: number, header: IndexHeader): Promise<IndexTables | null> {
  const body = Buffer.allocUnsafeSlow(bodyBytes(header) + sumsBytes(header));
  const reading = new Promise<number>((resolve, reject) => {
    read(file, body, 0, body.length, HEADER_BYTES, (error, bytesRead) => (error ? reject(error) : resolve(bytesRead)));
  });
  const [{ tablesOf }, bytesRead] = await Promise.all([import('./index-whole.ts'), reading]);
  return bytesRead === body.length ? tablesOf(body, header) : null;
}

function headerOf(file: number): IndexHeader | null {
  try {
    return readHeader(file);
  } catch {
    return null;
  }
}

/** Returns the LISTED bits of `name[start, end)`, whose hash is given; 0 if it is not listed. */
type Find = (hash: number, name: Uint8Array, start: number, end: number) => number;

// Reads a host with the reader of the list's names, unless it is in canonical spelling already.
function verdictsOf(hosts: string[], find: Find, byMask: boolean): Verdict[] {
  const typed = Buffer.alloc(1024);
  const name = Buffer.alloc(MAX_NAME);
  return hosts.map((host) => {
    if (copyCanonical(host, name)) return verdictOf(findingOf(name, host.length, find), host, byMask);
    const text = host.length <= MAX_NAME ? host.trim() : '';
    const length = readName(typed, 0, typed.write(text), name, 0);
    if (length <= 0) return UNKNOWN;
    return verdictOf(findingOf(name, length, find), name.toString('latin1', 0, length), byMask);
  });
}

/**
 * Turns a finding of `findingOf` into a verdict. Its lowest bits are how the name itself is LISTED, alone or by URLs; above
 * them is the offset in the name, counted from 1, of the mask or, in a list without masks, of the parent that blocks it, or 0.
 */
function verdictOf(finding: number, host: string, byMask: boolean): Verdict {
  const url_listed = (finding & LISTED.url) !== 0;
  const mask = maskOf(finding);
  if ((finding & LISTED.exact) !== 0) return { status: 'blocked', reason: 'domain', entry: host, url_listed };
  if (mask >= 0) {
    const parent = host.slice(mask);
    return byMask
      ? { status: 'blocked', reason: 'mask', entry: `*.${parent}`, url_listed }
      : { status: 'blocked', reason: 'parent', entry: parent, url_listed };
  }
  return url_listed ? { ...FREE, url_listed } : FREE;
}

/** Whether a list tells masks from names. */
export const hasMasks = ({ entries }: Pick<IndexMeta, 'entries'>): boolean => entries.mask > 0;

/** Returns the offset in the name of the mask that blocks it; -1 without one. */
export const maskOf = (finding: number): number => (finding >> MASK_SHIFT) - 1;

// A host is blocked by its own name, or by a mask of its own name or of a parent; by nothing else. In a list without masks each name
// is marked as one.
function findingOf(name: Uint8Array, length: number, find: Find): number {
  let hash = 0;
  let power = 1;
  let maskStart = -1;
  let labels = 0;
  for (let i = length - 1; i >= 0; i--) {
    // A mask has at least two labels.
    if (name[i] === DOT && ++labels > 1 && (find(finishHash(hash), name, i + 1, length) & LISTED.mask) !== 0) {
      maskStart = i + 1;
    }
    hash = (hash + Math.imul(name[i]!, power)) | 0;
    power = Math.imul(power, HASH_PRIME);
  }
  const listed = find(finishHash(hash), name, 0, length);
  if ((listed & LISTED.mask) !== 0) maskStart = 0;
  return (listed & (LISTED.exact | LISTED.url)) | ((maskStart + 1) << MASK_SHIFT);
}

function findInMemory({ buckets, tables, names }: IndexTables): Find {
  return (hash, name, start, end) => {
    const bucket = hash & (buckets - 1);
    const last = buckets + 1 + tables[bucket + 1]! * 2;
    for (let entry = buckets + 1 + tables[bucket]! * 2; entry < last; entry += 2) {
      const found = tables[entry + 1]!;
      if (tables[entry] === hash && isAt(names, placeIn(found), name, start, end)) return found >> LISTED_SHIFT;
    }
    return 0;
  };
}

/** Thrown by a look-up on disk that reads a page with a wrong sum. */
class DamagedPage extends Error {}

function findOnDisk(file: number, header: IndexHeader): Find {
  const { buckets, namesBytes } = header;
  const readNames = pageReader(file, header, 0, namesBytes);
  const readTables = pageReader(file, header, namesBytes, bodyBytes(header));
  const entriesStart = namesBytes + (buckets + 1) * 4;
  return (hash, name, start, end) => {
    const bounds = readTables(namesBytes + (hash & (buckets - 1)) * 4, 8);
    const first = bounds.readInt32LE(0);
    const last = bounds.readInt32LE(4);
    if (first === last) return 0;
    const entries = readTables(entriesStart + first * 8, (last - first) * 8);
    for (let i = 0; i < entries.length; i += 8) {
      if (entries.readInt32LE(i) !== hash) continue;
      const found = entries.readInt32LE(i + 4);
      const place = placeIn(found);
      const record = readNames(place, Math.min(MAX_NAME + 1, namesBytes - place));
      if (isAt(record, 0, name, start, end)) return found >> LISTED_SHIFT;
    }
    return 0;
  };
}

/**
 * Makes a reader of what is from `partStart` up to `partEnd` after the header, that reads whole pages and verifies their sums.
 * The next read overwrites the returned bytes.
 */
function pageReader(file: number, header: IndexHeader, partStart: number, partEnd: number) {
  const end = bodyBytes(header);
  let bytes = Buffer.alloc(PAGE_BYTES * 4);
  let sums = new Int32Array(4);
  return (start: number, length: number): Buffer => {
    const firstPage = Math.floor(start / PAGE_BYTES);
    const pages = pagesOf(start + length) - firstPage;
    if (start < partStart || length <= 0 || start + length > partEnd) throw new DamagedPage();
    if (pages > sums.length) {
      bytes = Buffer.alloc(PAGE_BYTES * pages);
      sums = new Int32Array(pages);
    }
    const from = firstPage * PAGE_BYTES;
    const wanted = Math.min(pages * PAGE_BYTES, end - from);
    const isWhole =
      readSync(file, bytes, 0, wanted, HEADER_BYTES + from) === wanted &&
      readSync(file, sums, 0, pages * 4, HEADER_BYTES + end + firstPage * 4) === pages * 4;
    if (!isWhole) throw new DamagedPage();
    const words = new Int32Array(bytes.buffer, bytes.byteOffset, wanted / 4);
    for (let page = 0; page < pages; page++) {
      const at = (page * PAGE_BYTES) / 4;
      if (pageSum(words, at, Math.min(at + PAGE_BYTES / 4, words.length)) !== sums[page]) throw new DamagedPage();
    }
    return bytes.subarray(start - from, start - from + length);
  };
}
