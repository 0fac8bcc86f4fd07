import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { BlocklistFormat } from '../../shared/checks/blocklist.ts';
import { isFull, joinNames, padNames, type ListProblem, type Names } from './name-store.ts';
import { detectFormat, parse, parseRange, type Found } from './parser.ts';
import { readAhead, type Range } from './read-ahead.ts';
import type { LastPart, SecondThread } from './second-thread.ts';
import { unzip } from './unzip.ts';

/** A list that was read to its end; `updated_at` is the date in the file itself. */
export type SoundList = Names & { updated_at: string | null; format: BlocklistFormat; problem: null };

/** Content of a file, its names followed by zeros as the index needs them. With a `problem` the names must not be used. */
export type ParsedList = SoundList | (Names & { updated_at: string | null; problem: ListProblem });

const LINE_FEED = 0x0a;
const HEAD = 65_536;
// A shorter file is read sooner than another thread has started; that takes as long as reading a tenth of the register.
const MIN_FOR_TWO = 1 << 25;
const FIRST_PART = 0.55;

type OnBytes = (bytes: number) => void;

/**
 * Reads a blocklist of any known format, plain or gzip; skips addresses in it. Calls `onBytes` with the number of bytes read of
 * the file. Reads a long file of rows in two threads, if it is given one; that one is at hand afterwards. Makes no string for a clean name: a million rows take 300 ms of one
 * thread and 60 MB. Throws errors of the file system.
 */
export async function parseList(path: string, onBytes: OnBytes, thread?: SecondThread): Promise<ParsedList> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    if (buffer[0] === 0x1f && buffer[1] === 0x8b) return judge(await parse(unzip(file, onBytes)));
    const head = buffer.subarray(0, bytesRead);
    const part = await secondPart(file.fd, head, (await file.stat()).size);
    if (thread === undefined || part === null) return judge(await parseRange(file.fd, WHOLE, onBytes));
    return judge(await parseInTwo(file.fd, part, onBytes, thread));
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

async function parseInTwo(fd: number, part: LastPart, onBytes: OnBytes, thread: SecondThread): Promise<Found> {
  const bytes = [0, 0];
  const onPart = (index: number) => (read: number) => {
    bytes[index] = read;
    onBytes(bytes[0]! + bytes[1]!);
  };
  const asked = thread.ask('read', { ...part, fd }, onPart(1));
  try {
    const found = await parseRange(fd, { start: 0, end: part.start }, onPart(0));
    if (found.problem !== null) return found;
    // Without another thread the rest is read here: a limit of the machine must not keep the list from coming.
    const last = { start: part.start, end: Infinity };
    const { problem, ...rest } = await asked.catch(() => parseRange(fd, last, onPart(1), part.format));
    return { ...found, ...joinNames(found, rest), problem };
  } finally {
    // It may still read the file, which is closed next.
    if (!thread.isAtHand()) await thread.stop();
  }
}

function judge({ format, problem, ...found }: Found): ParsedList {
  const list = { ...found, names: padNames(found.names) };
  // Further names were dropped.
  if (problem === null && isFull(found)) return { ...list, problem: 'large' };
  if (format === null || (problem === null && found.unusable > found.rows))
    return { ...list, problem: problem ?? 'garbage' };
  return problem === null ? { ...list, format, problem } : { ...list, problem };
}
