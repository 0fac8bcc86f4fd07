// The verdicts of an index on the names of its list and on others.
import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { random } from '../support/random.ts';
import { hashName, LISTED } from '../../src/providers/blocklist/index-layout.ts';
import { maskOf } from '../../src/providers/blocklist/index-lookup.ts';
import { packNames } from '../../src/providers/blocklist/packed-names.ts';
import { check, compile, open, useFolder } from './blocklist-indexes.ts';

useFolder();

/** The expected verdict, computed with plain sets. */
function expected(set: Set<string>, host: string) {
  const url_listed = set.has(`url:${host}`);
  if (set.has(host)) return { status: 'blocked', reason: 'domain', entry: host, url_listed };
  for (let name = host; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    if (set.has(`*.${name}`)) return { status: 'blocked', reason: 'mask', entry: `*.${name}`, url_listed };
  }
  return { status: 'free', reason: null, entry: null, url_listed };
}

test('a name is blocked by its own entry and by masks at and above it, and by nothing else', async () => {
  const path = await compile(['a.example', '*.b.example', 'url:c.example', 'url:a.example', 'www.w.example']);
  const asked = ['a.example', 'A.Example.', 'x.a.example', 'b.example', 'x.y.b.example', 'xb.example', 'c.example'];
  expect(await check(path, [...asked, 'w.example', 'example', '1.2.3.4', 'not a host', ''])).toEqual([
    { status: 'blocked', reason: 'domain', entry: 'a.example', url_listed: true },
    { status: 'blocked', reason: 'domain', entry: 'a.example', url_listed: true },
    { status: 'free', reason: null, entry: null, url_listed: false },
    { status: 'blocked', reason: 'mask', entry: '*.b.example', url_listed: false },
    { status: 'blocked', reason: 'mask', entry: '*.b.example', url_listed: false },
    { status: 'free', reason: null, entry: null, url_listed: false },
    { status: 'free', reason: null, entry: null, url_listed: true },
    { status: 'free', reason: null, entry: null, url_listed: false },
    ...Array.from({ length: 4 }, () => ({ status: 'unknown', reason: null, entry: null, url_listed: false })),
  ]);
});

test('the verdicts equal those of plain sets for any list', async () => {
  // Only a few labels, so that names coincide: as parents, as duplicates, in all three kinds.
  const label = fc.constantFrom('a', 'b', 'c', 'xn--p1ai', 'a-b', '1', '_d', 'www');
  const name = fc
    .tuple(fc.array(label, { minLength: 1, maxLength: 4 }), fc.constantFrom('ru', 'com', 'b'))
    .map(([labels, zone]) => [...labels, zone].join('.'));
  const entry = fc.tuple(fc.constantFrom('', '*.', 'url:'), name).map(([kind, text]) => kind + text);
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 60 }),
      fc.array(name, { minLength: 1, maxLength: 60 }),
      async (entries, hosts) => {
        const set = new Set(entries);
        expect(await check(await compile(entries), hosts)).toEqual(hosts.map((host) => expected(set, host)));
      },
    ),
    { numRuns: 100 },
  );
});

test('the verdicts equal those of plain sets for 200,000 entries, and each entry is counted once', async () => {
  const next = random(7);
  const name = (): string => `${Math.floor(next() * 1e5).toString(36)}.${Math.floor(next() * 40).toString(36)}.test`;
  const kinds = ['', '', '*.', 'url:'];
  const entries = Array.from({ length: 200_000 }, () => kinds[Math.floor(next() * 4)]! + name());
  const hosts = Array.from({ length: 20_000 }, () => (next() < 0.5 ? '' : 'deep.er.') + name());
  const path = await compile(entries);
  const set = new Set(entries);
  expect(await check(path, hosts)).toEqual(hosts.map((host) => expected(set, host)));
  const index = open(path);
  expect(await index.isWhole()).toBe(true);
  index.close();
  const all = [...set];
  expect(index.meta.entries).toEqual({
    exact: all.filter((entry) => /^[^*:]+$/.test(entry)).length,
    mask: all.filter((entry) => entry.startsWith('*.')).length,
    url: all.filter((entry) => entry.startsWith('url:')).length,
  });
});

test('names of the maximum length are found in any case, and longer ones are unknown', async () => {
  const label = 'a'.repeat(61);
  const longest = `${label}.${label}.${label}.${label}.ru.ru`.slice(-253);
  expect(longest).toHaveLength(253);
  const asked = [longest, longest.toUpperCase(), `x${longest}`];
  const path = await compile([longest, '*.b.example']);
  expect((await check(path, asked)).map((verdict) => (verdict as { status: string }).status)).toEqual([
    'blocked',
    'blocked',
    'unknown',
  ]);
});

test('a list that is loaded into memory finds the same as a look-up', async () => {
  const path = await compile(['a.example', '*.b.example', 'url:c.example', 'url:b.example']);
  const index = open(path);
  expect(await index.isWhole()).toBe(true);
  const names = ['a.example', 'x.a.example', 'b.example', 'x.y.b.example', 'xb.example', 'c.example'];
  const found = (await index.load())!(packNames(Buffer.from(names.join('\n')))!);
  expect([...found].map((finding) => [finding & LISTED.exact, finding & LISTED.url, maskOf(finding)])).toEqual([
    [LISTED.exact, 0, -1],
    [0, 0, -1],
    [0, LISTED.url, 0],
    [0, 0, 4],
    [0, 0, -1],
    [0, LISTED.url, -1],
  ]);
  index.close();
  const damaged = readFileSync(path);
  damaged[damaged.length - 1] = damaged.at(-1)! ^ 1;
  writeFileSync(path, damaged);
  const other = open(path);
  expect([await other.load(), await other.isWhole()]).toEqual([null, false]);
  other.close();
});

test('the version of a list depends on its names', async () => {
  const versions = await Promise.all(
    [
      ['a.example', 'b.example'],
      ['a.example', 'b.example'],
      ['a.example', '*.b.example'],
    ].map(async (entries) => {
      const index = open(await compile(entries));
      index.close();
      return index.meta.list_version;
    }),
  );
  expect(versions[0]).toBe(versions[1]);
  expect(versions[0]).not.toBe(versions[2]);
});

test('names are found even where many share one bucket', async () => {
  const BUCKETS = 128;
  const entries: string[] = [];
  for (let at = 0; entries.length < 300; at += 1) {
    const name = `${at.toString(36)}.example`;
    if ((hashName(Buffer.from(name), 0, name.length) & (BUCKETS - 1)) === 0) entries.push(name);
  }
  const path = await compile(entries, ({ buckets }) => expect(buckets).toBe(BUCKETS));
  expect(await check(path, entries)).toEqual(entries.map((host) => expected(new Set(entries), host)));
});

test('a name whose hash is that of a listed one is free', async () => {
  const next = random(7);
  const names = new Map<number, string>();
  let pair: string[] = [];
  while (pair.length === 0) {
    const name = `${Math.floor(next() * 1e9).toString(36)}.${Math.floor(next() * 1e9).toString(36)}.example`;
    const hash = hashName(Buffer.from(name), 0, name.length);
    const other = names.get(hash);
    if (other !== undefined) pair = [other, name];
    names.set(hash, name);
  }
  const [listed = '', free = ''] = pair;
  const path = await compile([listed, 'c.example']);
  expect(await check(path, [free, listed])).toMatchObject([{ status: 'free' }, { status: 'blocked' }]);
  const index = open(path);
  const found = (await index.load())!(packNames(Buffer.from(`${free}\n${listed}`))!);
  expect([...found]).toEqual([0, LISTED.exact]);
  index.close();
});
