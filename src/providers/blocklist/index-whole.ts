// Verifies an index file as a whole.
import { read } from 'node:fs';
import { promisify } from 'node:util';
import type { IndexTables } from './bulk-lookup.ts';
import {
  bodyBytes,
  checksumOf,
  HEADER_BYTES,
  PAGE_BYTES,
  pagesOf,
  sumPages,
  sumsBytes,
  type IndexHeader,
} from './index-layout.ts';

const PIECE_BYTES = 1 << 20;

const readPart = promisify(read);

/** Verifies all sums of an index file. Piece by piece: allocating memory for the whole file takes as long as reading it. */
export async function isWhole(file: number, header: IndexHeader): Promise<boolean> {
  const length = bodyBytes(header);
  const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  const sums = new Int32Array(sumsBytes(header) / 4);
  for (let at = 0; at < length; at += PIECE_BYTES) {
    const wanted = Math.min(PIECE_BYTES, length - at);
    const { bytesRead } = await readPart(file, piece, 0, wanted, HEADER_BYTES + at);
    if (bytesRead !== wanted) return false;
    const words = new Int32Array(piece.buffer, 0, wanted / 4);
    sumPages(words, sums.subarray(at / PAGE_BYTES, pagesOf(at + wanted)));
  }
  return areSums(sums, await readSums(file, header), header);
}

const areSums = (computed: Int32Array, written: Int32Array | null, { checksum }: IndexHeader): boolean =>
  written !== null && checksumOf(computed) === checksum && bytesOf(computed).equals(bytesOf(written));

const bytesOf = ({ buffer, byteOffset, byteLength }: Int32Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);

async function readSums(file: number, header: IndexHeader): Promise<Int32Array | null> {
  const sums = new Int32Array(sumsBytes(header) / 4);
  const { bytesRead } = await readPart(file, sums, 0, sums.byteLength, HEADER_BYTES + bodyBytes(header));
  return bytesRead === sums.byteLength ? sums : null;
}

/** Returns the tables and names in all that stands behind the header of an index file; null if it is damaged. */
export function tablesOf(body: Buffer, header: IndexHeader): IndexTables | null {
  const { buckets, tablesBytes, namesBytes } = header;
  const length = bodyBytes(header);
  const sums = new Int32Array(sumsBytes(header) / 4);
  sumPages(new Int32Array(body.buffer, 0, length / 4), sums);
  if (!areSums(sums, new Int32Array(body.buffer, length), header)) return null;
  return {
    buckets,
    tables: new Int32Array(body.buffer, namesBytes, tablesBytes / 4),
    names: body.subarray(0, namesBytes),
  };
}
