import { open, type FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { BlocklistFormat } from '../../shared/checks/blocklist.ts';
import { jsonReader, listReader, rowReader, xmlReader, type Findings, type Reader } from './formats.ts';
import { LISTED } from './index-layout.ts';
import { lastHash, MAX_NAME, readName } from './names.ts';

/**
 * Why a file is no blocklist: a web page; no known format, or mostly unreadable; its end is missing; it unpacks to too much; or
 * it has too many names.
 */
export type ListProblem = 'html' | 'garbage' | 'cut' | 'packed' | 'large';

interface Names {
  /** In order, each as its LISTED bits, its length and its bytes; then zeros up to a multiple of four. */
  names: Buffer;
  /** Of the names, in order. */
  hashes: Int32Array;
  rows: number;
  unusable: number;
  /** The date in the file itself. */
  updated_at: string | null;
}

/** A list that was read to its end. */
export type SoundList = Names & { format: BlocklistFormat; problem: null };

/** Content of a file. With a `problem` the names read before it must not be used. */
export type ParsedList = SoundList | (Names & { problem: ListProblem });

const LINE_FEED = 0x0a;
const BLOCK = 1 << 20;
// One element of the register's dump can have thousands of addresses, but no valid one is longer than this.
const MAX_BLOCK = 1 << 26;
// Limits of a compressed file. Lists are packed to a tenth; small files may repeat one name.
const MAX_UNPACKED = 2 ** 30;
const MAX_RATIO = 100;
const RATIO_COUNTS_FROM = 1 << 23;
// The whole register has two million names in 50 MB. Building an index takes about three times that.
const MAX_NAMES_BYTES = 2 ** 28;
const MAX_ROWS = 10_000_000;

const READERS: Record<BlocklistFormat, (findings: Findings) => Reader> = {
  csv: rowReader,
  list: listReader,
  json: jsonReader,
  xml: xmlReader,
};

/**
 * Reads a blocklist of any known format, plain or gzip; skips addresses in it. Calls `onBytes` with the number of bytes read of
 * the file. Makes no string for a clean name: a million rows take 300 ms and 60 MB. Throws errors of the file system.
 */
export async function parseList(path: string, onBytes: (bytes: number) => void): Promise<ParsedList> {
  const parser = createParser();
  try {
    for await (const chunk of unpack(path, onBytes)) {
      if (!parser.push(chunk)) return parser.finish();
    }
  } catch (error) {
    if (error instanceof PackedTooMuch) return { ...parser.finish(), problem: 'packed' };
    if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error;
    return { ...parser.finish(), problem: 'cut' };
  }
  return parser.finish();
}

// A chunk may be overwritten when the next one is requested.
async function* unpack(path: string, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    const isGzip = buffer[0] === 0x1f && buffer[1] === 0x8b;
    yield* isGzip ? unzip(file, onBytes) : readAhead(file, onBytes);
  } finally {
    await file.close();
  }
}

class PackedTooMuch extends Error {}

async function* unzip(file: FileHandle, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  const source = file.createReadStream({ start: 0, autoClose: false });
  // The iteration below throws the error that pipeline reports here, too.
  const content = pipeline(source, createGunzip({ chunkSize: BLOCK }), () => {});
  let unpacked = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    unpacked += chunk.length;
    const isBomb = unpacked > RATIO_COUNTS_FROM && unpacked > source.bytesRead * MAX_RATIO;
    if (isBomb || unpacked > MAX_UNPACKED) throw new PackedTooMuch();
    onBytes(source.bytesRead);
    yield chunk;
  }
}

// While one chunk is being parsed, the next one is read into another buffer; therefore a chunk is as long as a block. Two
// buffers are reused: a stream allocates new memory for each chunk, which takes as long as the reading.
async function* readAhead(file: FileHandle, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  const buffers = [Buffer.allocUnsafeSlow(BLOCK), Buffer.allocUnsafeSlow(BLOCK)] as const;
  const read = (turn: number, at: number) => file.read(buffers[turn & 1]!, 0, BLOCK, at);
  let bytes = 0;
  let reading = read(0, 0);
  try {
    for (let turn = 1; ; turn++) {
      const { bytesRead, buffer } = await reading;
      if (bytesRead === 0) return;
      bytes += bytesRead;
      reading = read(turn, bytes);
      onBytes(bytes);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    // After an early end the error of the pending read is ignored.
    await reading.catch(() => {});
  }
}

// Collects chunks into blocks, detects the format in the first one and feeds its reader.
function createParser() {
  const names = createNameStore();
  // Room for an unread rest, a chunk, and the line feed that a last line may lack.
  let block = Buffer.allocUnsafeSlow(BLOCK * 2);
  let filled = 0;
  let reader: Reader | null = null;
  let format: BlocklistFormat | null = null;
  let updatedAt: string | null = null;
  let problem: ListProblem | null = null;

  function start(): void {
    if (block.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) block.fill(' ', 0, 3);
    const head = block.toString('latin1', 0, Math.min(filled, 65_536));
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
    finish(): ParsedList {
      if (reader === null) start();
      if (format === 'csv' || format === 'list') block[filled++] = LINE_FEED;
      readBlock();
      // Further names were dropped.
      if (names.isFull()) problem ??= 'large';
      if (reader?.isComplete() === false) problem ??= 'cut';
      const found = { ...names.taken(), updated_at: updatedAt };
      if (format === null || found.unusable > found.rows) problem ??= 'garbage';
      return format === null || problem !== null ? { ...found, problem: problem! } : { ...found, format, problem };
    },
  };
}

function createNameStore() {
  // Enough for most lists: unused pages take no memory, while growing copies the names.
  let names = Buffer.allocUnsafeSlow(1 << 25);
  let hashes = new Int32Array(1 << 20);
  let used = 0;
  let rows = 0;
  let unusable = 0;
  const skip = (): void => void unusable++;
  const isFull = (): boolean => used > MAX_NAMES_BYTES - MAX_NAME || rows >= MAX_ROWS;
  const take: Findings['take'] = (bytes, start, end, listed) => {
    while (start < end && bytes[start]! <= 0x20) start++;
    while (end > start && bytes[end - 1]! <= 0x20) end--;
    if (start === end || isFull()) return;
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
  const taken = (): Omit<Names, 'updated_at'> => {
    const end = Math.ceil(used / 4) * 4;
    return { names: names.fill(0, used, end).subarray(0, end), hashes: hashes.subarray(0, rows), rows, unusable };
  };
  return { take, skip, taken, isFull };
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
