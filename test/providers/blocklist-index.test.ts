import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { random } from '../random.ts';
import { buildIndex, writeIndex, type IndexBody } from '../../src/providers/blocklist/index-build.ts';
import { hashName, LISTED } from '../../src/providers/blocklist/index-layout.ts';
import { maskOf, openIndex, type IndexFile } from '../../src/providers/blocklist/index-lookup.ts';
import { packNames } from '../../src/providers/blocklist/packed-names.ts';
import { parseList } from '../../src/providers/blocklist/parse.ts';

const dir = mkdtempSync(join(tmpdir(), 'blocklist-index-'));
afterAll(() => rmSync(dir, { recursive: true }));
let files = 0;

const FACTS = {
  source: 'test',
  format: 'csv',
  unusable: 0,
  fetched_at: '2026-11-20T10:00:00.000Z',
  updated_at: null,
  etag: null,
  last_modified: null,
} as const;

/** An entry as a row of a dump: `name`, `*.name`, `url:name`. */
const row = (entry: string): string =>
  entry.startsWith('url:') ? `1.1.1.1;${entry.slice(4)};http://x/;o;n;d` : `1.1.1.1;${entry};;o;n;d`;

async function compile(entries: string[], change: (body: IndexBody) => void = () => {}): Promise<string> {
  const list = join(dir, `list-${++files}`);
  const index = join(dir, `index-${files}`);
  writeFileSync(list, ['Updated: 2026-11-20 00:00:00 +0000', ...entries.map(row), ''].join('\n'));
  const body = buildIndex(await parseList(list, () => {}));
  change(body);
  await writeIndex(index, body, FACTS);
  return index;
}

function open(path: string): IndexFile {
  const index = openIndex(path);
  if (index === null || index === 'damaged') throw new Error('no index');
  return index;
}

/** The verdicts, asked of the disk page by page and of the file in memory, which must agree. */
async function check(path: string, hosts: string[]) {
  const index = open(path);
  const onDisk: unknown[] = [];
  for (let i = 0; i < hosts.length; i += 1000) onDisk.push(...((await index.check(hosts.slice(i, i + 1000))) ?? []));
  const enough = hosts.length > 0 ? [...hosts, ...Array.from({ length: 2001 }, () => 'x.example')] : [];
  const inMemory = (await index.check(enough))?.slice(0, hosts.length);
  index.close();
  expect(inMemory).toEqual(onDisk);
  return onDisk;
}

/** What the verdicts must be, by plain sets. */
function expected(set: Set<string>, host: string) {
  const url_listed = set.has(`url:${host}`);
  if (set.has(host)) return { status: 'blocked', reason: 'domain', entry: host, url_listed };
  for (let name = host; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    if (set.has(`*.${name}`)) return { status: 'blocked', reason: 'mask', entry: `*.${name}`, url_listed };
  }
  return { status: 'free', reason: null, entry: null, url_listed };
}

test('by its own name, by masks at and above it, and by nothing else', async () => {
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

test('the verdicts are those of plain sets, for any list', async () => {
  // Few labels, so that names meet: as parents, as duplicates, in all three kinds.
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

test('the verdicts are those of plain sets, for 200,000 entries, and are counted once each', async () => {
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

test('names of the longest length are found, in any spelling, and no longer ones', async () => {
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

test('a whole list that was loaded finds what a look-up finds', async () => {
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

test('the version of a list is that of its names', async () => {
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

test('a file that is not whole is damaged, wherever it ends', async () => {
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

test('a damaged file is not held open', async () => {
  const path = await compile(['a.example']);
  truncateSync(path, 100);
  // The lowest number that is free.
  const nextFile = (): number => {
    const file = openSync(path, 'r');
    closeSync(file);
    return file;
  };
  const before = nextFile();
  for (let round = 0; round < 50; round += 1) expect(openIndex(path)).toBe('damaged');
  expect(nextFile()).toBeLessThan(before + 25);
});

test('one damaged byte is found before it answers `free`, by a look-up of one name as by one of all', async () => {
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

test('what cannot be read for another reason is thrown, and is no damaged file', async () => {
  const path = await compile(['a.example']);
  expect(() => openIndex(join(path, 'below'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
  const index = open(path);
  index.close();
  await expect(index.check(['a.example'])).rejects.toMatchObject({ code: 'EBADF' });
});

test('a file that was cut while it was open answers nothing', async () => {
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

test('an index whose tables lead out of it is damaged, though its sums are right', async () => {
  // One bucket: how many entries are before it and behind it, then the hash and the place of the name.
  const verdicts = async (at: number, valueOf: (body: IndexBody) => number) => {
    const index = open(await compile(['a.example'], (body) => void body.tables.writeInt32LE(valueOf(body), at * 4)));
    const found = await index.check(['a.example']);
    index.close();
    return found;
  };
  expect(await verdicts(1, () => 1)).toMatchObject([{ status: 'blocked' }]);
  expect(await verdicts(1, () => 2)).toBeNull();
  expect(await verdicts(3, () => -4)).toBeNull();
  for (const beyond of [0, 4]) expect(await verdicts(3, ({ names }) => names.length + beyond)).toBeNull();
});

test('names of one bucket are found, however many they are', async () => {
  const BUCKETS = 128;
  const entries: string[] = [];
  for (let at = 0; entries.length < 300; at += 1) {
    const name = `${at.toString(36)}.example`;
    if ((hashName(Buffer.from(name), 0, name.length) & (BUCKETS - 1)) === 0) entries.push(name);
  }
  const path = await compile(entries, ({ buckets }) => expect(buckets).toBe(BUCKETS));
  expect(await check(path, entries)).toEqual(entries.map((host) => expected(new Set(entries), host)));
});
