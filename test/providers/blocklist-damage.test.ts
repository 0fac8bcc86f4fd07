// Index files that were changed after writing, or that cannot be read.
import { closeSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openIndex } from '../../src/providers/blocklist/index-lookup.ts';
import { check, compile, dir, open, useFolder } from './blocklist-indexes.ts';

useFolder();

test('a file that is cut off at any length is damaged', async () => {
  const path = await compile(['a.example', '*.b.example']);
  const whole = readFileSync(path);
  for (const length of [0, 7, 100, 4095, 4096, whole.length - 1]) {
    writeFileSync(path, whole);
    truncateSync(path, length);
    expect(openIndex(path)).toBe('damaged');
  }
  writeFileSync(path, Buffer.concat([whole, Buffer.from('x')]));
  expect(openIndex(path)).toBe('damaged');
  const header = Buffer.from(whole);
  header[60] = header[60]! ^ 1;
  writeFileSync(path, header);
  expect(openIndex(path)).toBe('damaged');
  expect(openIndex(join(dir, 'none'))).toBeNull();
});

test('a damaged file is closed', async () => {
  const path = await compile(['a.example']);
  truncateSync(path, 100);
  // The lowest free file descriptor.
  const nextFile = (): number => {
    const file = openSync(path, 'r');
    closeSync(file);
    return file;
  };
  const before = nextFile();
  for (let round = 0; round < 50; round += 1) expect(openIndex(path)).toBe('damaged');
  expect(nextFile()).toBeLessThan(before + 25);
});

test('a damaged byte is detected before it makes a listed name `free`', async () => {
  const entries = Array.from({ length: 300 }, (_, i) => `${i % 3 === 0 ? '*.' : ''}name-${i}.example`);
  const hosts = entries.map((entry) => entry.replace('*.', 'deep.'));
  const path = await compile(entries);
  const whole = readFileSync(path);
  const right = await check(path, hosts);
  const found = { damaged: 0, wrong: 0 };
  for (let at = 4096; at < whole.length; at += 41) {
    const bytes = Buffer.from(whole);
    bytes[at] = bytes[at]! ^ (1 << (at % 8));
    writeFileSync(path, bytes);
    const index = open(path);
    for (const [i, host] of hosts.entries()) {
      if (i % 10 !== at % 10) continue;
      const verdicts = await index.check([host]);
      if (verdicts === null) found.damaged += 1;
      else if (verdicts[0]?.status !== 'blocked') found.wrong += 1;
    }
    expect(await index.isWhole()).toBe(false);
    index.close();
  }
  expect(right).toHaveLength(300);
  expect(found.wrong).toBe(0);
  expect(found.damaged).toBeGreaterThan(20);
});

test('a read error of another kind is thrown, and does not count as damage', async () => {
  const path = await compile(['a.example']);
  expect(() => openIndex(join(path, 'below'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
  const index = open(path);
  index.close();
  await expect(index.check(['a.example'])).rejects.toMatchObject({ code: 'EBADF' });
});

test('a file that is truncated while it is open gives no verdicts', async () => {
  const path = await compile(['a.example', '*.b.example']);
  const whole = readFileSync(path);
  for (const length of [4096, whole.length - 1]) {
    writeFileSync(path, whole);
    const index = open(path);
    truncateSync(path, length);
    expect([await index.isWhole(), await index.load(), await index.check(['a.example'])]).toEqual([false, null, null]);
    index.close();
  }
});

test('an index with offsets outside of it is damaged, even with right checksums', async () => {
  // The tables of one bucket: the number of entries before it and up to its end, then the hash and the offset of the name.
  const verdicts = async (at: number, valueOf: (names: Uint8Array) => number) => {
    const index = open(await compile(['a.example'], (body, names) => void (body.tables[at] = valueOf(names))));
    const found = await index.check(['a.example']);
    index.close();
    return found;
  };
  expect(await verdicts(1, () => 1)).toMatchObject([{ status: 'blocked' }]);
  expect(await verdicts(1, () => 2)).toBeNull();
  expect(await verdicts(3, () => -4)).toBeNull();
  for (const beyond of [0, 4]) expect(await verdicts(3, ({ length }) => length + beyond)).toBeNull();
});
