import { open } from 'node:fs/promises';
import type { IndexBody } from './index-build.ts';
import {
  encodeHeader,
  HEADER_BYTES,
  PAGE_BYTES,
  pagesOf,
  pageSum,
  type IndexMeta,
  type ListFacts,
} from './index-layout.ts';
import type { SecondThread } from './second-thread.ts';

/**
 * Writes a new index file and syncs it to disk. Fails if the path exists, and if a thread at hand, which computes a half of the
 * sums, ends meanwhile.
 */
export async function writeIndex(
  path: string,
  body: IndexBody,
  facts: ListFacts,
  thread?: SecondThread,
): Promise<IndexMeta> {
  const { buckets, tables, names, entries } = body;
  const sizes = { buckets, tablesBytes: tables.byteLength, namesBytes: names.length };
  const file = await open(path, 'wx');
  try {
    // In other threads while the sums are computed: most of the file is on the disk when they are written.
    const writing = file.writev([tables, names], HEADER_BYTES).then(async ({ bytesWritten }) => {
      await file.datasync();
      return bytesWritten;
    });
    writing.catch(() => {});
    const { sums, checksum } = await sumsOf(body, thread);
    const list_version = `${checksum.toString(16).padStart(8, '0')}-${entries.exact + entries.mask + entries.url}`;
    const meta: IndexMeta = { ...facts, list_version, entries };
    const bytesWritten = await writing;
    await file.write(sums, 0, sums.length, HEADER_BYTES + bytesWritten);
    await file.write(encodeHeader({ ...sizes, checksum, meta }), 0, HEADER_BYTES, 0);
    // On a full disk a write may be partial without an error.
    if (bytesWritten < sizes.tablesBytes + sizes.namesBytes) {
      throw Object.assign(new Error('disk full'), { code: 'ENOSPC' });
    }
    await file.sync();
    return meta;
  } finally {
    await file.close();
  }
}

/** Computes the sum of every page, and that of all that stands after the header. */
async function sumsOf(
  { tables, names }: IndexBody,
  thread: SecondThread | undefined,
): Promise<{ sums: Buffer; checksum: number }> {
  const { crc32 } = await import('node:zlib');
  const ofNames = { bytes: names, before: crc32(tables) };
  const asked = thread?.isAtHand() ? thread.ask('crc32', ofNames) : crc32(names, ofNames.before);
  const sums = Buffer.concat([
    pageSums(tables),
    pageSums(new Int32Array(names.buffer, names.byteOffset, names.length / 4)),
  ]);
  return { sums, checksum: crc32(sums, await asked) };
}

/** Computes the sum of every page, for readers of only a few pages. */
function pageSums(words: Int32Array): Buffer {
  const sums = new Int32Array(pagesOf(words.byteLength));
  for (let page = 0; page < sums.length; page++) {
    const start = (page * PAGE_BYTES) / 4;
    sums[page] = pageSum(words, start, Math.min(start + PAGE_BYTES / 4, words.length));
  }
  return Buffer.from(sums.buffer);
}
