// A plain file of 32 MB and more is read, and its index built, in two threads: what they find must be what one finds.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { importList, type Imported } from '../../../src/providers/blocklist/import.ts';
import { buildIndex, type IndexBody } from '../../../src/providers/blocklist/index-build.ts';
import { HEADER_BYTES } from '../../../src/providers/blocklist/index-layout.ts';
import { writeIndex } from '../../../src/providers/blocklist/index-write.ts';
import { parseList } from '../../../src/providers/blocklist/parse.ts';
import { parseRange, type Found } from '../../../src/providers/blocklist/parser.ts';
import { secondThread, type SecondThread } from '../../../src/providers/blocklist/second-thread.ts';
import { CHILDREN } from '../../support/child.ts';

const dir = mkdtempSync(join(tmpdir(), 'blocklist-two-'));
afterAll(() => rmSync(dir, { recursive: true }));

const SIZE = 36 << 20;
const path = join(dir, 'list');

let thread: SecondThread;
beforeEach(() => {
  thread = secondThread();
});
afterEach(() => thread.stop());

const dumpRow = (index: number): string =>
  `1.2.3.${index % 250} | 2001:db8::${index};${index % 3 === 0 ? '*.' : ''}${index % 50 === 0 ? 'казино' : 'shop-'}${index}.рф;${
    index % 7 === 0 ? `http://shop-${index}.example/` : ''
  };Роскомнадзор № ${index};2-6-${index}/2024-05-${index};2024-05-27\n`;

/** Writes a long file: the head, a piece of ten thousand rows again and again, the end. */
function write(head: string, row: (index: number) => string, end = ''): number {
  const encode = (text: string): Buffer => iconv.encode(text, 'windows-1251');
  const piece = encode(Array.from({ length: 10_000 }, (_, index) => row(index)).join(''));
  const pieces = Array<Buffer>(Math.ceil(SIZE / piece.length)).fill(piece);
  const content = Buffer.concat([encode(head), ...pieces, encode(end)]);
  writeFileSync(path, content);
  return content.length;
}

async function inOneThread(): Promise<Found> {
  const file = openSync(path, 'r');
  try {
    return await parseRange(file, { start: 0, end: Infinity }, () => {});
  } finally {
    closeSync(file);
  }
}

test.each([
  ['a dump', 'Updated: 2025-10-01 09:05:00 +0000\n', dumpRow, '1.2.3.4;last.example;;ФНС;1;2024-05-27'],
  ['names alone', '# names\n', (index: number) => `${'x'.repeat(index % 60)}.shop-${index}.example\n`, 'last.рф'],
])('%s, whose last row has no line feed, has the very names that one thread finds, in their order', async (...list) => {
  const [, head, row, end] = list;
  const size = write(head, row, end);
  const read: number[] = [];
  const found = await parseList(path, (bytes) => read.push(bytes), thread);
  expect(thread.isAtHand()).toBe(true);
  const { names, hashes, places, ...facts } = await inOneThread();
  expect(found).toMatchObject(facts);
  expect(facts.rows).toBeGreaterThan(200_000);
  expect(Buffer.compare(found.names.subarray(0, names.length), names)).toBe(0);
  const bytesOf = (integers: Int32Array): Buffer => Buffer.from(integers.slice().buffer);
  expect(Buffer.compare(bytesOf(found.hashes), bytesOf(hashes))).toBe(0);
  expect(Buffer.compare(bytesOf(found.places), bytesOf(places))).toBe(0);
  // The bytes of both threads count.
  expect(read.at(-1)).toBe(size);
  expect(read).toEqual(read.toSorted((one, other) => one - other));
});

test('a list is judged as a whole: of its last rows all may be unusable, of its rows not most', async () => {
  const good = '1.2.3.4;good.example;;organisation\n'.repeat(600_000);
  const bad = (rows: number): string => '1.2.3.4;not a name;;organisation\n'.repeat(rows);
  writeFileSync(path, good + bad(500_000));
  expect(await parseList(path, () => {}, thread)).toMatchObject({ problem: null, rows: 600_000, unusable: 500_000 });
  writeFileSync(path, good + bad(700_000));
  expect(await parseList(path, () => {}, thread)).toMatchObject({ problem: 'garbage' });
});

const FACTS = {
  source: 'list',
  format: 'csv',
  unusable: 0,
  fetched_at: '2026-11-28T00:00:00.000Z',
  updated_at: null,
  etag: null,
  last_modified: null,
} as const;

/** Writes the index of the list and returns its bytes but for the header; `threads` may end the second one on the way. */
async function indexBytes(name: string, found: SecondThread | undefined, end?: 'before building' | 'before writing') {
  const list = await parseList(path, () => {}, found);
  if (end === 'before building') await found?.stop();
  const body: IndexBody = await buildIndex(list, found);
  if (end === 'before writing') await found?.stop();
  const index = join(dir, name);
  const meta = await writeIndex(index, body, FACTS, found);
  return { bytes: readFileSync(index).subarray(HEADER_BYTES), meta };
}

test('an index that two threads have built is that of one, byte by byte, also where the second one has ended on the way', async () => {
  write('', dumpRow);
  const one = await indexBytes('one-thread.idx', undefined);
  const two = await indexBytes('two-threads.idx', thread);
  expect(thread.isAtHand()).toBe(true);
  const ends = ['before building', 'before writing'] as const;
  const ended = await Promise.all(ends.map((end, index) => indexBytes(`ended-${index}.idx`, secondThread(), end)));
  expect(Object.values(one.meta.entries).every((count) => count > 0)).toBe(true);
  for (const { bytes, meta } of [two, ...ended]) {
    expect(meta).toEqual(one.meta);
    expect(Buffer.compare(bytes, one.bytes)).toBe(0);
  }
});

test('an index whose half is lost with its thread is not built: nobody knows what was merged', async () => {
  write('', dumpRow);
  const list = await parseList(path, () => {}, thread);
  const ending: SecondThread = {
    ...thread,
    ask(...given) {
      void thread.stop();
      return thread.ask(...given);
    },
  };
  await expect(buildIndex(list, ending)).rejects.toThrow('the thread that reads a list has ended');
});

test('a list is read whole where the process may start no other thread', async () => {
  write('', dumpRow);
  const { allowedNodeEnvironmentFlags: known } = process;
  const permission = known.has('--permission') ? '--permission' : '--experimental-permission';
  const child = fork(join(process.env[CHILDREN] ?? '', 'import-child.js'), {
    execArgv: [permission, '--allow-fs-read=*', '--allow-fs-write=*'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const answer = new Promise<object>((resolve) => {
    child.on('message', (message: { bytes: number } | { imported: Imported } | { error: object }) => {
      if (!('bytes' in message)) resolve(message);
    });
  });
  const facts = { source: 'list', fetched_at: '2026-11-28T00:00:00.000Z', etag: null, last_modified: null };
  child.send({ path, index: join(dir, 'one.idx'), ...facts });
  const imported = await importList({ path, index: join(dir, 'two.idx'), ...facts }, () => {});
  expect(imported.problem).toBe(null);
  expect(await answer).toEqual({ imported });
  child.kill();
  await once(child, 'exit');
});
