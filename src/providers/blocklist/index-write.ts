import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { IndexBody } from './index-build.ts';
import {
  bodyBytes,
  checksumOf,
  encodeHeader,
  HEADER_BYTES,
  pagesOf,
  sumPages,
  type IndexMeta,
  type ListFacts,
} from './index-layout.ts';

// A write returns when the bytes are on the disk.
const NEW_SYNCED = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_DSYNC;

/** An index file that is being written. */
export interface NewIndex {
  /** Writes the rest and syncs the file to disk. */
  finish(body: IndexBody, facts: ListFacts): Promise<IndexMeta>;
  /** Waits for what is still being written. */
  close(): Promise<void>;
}

/**
 * Creates an index file and begins to write the names, which must not change any more, and whose length is a multiple of a
 * page: they are on the disk when the tables have been built. Fails if the path exists.
 */
export async function createIndex(path: string, names: Uint8Array): Promise<NewIndex> {
  const file = await open(path, NEW_SYNCED);
  // Another thread writes and syncs them, though this one is busy. An error is thrown by `finish`.
  const writingNames = write(file, names, HEADER_BYTES);
  writingNames.catch(() => {});
  return {
    async finish({ buckets, tables, entries }, facts) {
      const sizes = { buckets, namesBytes: names.length, tablesBytes: tables.byteLength };
      // While the sums are computed.
      const writingTables = write(file, bytesOf(tables), HEADER_BYTES + names.length);
      writingTables.catch(() => {});
      const sums = sumsOf(names, tables);
      await Promise.all([writingNames, writingTables]);
      const checksum = checksumOf(sums);
      const list_version = `${checksum.toString(16).padStart(8, '0')}-${entries.exact + entries.mask + entries.url}`;
      const meta: IndexMeta = { ...facts, list_version, entries };
      await write(file, bytesOf(sums), HEADER_BYTES + bodyBytes(sizes));
      await write(file, encodeHeader({ ...sizes, checksum, meta }), 0);
      await file.sync();
      return meta;
    },
    close: () => file.close(),
  };
}

async function write(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  const { bytesWritten } = await file.write(bytes, 0, bytes.length, at);
  // On a full disk a write may be partial without an error.
  if (bytesWritten < bytes.length) throw Object.assign(new Error('disk full'), { code: 'ENOSPC' });
}

const bytesOf = (integers: Int32Array): Uint8Array =>
  new Uint8Array(integers.buffer, integers.byteOffset, integers.byteLength);

/** Computes the sums of all pages. */
function sumsOf(names: Uint8Array, tables: Int32Array): Int32Array {
  const ofNames = pagesOf(names.length);
  const sums = new Int32Array(ofNames + pagesOf(tables.byteLength));
  sumPages(new Int32Array(names.buffer, names.byteOffset, names.length / 4), sums.subarray(0, ofNames));
  sumPages(tables, sums.subarray(ofNames));
  return sums;
}
