import type { BlocklistFormat } from '../../shared/checks/blocklist.ts';
import { jsonReader, listReader, rowReader, xmlReader, type Findings, type Reader } from './formats.ts';
import { createNameStore, type ListProblem, type Names } from './name-store.ts';
import { BLOCK } from './read-ahead.ts';

/** Findings in a file, not yet judged. */
export type Found = Names & {
  updated_at: string | null;
  format: BlocklistFormat | null;
  problem: ListProblem | null;
};

/** A compressed file that unpacks to too much. */
export class PackedTooMuch extends Error {}

const LINE_FEED = 0x0a;
const HEAD = 65_536;
// One element of the register's dump can have thousands of addresses, but no valid one is longer than this.
const MAX_BLOCK = 1 << 26;

const READERS: Record<BlocklistFormat, (findings: Findings) => Reader> = {
  csv: rowReader,
  list: listReader,
  json: jsonReader,
  xml: xmlReader,
};

/** Reads the content of a list, which may end early with PackedTooMuch or an error of zlib: the names before that are found. */
export async function parse(content: AsyncIterable<Buffer>): Promise<Found> {
  const parser = createParser();
  try {
    for await (const chunk of content) {
      if (!parser.push(chunk)) return parser.finish();
    }
  } catch (error) {
    if (error instanceof PackedTooMuch) return { ...parser.finish(), problem: 'packed' };
    if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error;
    return { ...parser.finish(), problem: 'cut' };
  }
  return parser.finish();
}

// Collects chunks into blocks, detects the format in the first one, and feeds its reader.
function createParser() {
  const names = createNameStore();
  // Room for an unread rest, a chunk, and the line feed that a last line may lack.
  let block = Buffer.allocUnsafeSlow(BLOCK * 2);
  let filled = 0;
  let format: BlocklistFormat | null = null;
  let reader: Reader | null = null;
  let updatedAt: string | null = null;
  let problem: ListProblem | null = null;

  function start(): void {
    if (block.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) block.fill(' ', 0, 3);
    const head = block.toString('latin1', 0, Math.min(filled, HEAD));
    const found = detectFormat(head);
    if (found === 'html' || found === 'garbage') problem = found;
    else {
      format = found;
      updatedAt = listDate(head, found);
      reader = READERS[found](names);
    }
  }

  function readBlock(): void {
    if (reader === null && problem === null) start();
    if (reader === null || problem !== null) return;
    const used = reader.read(block.subarray(0, filled));
    if (used < 0) problem = 'garbage';
    else {
      block.copyWithin(0, used, filled);
      filled -= used;
    }
  }

  return {
    /** Returns false once there is a problem, so that the rest need not be read. */
    push(chunk: Buffer): boolean {
      if (filled + chunk.length >= block.length) readBlock();
      if (filled + chunk.length >= MAX_BLOCK) problem ??= 'garbage';
      if (names.isFull()) problem ??= 'large';
      if (problem !== null) return false;
      if (filled + chunk.length >= block.length) {
        block = Buffer.concat([block.subarray(0, filled)], (filled + chunk.length) * 2);
      }
      chunk.copy(block, filled);
      filled += chunk.length;
      return true;
    },
    finish(): Found {
      if (reader === null) start();
      if (format === 'csv' || format === 'list') block[filled++] = LINE_FEED;
      readBlock();
      // Further names were dropped.
      if (names.isFull()) problem ??= 'large';
      else if (reader?.isComplete() === false) problem ??= 'cut';
      return { ...names.taken(), updated_at: updatedAt, format, problem };
    },
  };
}

// Tells the format of a list by its first bytes, in Latin 1.
function detectFormat(head: string): BlocklistFormat | 'html' | 'garbage' {
  if (head.includes('\0')) return 'garbage';
  const text = head.trimStart();
  if (text.startsWith('<')) return /<(?:\w+:)?register[\s>]/.test(text) ? 'xml' : 'html';
  if (text.startsWith('{')) return 'garbage';
  if (text.startsWith('[')) return 'json';
  if (text.startsWith('Updated:')) return 'csv';
  const firstLine = text.split(/\r?\n/).find((line) => line.trim() !== '' && !line.startsWith('#'));
  return firstLine?.includes(';') ? 'csv' : 'list';
}

// `Updated: 2025-10-01 09:05:00 +0000` in the dump's first line; `updateTime="2009-01-27T12:00:00.000+04:00"` in the register.
function listDate(head: string, format: BlocklistFormat): string | null {
  const csv = /^\s*Updated:\s*(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)\s*([+-]\d\d):?(\d\d)/;
  const xml = /\supdateTime="(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?([+-]\d\d):(\d\d)"/;
  const match = format === 'csv' ? csv.exec(head) : format === 'xml' ? xml.exec(head) : null;
  if (match === null) return null;
  const time = Date.parse(`${match[1]}T${match[2]}${match[3]}:${match[4]}`);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
