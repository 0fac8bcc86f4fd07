import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { BlocklistFormat } from '../../shared/checks/blocklist.ts';
import { BLOCK, PackedTooMuch, readAhead, unzip, type Range } from './content.ts';
import { jsonReader, listReader, rowReader, xmlReader, type Findings, type Reader } from './formats.ts';
import { createNameStore, isFull, joinNames, padNames, type ListProblem, type Names } from './name-store.ts';
import { readApart, type LastPart } from './rest.ts';

/** A list that was read to its end; `updated_at` is the date in the file itself. */
export type SoundList = Names & { updated_at: string | null; format: BlocklistFormat; problem: null };

/** Content of a file, its names followed by zeros as the index needs them. With a `problem` the names must not be used. */
export type ParsedList = SoundList | (Names & { updated_at: string | null; problem: ListProblem });

/** Findings in a file or in a range of it, not yet judged. */
export type Found = Names & {
  updated_at: string | null;
  format: BlocklistFormat | null;
  problem: ListProblem | null;
};

const LINE_FEED = 0x0a;
const HEAD = 65_536;
// One element of the register's dump can have thousands of addresses, but no valid one is longer than this.
const MAX_BLOCK = 1 << 26;
// A shorter file is read sooner than another thread has started; that takes as long as reading a tenth of the register.
const MIN_FOR_TWO = 1 << 25;
const FIRST_PART = 0.55;

const READERS: Record<BlocklistFormat, (findings: Findings) => Reader> = {
  csv: rowReader,
  list: listReader,
  json: jsonReader,
  xml: xmlReader,
};

type OnBytes = (bytes: number) => void;

/**
 * Reads a blocklist of any known format, plain or gzip; skips addresses in it. Calls `onBytes` with the number of bytes read of
 * the file. Reads a long file of rows in two threads. Makes no string for a clean name: a million rows take 300 ms of one
 * thread and 60 MB. Throws errors of the file system.
 */
export async function parseList(path: string, onBytes: OnBytes): Promise<ParsedList> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    if (buffer[0] === 0x1f && buffer[1] === 0x8b) return judge(await parse(unzip(file, onBytes)));
    const head = buffer.subarray(0, bytesRead);
    const part = await secondPart(file.fd, head, (await file.stat()).size);
    return judge(await (part === null ? parseRange(file.fd, WHOLE, onBytes) : parseInTwo(file.fd, part, onBytes)));
  } finally {
    await file.close();
  }
}

const WHOLE: Range = { start: 0, end: Infinity };

// Null if the file is not worth it, has no rows, or has none that begins about there.
async function secondPart(fd: number, head: Buffer, size: number): Promise<LastPart | null> {
  if (size < MIN_FOR_TWO || availableParallelism() === 1) return null;
  const format = detectFormat(head.toString('latin1'));
  if (format !== 'csv' && format !== 'list') return null;
  const about = Math.floor(size * FIRST_PART);
  for await (const chunk of readAhead(fd, { start: about, end: about + HEAD }, () => {})) {
    const end = chunk.indexOf(LINE_FEED);
    if (end >= 0) return { start: about + end + 1, format };
  }
  return null;
}

async function parseInTwo(fd: number, part: LastPart, onBytes: OnBytes): Promise<Found> {
  const bytes = [0, 0];
  const onPart = (index: number) => (read: number) => {
    bytes[index] = read;
    onBytes(bytes[0]! + bytes[1]!);
  };
  const { rest, stop } = readApart(fd, part, onPart(1));
  try {
    const found = await parseRange(fd, { start: 0, end: part.start }, onPart(0));
    if (found.problem !== null) return found;
    // Without another thread the rest is read here: a limit of the machine must not keep the list from coming.
    const last = { start: part.start, end: Infinity };
    const { problem, ...names } = await rest.catch(() => parseRange(fd, last, onPart(1), part.format));
    return { ...found, ...joinNames(found, names), problem };
  } finally {
    await stop();
  }
}

/** Reads a range of an open file; it must begin with a row of the `format`, if one is given. */
export function parseRange(fd: number, range: Range, onBytes: OnBytes, format?: BlocklistFormat): Promise<Found> {
  return parse(readAhead(fd, range, onBytes), format);
}

async function parse(content: AsyncIterable<Buffer>, format?: BlocklistFormat): Promise<Found> {
  const parser = createParser(format);
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

function judge({ format, problem, ...found }: Found): ParsedList {
  const list = { ...found, names: padNames(found.names) };
  // Further names were dropped.
  if (problem === null && isFull(found)) return { ...list, problem: 'large' };
  if (format === null || (problem === null && found.unusable > found.rows))
    return { ...list, problem: problem ?? 'garbage' };
  return problem === null ? { ...list, format, problem } : { ...list, problem };
}

// Collects chunks into blocks, detects the format in the first one, unless it is known, and feeds its reader.
function createParser(known?: BlocklistFormat) {
  const names = createNameStore();
  // Room for an unread rest, a chunk, and the line feed that a last line may lack.
  let block = Buffer.allocUnsafeSlow(BLOCK * 2);
  let filled = 0;
  let format: BlocklistFormat | null = known ?? null;
  let reader: Reader | null = known ? READERS[known](names) : null;
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
      if (reader?.isComplete() === false) problem ??= names.isFull() ? 'large' : 'cut';
      return { ...names.taken(), updated_at: updatedAt, format, problem };
    },
  };
}

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
