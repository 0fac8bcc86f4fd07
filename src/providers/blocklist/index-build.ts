import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { BlocklistEntries } from '../../shared/blocklist.ts';
import {
  encodeHeader,
  finishHash,
  HASH_PRIME,
  HASH_SEED,
  LISTED,
  type IndexMeta,
  type ListFacts,
} from './index-layout.ts';
import type { ParsedList } from './parse.ts';

// Fuller, and runs of taken slots grow long.
const MAX_LOAD = 0.7;

/** What an index file holds behind its header, and its distinct names by how they are listed. */
export interface IndexBody {
  slots: number;
  table: Buffer;
  names: Buffer;
  entries: BlocklistEntries;
}

/**
 * Makes the tables of an index; it marks the names where they stand. Of a name that comes again the first counts: the
 * others stay as unused bytes, since moving the names together would take longer than the rest.
 */
export function buildIndex({ names, rows }: Pick<ParsedList, 'names' | 'rows'>): IndexBody {
  const entries: BlocklistEntries = { exact: 0, mask: 0, url: 0 };
  const slots = 2 ** Math.ceil(Math.log2(Math.max(rows, 1) / MAX_LOAD));
  const table = new Int32Array(slots * 2);
  const hashes = hashNames(names, rows);
  for (let row = 0, at = 0; row < rows; row++) {
    const listed = names[at]!;
    const hash = hashes[row]!;
    let slot = hash & (slots - 1);
    let place = table[slot * 2 + 1]!;
    while (place !== 0 && (table[slot * 2] !== hash || !isSame(names, place - 1, at))) {
      slot = (slot + 1) & (slots - 1);
      place = table[slot * 2 + 1]!;
    }
    if (place === 0) {
      table[slot * 2] = hash;
      table[slot * 2 + 1] = at + 1;
      count(entries, listed);
    } else if ((names[place - 1]! & listed) === 0) {
      names[place - 1] = names[place - 1]! | listed;
      count(entries, listed);
    }
    at += 2 + names[at + 1]!;
  }
  return { slots, table: Buffer.from(table.buffer), names, entries };
}

function count(entries: BlocklistEntries, listed: number): void {
  if (listed === LISTED.exact) entries.exact++;
  else if (listed === LISTED.mask) entries.mask++;
  else entries.url++;
}

function isSame(names: Uint8Array, one: number, other: number): boolean {
  const end = names[one + 1]! + 2;
  for (let i = 1; i < end; i++) if (names[one + i] !== names[other + i]) return false;
  return true;
}

// Apart from the table, because the processor overlaps the table's cache misses only where nothing else is between them:
// twice as quick. From a name's end, as the look-up does it, which gets the hashes of all parents in one pass.
function hashNames(names: Uint8Array, rows: number): Int32Array {
  const hashes = new Int32Array(rows);
  for (let row = 0, at = 0; row < rows; row++) {
    const start = at + 2;
    const end = start + names[at + 1]!;
    let hash = HASH_SEED;
    for (let i = end - 1; i >= start; i--) hash = Math.imul(hash ^ names[i]!, HASH_PRIME);
    hashes[row] = finishHash(hash);
    at = end;
  }
  return hashes;
}

/** Writes a new index file, down to the disk. */
export async function writeIndex(path: string, body: IndexBody, facts: ListFacts): Promise<IndexMeta> {
  const { slots, table, names, entries } = body;
  const checksum = crc32(names, crc32(table));
  const list_version = `${checksum.toString(16).padStart(8, '0')}-${entries.exact + entries.mask + entries.url}`;
  const meta: IndexMeta = { ...facts, list_version, entries };
  const file = await open(path, 'wx');
  try {
    await file.writev([encodeHeader({ slots, namesBytes: names.length, checksum, meta }), table, names]);
    await file.sync();
  } finally {
    await file.close();
  }
  return meta;
}
