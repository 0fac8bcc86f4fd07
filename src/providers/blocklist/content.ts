import { read } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';

/** Length of the chunks in which a file is read, in bytes. */
export const BLOCK = 1 << 20;
// Limits of a compressed file. Lists are packed to a tenth; small files may repeat one name.
const MAX_UNPACKED = 2 ** 30;
const MAX_RATIO = 100;
const RATIO_COUNTS_FROM = 1 << 23;

const readFrom = promisify(read);

/** A compressed file that unpacks to too much. */
export class PackedTooMuch extends Error {}

/**
 * Unpacks a gzip file. Calls `onBytes` with the number of bytes read of the file. Throws PackedTooMuch, errors of the file
 * system, and those of zlib (`Z_…`).
 */
export async function* unzip(file: FileHandle, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
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

/** A range of a file, in bytes. */
export interface Range {
  start: number;
  /** After the last byte; infinite for the file's end. */
  end: number;
}

/**
 * Reads a range of an open file, in chunks that are overwritten by later ones. Calls `onBytes` with the number of bytes read.
 * Throws errors of the file system.
 *
 * While one chunk is being parsed, the next one is read into another buffer; therefore a chunk is as long as a block. Two
 * buffers are reused: a stream allocates new memory for each chunk, which takes as long as the reading.
 */
export async function* readAhead(
  fd: number,
  { start, end }: Range,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const buffers = [Buffer.allocUnsafeSlow(BLOCK), Buffer.allocUnsafeSlow(BLOCK)] as const;
  const next = (turn: number, at: number) => readFrom(fd, buffers[turn & 1]!, 0, Math.min(BLOCK, end - at), at);
  let at = start;
  let reading = next(0, at);
  try {
    for (let turn = 1; ; turn++) {
      const { bytesRead, buffer } = await reading;
      if (bytesRead === 0) return;
      at += bytesRead;
      reading = next(turn, at);
      onBytes(at - start);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    // After an early end the error of the pending read is ignored.
    await reading.catch(() => {});
  }
}
