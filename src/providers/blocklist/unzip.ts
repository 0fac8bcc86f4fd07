import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { PackedTooMuch } from './parser.ts';
import { BLOCK } from './read-ahead.ts';

// Limits of a compressed file. Lists are packed to a tenth; small files may repeat one name.
const MAX_UNPACKED = 2 ** 30;
const MAX_RATIO = 100;
const RATIO_COUNTS_FROM = 1 << 23;

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
