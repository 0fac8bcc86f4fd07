import { closeSync, openSync, read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Verdict } from '../../shared/blocklist.ts';
import {
  finishHash,
  HASH_PRIME,
  HASH_SEED,
  HEADER_BYTES,
  LISTED,
  readHeader,
  type IndexHeader,
  type IndexMeta,
} from './index-layout.ts';
import { copyCanonical, MAX_NAME, readName } from './names.ts';

/** Above this many names it is quicker to read the whole file once than the pages of each name. */
const READ_WHOLE_ABOVE = 2000;
// Slots read at once from the disk: the run in which a name stands is nearly always shorter.
const RUN = 64;
const DOT = 0x2e;

const FREE: Verdict = Object.freeze({ status: 'free', reason: null, entry: null, url_listed: false });
/** The verdict where the list can't tell. */
export const UNKNOWN: Verdict = Object.freeze({ status: 'unknown', reason: null, entry: null, url_listed: false });

/** An open index file. It stays readable when another takes its place. */
export interface IndexFile {
  meta: IndexMeta;
  /** Verdicts in the order asked, by this list alone, however old it is; null where the file turns out to be damaged. */
  check(hosts: string[]): Promise<Verdict[] | null>;
  close(): void;
}

/**
 * Opens an index file: null where there is none, `damaged` where it is not whole. Reads one page, and without waiting: a
 * turn of the thread pool takes longer.
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
      const find = hosts.length > READ_WHOLE_ABOVE ? await findInMemory(file, header) : findOnDisk(file, header);
      return find === null ? null : verdictsOf(hosts, find);
    },
  };
}

function headerOf(file: number): IndexHeader | null {
  try {
    return readHeader(file);
  } catch {
    return null;
  }
}

/** How `name[start, end)`, whose hash is given, is listed; 0 where it is not. */
type Find = (hash: number, name: Uint8Array, start: number, end: number) => number;

// A host goes the way of a list's name, by the same reader, unless it is in the list's own spelling already.
function verdictsOf(hosts: string[], find: Find): Verdict[] {
  const typed = Buffer.alloc(1024);
  const name = Buffer.alloc(MAX_NAME);
  return hosts.map((host) => {
    if (copyCanonical(host, name)) return verdictOf(name, host.length, find, host);
    const text = host.length <= MAX_NAME ? host.trim() : '';
    const length = readName(typed, 0, typed.write(text), name, 0);
    return length > 0 ? verdictOf(name, length, find, name.toString('latin1', 0, length)) : UNKNOWN;
  });
}

// A host is blocked by its own name, or by a mask of its own name or of one above it. Nothing else blocks it.
function verdictOf(name: Buffer, length: number, find: Find, host: string): Verdict {
  let hash = HASH_SEED;
  let maskStart = -1;
  let labels = 0;
  for (let i = length - 1; i >= 0; i--) {
    // A mask has two labels at least.
    if (name[i] === DOT && ++labels > 1 && (find(finishHash(hash), name, i + 1, length) & LISTED.mask) !== 0) {
      maskStart = i + 1;
    }
    hash = Math.imul(hash ^ name[i]!, HASH_PRIME);
  }
  const listed = find(finishHash(hash), name, 0, length);
  if ((listed & LISTED.mask) !== 0) maskStart = 0;
  const url_listed = (listed & LISTED.url) !== 0;
  if ((listed & LISTED.exact) !== 0) return { status: 'blocked', reason: 'domain', entry: host, url_listed };
  if (maskStart >= 0) return { status: 'blocked', reason: 'mask', entry: `*.${host.slice(maskStart)}`, url_listed };
  return url_listed ? { ...FREE, url_listed } : FREE;
}

async function findInMemory(file: number, { slots, namesBytes, checksum }: IndexHeader): Promise<Find | null> {
  const body = Buffer.allocUnsafeSlow(slots * 8 + namesBytes);
  const { crc32 } = await import('node:zlib');
  const { bytesRead } = await promisify(read)(file, body, 0, body.length, HEADER_BYTES);
  if (bytesRead !== body.length || crc32(body) !== checksum) return null;
  const table = new Int32Array(body.buffer, 0, slots * 2);
  const names = body.subarray(slots * 8);
  return (hash, name, start, end) => {
    let slot = hash & (slots - 1);
    for (let place = table[slot * 2 + 1]!; place !== 0; place = table[slot * 2 + 1]!) {
      if (table[slot * 2] === hash && isAt(names, place - 1, name, start, end)) return names[place - 1]!;
      slot = (slot + 1) & (slots - 1);
    }
    return 0;
  };
}

function findOnDisk(file: number, { slots, namesBytes }: IndexHeader): Find {
  const run = new Int32Array(RUN * 2);
  const record = new Uint8Array(MAX_NAME + 2);
  const namesStart = HEADER_BYTES + slots * 8;
  return (hash, name, start, end) => {
    let slot = hash & (slots - 1);
    for (let seen = 0; seen < slots;) {
      const length = Math.min(RUN, slots - slot);
      readSync(file, run, 0, length * 8, HEADER_BYTES + slot * 8);
      for (let i = 0; i < length; i++) {
        const place = run[i * 2 + 1]!;
        if (place === 0) return 0;
        if (run[i * 2] !== hash || place > namesBytes) continue;
        readSync(file, record, 0, record.length, namesStart + place - 1);
        if (isAt(record, 0, name, start, end)) return record[0]!;
      }
      seen += length;
      slot = (slot + length) & (slots - 1);
    }
    return 0;
  };
}

function isAt(names: Uint8Array, place: number, name: Uint8Array, start: number, end: number): boolean {
  if (names[place + 1] !== end - start) return false;
  for (let i = start, at = place + 2; i < end; i++, at++) if (names[at] !== name[i]) return false;
  return true;
}
