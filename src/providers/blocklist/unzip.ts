import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { PackedTooMuch } from './parser.ts';
import { BLOCK } from './read-ahead.ts';

// Limits of a compressed file. Lists are packed to a tenth; small files may repeat one name.
const MAX_UNPACKED = 2 ** 30;
const MAX_RATIO = 100;
const RATIO_COUNTS_FROM = 1 << 23;

const PIECE = 2 ** 16;

/**
 * Reads a file from a place on; calls `onRead` with the place up to which it is read. Not by a stream of it: that would close the file
 * where zlib does not want the rest.
 */
async function* piecesOf(file: FileHandle, start: number, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  for (let at = start; ;) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(PIECE), 0, PIECE, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    onRead(at);
    yield buffer.subarray(0, bytesRead);
  }
}

/**
 * Unpacks a gzip file. Calls `onBytes` with the number of bytes read of the file. Throws PackedTooMuch, errors of the file
 * system, and those of zlib (`Z_…`).
 */
export async function* unzip(file: FileHandle, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  let read = 0;
  const gunzip = createGunzip({ chunkSize: BLOCK });
  // The iteration below throws the error that pipeline reports here, too.
  const content = pipeline(
    piecesOf(file, 0, (bytes) => (read = bytes)),
    gunzip,
    () => {},
  );
  let unpacked = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    unpacked += chunk.length;
    const isBomb = unpacked > RATIO_COUNTS_FROM && unpacked > read * MAX_RATIO;
    if (isBomb || unpacked > MAX_UNPACKED) throw new PackedTooMuch();
    onBytes(read);
    yield chunk;
  }
  // A zero behind a member is the end of all for zlib, though it may be a damaged first byte of the next one.
  for await (const piece of piecesOf(file, gunzip.bytesWritten, onBytes)) {
    if (piece.some((byte) => byte !== 0)) throw Object.assign(new Error('unread member'), { code: 'Z_DATA_ERROR' });
  }
}
