import { open } from 'node:fs/promises';
import type { BlocklistFormat } from '../../shared/checks/blocklist.ts';
import type { ListProblem, Names } from './name-store.ts';
import { parse, type Found } from './parser.ts';
import { readAhead } from './read-ahead.ts';
import { unzip } from './unzip.ts';

/** A list that was read to its end; `updated_at` is the date in the file itself. */
export type SoundList = Names & { updated_at: string | null; format: BlocklistFormat; problem: null };

/** Content of a file. With a `problem` the names must not be used. */
export type ParsedList = SoundList | (Names & { updated_at: string | null; problem: ListProblem });

/**
 * Reads a blocklist of any known format, plain or gzip; skips addresses in it. Calls `onBytes` with the number of bytes read of
 * the file. Throws errors of the file system.
 */
export async function parseList(path: string, onBytes: (bytes: number) => void): Promise<ParsedList> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    const isPacked = buffer[0] === 0x1f && buffer[1] === 0x8b;
    return judge(await parse(isPacked ? unzip(file, onBytes) : readAhead(file.fd, onBytes)));
  } finally {
    await file.close();
  }
}

function judge({ format, problem, ...list }: Found): ParsedList {
  if (format === null || (problem === null && list.unusable > list.rows)) {
    return { ...list, problem: problem ?? 'garbage' };
  }
  return problem === null ? { ...list, format, problem } : { ...list, problem };
}
