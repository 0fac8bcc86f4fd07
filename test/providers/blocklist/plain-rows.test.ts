// The reader of plain rows finds what the reader of each row finds.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { afterAll, expect, test } from 'vitest';
import { compileRows } from '../../../src/providers/blocklist/assembly/compile.ts';
import { listReader, rowReader } from '../../../src/providers/blocklist/formats.ts';
import { importList, type Imported } from '../../../src/providers/blocklist/import.ts';
import { createNameStore, type Names } from '../../../src/providers/blocklist/name-store.ts';
import { createPlainRows } from '../../../src/providers/blocklist/plain-rows.ts';
import { CHILDREN } from '../../support/child.ts';

const READERS = { csv: rowReader, list: listReader };
type Format = keyof typeof READERS;

const here = createPlainRows();

/** Reads blocks of rows, and returns what was found as texts. */
function namesIn(format: Format, blocks: Buffer[], plain: 'plain' | 'each') {
  const store = createNameStore(plain === 'plain' ? here : null);
  const reader = READERS[format](store);
  for (const block of blocks) expect(reader.read(block)).toBe(block.lastIndexOf(0x0a) + 1);
  return asTexts(store.taken());
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array | Int32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1');

const asTexts = ({ names, hashes, places, ...counts }: Names) => ({
  ...counts,
  names: bytesOf(names),
  hashes: bytesOf(hashes),
  places: bytesOf(places),
});

/** Counts the rows that are left to be read one by one. */
function rowsLeft(format: Format, block: Buffer): number {
  const store = createNameStore();
  let left = 0;
  store.load(block);
  for (let at = 0; at < block.length; left++) {
    at = store.takePlain(at, block.length, format === 'csv');
    if (at === block.length) return left;
    at = block.indexOf(0x0a, at) + 1;
  }
  return left;
}

test('a machine that runs the tests reads plain rows at once', () => {
  expect(here).not.toBeNull();
  const rows = [
    '1.2.3.4 | 5.6.7.8;a.example;;x',
    ';*.b-c.example;https://b/;',
    ';xn--p1ai.xn--p1ai',
    ';;;x',
    '1;_d.example;;',
  ];
  expect(rowsLeft('csv', Buffer.from(`${rows.join('\n')}\n`))).toBe(0);
  expect(rowsLeft('list', Buffer.from('a.example\n*.b.example\nwww.9.c.example\n'))).toBe(0);
  const others = [
    'Updated: x',
    '1;A.example;;',
    '1;казино.рф;;',
    '1;a.example.;;',
    '1;1.2.3.4;;',
    '1;a..example;;',
    '1;;http://a.example/;',
  ];
  expect(rowsLeft('csv', Buffer.from(`${others.join('\n')}\n`))).toBe(others.length);
  expect(rowsLeft('list', Buffer.from('# a comment\na.example # x\n\na.example\r\n'))).toBe(4);
});

test.each(['csv', 'list'] as const)(
  'rows of any bytes have the very names that each of them has, in their order: %s',
  (format) => {
    const part = fc.constantFrom(
      'a',
      'bc',
      'z9',
      '.',
      '.',
      'example',
      '*.',
      '-',
      '_',
      '/',
      '@',
      '[',
      '`',
      '{',
      'A',
      '5',
      ' ',
      '\t',
      '\r',
      '#',
      'б',
      'Я',
      'ё',
      '\u0000',
    );
    const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
    const name = fc
      .array(fc.constantFrom('a', 'b-c', 'xn--p1ai', 'example', 'x'.repeat(15), 'y'.repeat(16)), {
        minLength: 1,
        maxLength: 6,
      })
      .map((labels) => labels.join('.'));
    const cell = fc.oneof(
      name,
      text,
      name.map((one) => `*.${one}`),
    );
    const row = format === 'list' ? cell : fc.array(cell, { maxLength: 5 }).map((cells) => cells.join(';'));
    fc.assert(
      fc.property(fc.array(fc.array(row, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 3 }), (lists) => {
        const blocks = lists.map((rows) => iconv.encode(`${rows.join('\n')}\n`, 'windows-1251'));
        expect(namesIn(format, blocks, 'plain')).toEqual(namesIn(format, blocks, 'each'));
      }),
      { numRuns: 500 },
    );
  },
);

test('a name of any length is read in the same way, and one of more than 253 bytes is none', () => {
  const rows = Array.from({ length: 300 }, (_, length) => `1;${'a'.repeat(length)}.b${'c'.repeat(length % 3)};;`);
  const blocks = [Buffer.from(`${rows.join('\n')}\n`)];
  const found = namesIn('csv', blocks, 'plain');
  expect(found).toEqual(namesIn('csv', blocks, 'each'));
  expect(found).toMatchObject({ rows: 250, unusable: 50 });
});

test('a block whose names are longer than it is, in punycode, and one that is too long are read as well', () => {
  const cyrillic = Array.from({ length: 150_000 }, (_, index) =>
    index % 3 === 0 ? `a${index}.example` : `я${index}.рф`,
  );
  const long = `${'1.2.3.4 | '.repeat(250_000)};a.example;;x`;
  const blocks = [`${cyrillic.join('\n')}\n`, `${cyrillic.join('\n')}\n`].map((text) =>
    iconv.encode(text, 'windows-1251'),
  );
  expect(namesIn('list', blocks, 'plain')).toEqual(namesIn('list', blocks, 'each'));
  expect(namesIn('csv', [Buffer.from(`1;b.example;\n${long}\n`)], 'plain')).toMatchObject({ rows: 2, unusable: 0 });
});

test('the compiled reader is that of its source', () => {
  const path = join(import.meta.dirname, '../../../src/providers/blocklist/rows-wasm.ts');
  expect(readFileSync(path, 'utf8')).toBe(compileRows());
});

test('a machine that cannot run it reads the same list', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'blocklist-plain-'));
  afterAll(() => rmSync(dir, { recursive: true }));
  const path = join(dir, 'list');
  const rows = Array.from(
    { length: 50_000 },
    (_, index) => `1.2.3.4;${index % 5 ? '*.' : 'я'}shop-${index}.example;;x`,
  );
  writeFileSync(path, iconv.encode(`Updated: 2025-10-01 09:05:00 +0000\n${rows.join('\n')}\n`, 'windows-1251'));
  const facts = { source: 'list', fetched_at: '2026-11-28T00:00:00.000Z', etag: null, last_modified: null };
  const imported = await importList({ path, index: join(dir, 'here.idx'), ...facts }, () => {});
  expect(imported).toMatchObject({ problem: null, meta: { entries: { exact: 10_000, mask: 40_000, url: 0 } } });
  // Without a compiler in the process there is no WebAssembly.
  const child = fork(join(process.env[CHILDREN] ?? '', 'import-child.js'), {
    execArgv: ['--jitless'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const answer = new Promise<object>((resolve) => {
    child.on('message', (message: { bytes: number } | { imported: Imported } | { error: object }) => {
      if (!('bytes' in message)) resolve(message);
    });
  });
  child.send({ path, index: join(dir, 'there.idx'), ...facts });
  expect(await answer).toEqual({ imported });
  expect(Buffer.compare(readFileSync(join(dir, 'there.idx')), readFileSync(join(dir, 'here.idx')))).toBe(0);
  child.kill();
  await once(child, 'exit');
});
