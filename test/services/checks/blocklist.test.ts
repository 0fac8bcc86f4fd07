import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkBlocklistText } from '../../../src/services/checks/blocklist-bulk.ts';
import {
  acceptBlocklist,
  blocklistStatus,
  checkBlocklist,
  rollBackBlocklist,
  updateBlocklist,
} from '../../../src/services/checks/blocklist.ts';
import type { BlocklistProgress } from '../../../src/shared/checks/blocklist.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * 3_600_000);
const names = (count: number, prefix = 'name'): string =>
  Array.from({ length: count }, (_, i) => `${prefix}-${i}.example\n`).join('');

let root = '';
let dir = '';
let servers: Server[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'blocklist-'));
  dir = join(root, 'blocklist');
});
afterEach(async () => {
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done).closeAllConnections())));
  servers = [];
  rmSync(root, { recursive: true });
});

function file(content: string | Buffer, name = 'list.txt'): string {
  const path = join(root, name);
  writeFileSync(path, content);
  return path;
}

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const statuses = async (hosts: string[], now = NOW): Promise<string[]> =>
  (await checkBlocklist(dir, hosts, now)).map(({ status }) => status);

/** The bytes of the current list and the names of all files beside it. */
const snapshot = () => ({ bytes: readFileSync(join(dir, 'list.idx')), files: readdirSync(dir).toSorted() });

describe('verdicts and age', () => {
  test('every name is unknown without a list', async () => {
    expect(await statuses(['a.example', 'b.example'])).toEqual(['unknown', 'unknown']);
    expect(await blocklistStatus(dir, NOW)).toMatchObject({ state: 'missing', entries: null, age_hours: null });
  });

  test('a list from a file gives verdicts in the order asked and fills the status', async () => {
    const meta = await updateBlocklist(dir, { file: file('a.example\n*.b.example\n10.0.0.1\n'), now: NOW });
    expect(meta).toEqual({
      list_version: expect.stringMatching(/^[0-9a-f]{8}-2$/),
      source: 'list.txt',
      format: 'list',
      entries: { exact: 1, mask: 1, url: 0 },
      unusable: 0,
      fetched_at: NOW.toISOString(),
      updated_at: null,
    });
    expect(await blocklistStatus(dir, NOW)).toEqual({
      state: 'fresh',
      age_hours: 0,
      ...meta,
      doubt: null,
      former: null,
    });
    expect(await statuses(['x.b.example', 'free.example', 'a.example', 'a.example'])).toEqual([
      'blocked',
      'free',
      'blocked',
      'blocked',
    ]);
  });

  test('a list older than 72 hours says unknown, never free', async () => {
    await updateBlocklist(dir, { file: file('a.example\n'), now: hoursAgo(72) });
    expect(await statuses(['a.example', 'b.example'])).toEqual(['blocked', 'free']);
    await updateBlocklist(dir, { file: file('a.example\n'), now: hoursAgo(72.1) });
    expect(await statuses(['a.example', 'b.example'])).toEqual(['unknown', 'unknown']);
    expect(await blocklistStatus(dir, NOW)).toMatchObject({ state: 'stale', age_hours: 72.1 });
  });

  test("the list's own date counts, however fresh the file is", async () => {
    const path = file('Updated: 2014-04-22 11:05:00 +0000\n1.1.1.1;a.example;;o;n;d\n', 'dump.csv');
    await updateBlocklist(dir, { file: path, source: 'my dump', now: NOW });
    expect(await blocklistStatus(dir, NOW)).toMatchObject({
      state: 'stale',
      source: 'my dump',
      updated_at: '2014-04-22T11:05:00.000Z',
    });
    expect(await statuses(['a.example', 'b.example'])).toEqual(['unknown', 'unknown']);
  });

  test('a date in the future does not keep a list fresh for ever', async () => {
    await updateBlocklist(dir, {
      file: file('Updated: 2099-01-01 00:00:00 +0000\n1.1.1.1;a.example;;o;n;d\n'),
      now: NOW,
    });
    expect(await statuses(['a.example'])).toEqual(['blocked']);
    expect(await statuses(['a.example'], hoursAgo(-73))).toEqual(['unknown']);
  });

  test('a list read before the clock was set back is stale and is fetched again without conditions', async () => {
    const sent: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      sent.push(request.headers['if-none-match']);
      const isKnown = request.headers['if-none-match'] === '"v"';
      response.writeHead(isKnown ? 304 : 200, { etag: '"v"' }).end(isKnown ? '' : 'a.example\n');
    });
    const ahead = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000);
    await updateBlocklist(dir, { url, now: ahead(8_000) });
    await updateBlocklist(dir, { url, now: ahead(8_001) });
    expect(await blocklistStatus(dir, NOW)).toMatchObject({ state: 'stale', age_hours: 8_001 });
    expect(await statuses(['a.example'])).toEqual(['unknown']);
    await updateBlocklist(dir, { url, now: NOW });
    expect(await blocklistStatus(dir, NOW)).toMatchObject({ state: 'fresh', fetched_at: NOW.toISOString() });
    expect(await statuses(['a.example'])).toEqual(['blocked']);
    await updateBlocklist(dir, { url, now: ahead(1) });
    expect(await blocklistStatus(dir, NOW)).toMatchObject({ fetched_at: ahead(1).toISOString() });
    expect(sent).toEqual([undefined, '"v"', undefined, '"v"']);
  });

  test('a truncated index gives no verdict, and says so; the next list replaces it', async () => {
    await updateBlocklist(dir, { file: file(names(100)), now: NOW });
    truncateSync(join(dir, 'list.idx'), 5000);
    expect(await blocklistStatus(dir, NOW)).toMatchObject({ state: 'damaged' });
    expect(await statuses(['name-1.example', 'b.example'])).toEqual(['unknown', 'unknown']);
    await updateBlocklist(dir, { file: file(names(101)), now: NOW });
    expect(await statuses(['name-1.example'])).toEqual(['blocked']);
  });

  test('a damaged index is not confirmed by a source that has nothing newer', async () => {
    const url = await serve((request, response) => {
      if (request.headers['if-none-match']) response.writeHead(304).end();
      else response.writeHead(200, { etag: '"1"' }).end(names(100));
    });
    await updateBlocklist(dir, { url, now: NOW });
    const bytes = readFileSync(join(dir, 'list.idx'));
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(join(dir, 'list.idx'), bytes);
    await updateBlocklist(dir, { url, now: NOW });
    expect(await statuses(names(100).trim().split('\n'))).toEqual(Array.from({ length: 100 }, () => 'blocked'));
    const whole = readFileSync(join(dir, 'list.idx'));
    expect(whole.equals(bytes)).toBe(false);
  });
});

describe('a text of names', () => {
  test('gets the same verdicts as its names one by one', async () => {
    const csv = '1.1.1.1;a.example;;;;\n1.1.1.1;*.b.example;;;;\n1.1.1.1;*.c.example;;;;\n1.1.1.1;c.example;;;;\n';
    const urls =
      '1.1.1.1;u.example;http://u.example/;;;\n1.1.1.1;a.example;http://a.example/;;;\n1.1.1.1;x.b.example;http://x/;;;\n';
    await updateBlocklist(dir, { file: file(csv + urls, 'dump.csv'), now: NOW });
    const asked = [
      'a.example',
      'x.y.b.example',
      'x.b.example',
      'b.example',
      'c.example',
      'u.example',
      'f.example',
      'x.a.example',
    ];
    const text = Buffer.from(`${asked.join('\n')}\nA.example\n`);
    const verdicts = await checkBlocklist(dir, asked, NOW);
    const found = await checkBlocklistText(dir, text, NOW);
    expect(Buffer.concat([...(found?.itemsJson ?? [])]).toString()).toBe(
      JSON.stringify(asked.map((domain, i) => Object.assign({ domain }, verdicts[i]))),
    );
    expect(found?.summary).toEqual({ total: 8, blocked: 5, free: 3, unknown: 0 });
  });

  test('of many names is answered in chunks that make one array', async () => {
    await updateBlocklist(dir, { file: file('*.b.example\nname-7.example\n'), now: NOW });
    const asked = Array.from({ length: 30_000 }, (_, i) => `name-${i}.${'abc'[i % 3]}.example`.replace('.a.', '.'));
    const found = await checkBlocklistText(dir, Buffer.from(asked.join('\n')), NOW);
    const parts = [...(found?.itemsJson ?? [])];
    expect(parts.length).toBeGreaterThan(2);
    const verdicts = await checkBlocklist(dir, asked, NOW);
    expect(JSON.parse(Buffer.concat(parts).toString())).toEqual(
      asked.map((domain, i) => Object.assign({ domain }, verdicts[i])),
    );
  });

  test('gets no verdicts without a list, from an old or damaged one, or where a line is no name', async () => {
    const check = (text = 'a.example\nb.example\n') => checkBlocklistText(dir, Buffer.from(text), NOW);
    expect(await check()).toBeNull();
    await updateBlocklist(dir, { file: file('a.example\n'), now: hoursAgo(72.1) });
    expect(await check()).toBeNull();
    await updateBlocklist(dir, { file: file('a.example\n'), now: NOW });
    expect(await check()).not.toBeNull();
    expect(await check('a.example\nword\n')).toBeNull();
    expect(await check('')).toBeNull();
    const bytes = readFileSync(join(dir, 'list.idx'));
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(join(dir, 'list.idx'), bytes);
    expect(await check()).toBeNull();
  });
});

describe('a refused list leaves the current one as it was', () => {
  test.each([
    ['a web page', '<!DOCTYPE html><html></html>', 'blocklist.html', { found: 0, current: 10 }],
    ['an empty file', '', 'blocklist.empty', { found: 0, current: 10 }],
    ['addresses alone', '10.0.0.1\n10.0.0.2\n', 'blocklist.empty', { found: 0, current: 10 }],
    ['half a gzip file', gzipSync(names(5000)).subarray(0, 500), 'blocklist.cut', { current: 10 }],
    ['an error as text', 'Not Found\n', 'blocklist.garbage', { found: 0, current: 10 }],
  ])('%s', async (_, content, key, params) => {
    await updateBlocklist(dir, { file: file(names(10)), now: NOW });
    const before = snapshot();
    await expect(updateBlocklist(dir, { file: file(content), now: NOW })).rejects.toMatchObject({
      kind: 'refused',
      key,
      params,
    });
    expect(snapshot()).toEqual(before);
    expect(await statuses(['name-9.example'])).toEqual(['blocked']);
  });

  test('a missing file', async () => {
    await expect(updateBlocklist(dir, { file: join(root, 'none') })).rejects.toMatchObject({
      kind: 'refused',
      key: 'blocklist.unreadable',
      params: { reason: 'ENOENT' },
    });
  });

  test.each(['ftp://lists.example/x', 'lists.example', undefined])('no address of a list: %s', async (url) => {
    await expect(updateBlocklist(dir, { url })).rejects.toMatchObject({ kind: 'invalid', key: 'blocklist.bad_url' });
  });
});

describe('from a URL', () => {
  const LIST = names(10);

  test('a conditional request; "not modified" renews the age and nothing else', async () => {
    const asked: IncomingMessage['headers'][] = [];
    const url = await serve((request, response) => {
      asked.push(request.headers);
      const isKnown = request.headers['if-none-match'] === '"v1"';
      response.writeHead(isKnown ? 304 : 200, { etag: '"v1"', 'last-modified': 'Fri, 20 Nov 2026 00:00:00 GMT' });
      response.end(isKnown ? '' : LIST);
    });
    const first = await updateBlocklist(dir, { url: `${url}/list`, now: hoursAgo(100) });
    expect(await statuses(['name-1.example'])).toEqual(['unknown']);
    const { bytes } = snapshot();
    const second = await updateBlocklist(dir, { url: `${url}/list`, now: hoursAgo(1) });
    expect(second).toEqual({ ...first, fetched_at: hoursAgo(1).toISOString() });
    expect(snapshot().bytes).toEqual(bytes);
    expect(await blocklistStatus(dir, NOW)).toMatchObject({ state: 'fresh', age_hours: 1 });
    expect(await statuses(['name-1.example', 'b.example'])).toEqual(['blocked', 'free']);
    expect(asked[0]).not.toHaveProperty('if-none-match');
    expect(asked[0]?.['user-agent']).toMatch(/^seo-admin/);
    expect(asked[1]).toMatchObject({
      'if-none-match': '"v1"',
      'if-modified-since': 'Fri, 20 Nov 2026 00:00:00 GMT',
    });

    // Another source is fetched unconditionally.
    await updateBlocklist(dir, { url: `${url}/other`, now: NOW });
    expect(asked[2]).not.toHaveProperty('if-none-match');
  });

  test('gzip, redirects, progress; no credentials in the status', async () => {
    const packed = gzipSync(LIST);
    const url = await serve((request, response) => {
      if (request.url === '/list.gz') response.writeHead(200, { 'content-length': packed.length }).end(packed);
      else response.writeHead(302, { location: '/list.gz' }).end();
    });
    const seen: BlocklistProgress[] = [];
    const { source, format } = await updateBlocklist(
      dir,
      { url: url.replace('//', '//user:secret@'), now: NOW },
      (progress) => seen.push(progress),
    );
    expect({ source, format }).toEqual({ source: `${url}/`, format: 'list' });
    expect(seen[0]).toEqual({ phase: 'download', bytes: packed.length, total: packed.length });
    expect(seen.at(-1)).toEqual({ phase: 'import', bytes: packed.length, total: packed.length });
    expect(readFileSync(join(dir, 'list.idx'), 'latin1')).not.toContain('secret');
  });

  test('file:', async () => {
    const url = pathToFileURL(file(LIST)).href;
    expect(await updateBlocklist(dir, { url, now: NOW })).toMatchObject({ source: url });
    expect(await statuses(['name-1.example'])).toEqual(['blocked']);
  });

  test.each<[string, RequestListener, string]>([
    ['an error', (_, response) => response.writeHead(503).end(), 'blocklist.bad_answer'],
    ['"not modified" that was not asked for', (_, response) => response.writeHead(304).end(), 'blocklist.bad_answer'],
    ['a closed connection', (request) => request.socket.destroy(), 'blocklist.no_answer'],
    [
      'a body that ends early',
      (_, response) => {
        response.writeHead(200, { 'content-length': 10_000 });
        response.write(LIST, () => response.destroy());
      },
      'blocklist.no_answer',
    ],
    [
      'a redirect for ever',
      (_, response) => response.writeHead(302, { location: '/again' }).end(),
      'blocklist.bad_redirect',
    ],
    [
      'a redirect into the file system',
      (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      'blocklist.bad_redirect',
    ],
  ])('%s: an upstream failure, and the list stays', async (_, answer, key) => {
    await updateBlocklist(dir, { file: file(LIST), now: NOW });
    const before = snapshot();
    await expect(updateBlocklist(dir, { url: await serve(answer) })).rejects.toMatchObject({ kind: 'upstream', key });
    expect(snapshot()).toEqual(before);
  });

  test('a list with an announced size over the limit is not read', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 2 ** 31 });
      response.write(LIST);
    });
    await expect(updateBlocklist(dir, { url })).rejects.toMatchObject({ kind: 'too_large' });
  });
});

describe('a list in doubt', () => {
  const load = (content: string, days = 0, accept = false) =>
    updateBlocklist(dir, { file: file(content), now: new Date(NOW.getTime() + days * 86_400_000), accept });
  const inDoubt = (reason: string, found: number, current: number) => ({
    kind: 'refused',
    key: `blocklist.${reason}`,
    code: 'list_in_doubt',
    params: { found, current },
  });
  const versions = async () => {
    const { list_version, doubt, former } = await blocklistStatus(dir, NOW);
    return { list: list_version, doubt: doubt?.list_version ?? null, former: former?.list_version ?? null };
  };

  test.each([
    ['at 60 % of its length', names(60), 'shrunk', 60],
    ['of the same names again and again', 'a.example\n'.repeat(100), 'shrunk', 1],
    ['a quarter longer', names(125), 'grown', 125],
  ])('waits for a person and leaves the current list byte for byte: %s', async (_, content, reason, found) => {
    await load(names(100));
    const { bytes } = snapshot();
    await expect(load(content)).rejects.toMatchObject(inDoubt(reason, found, 100));
    expect(snapshot().bytes).toEqual(bytes);
    expect(await statuses(['name-99.example'])).toEqual(['blocked']);
    const { doubt } = await blocklistStatus(dir, NOW);
    expect(doubt).toMatchObject({ reason, found, expected: 100, source: 'list.txt' });
    // A complete list afterwards is accepted and clears the doubt.
    await load(names(101));
    expect(await blocklistStatus(dir, NOW)).toMatchObject({ entries: { exact: 101 }, doubt: null });
  });

  test.each([
    ['shrinks to 55 % six times', [100, 55, 30, 17, 9, 5, 3], 100],
    ['shrinks by a tenth again and again', [100, 90, 81, 73, 66, 59], 81],
    ['grows by 19 % a list', [100, 119, 142, 169, 201], 119],
    ['grows by 19 % and is then cut by a third', [100, 119, 81], 119],
    ['goes down and up again', [100, 81, 101, 81, 110], 110],
  ])('is measured against the last seven days: one that %s', async (_, sizes, last) => {
    for (const [day, size] of sizes.entries()) await load(names(size), day).catch(() => undefined);
    expect((await blocklistStatus(dir, NOW)).entries?.exact).toBe(last);
  });

  test('is measured against the last list after seven days, and slow changes pass', async () => {
    for (const [index, size] of [100, 90, 81, 73, 66].entries()) await load(names(size), index * 8);
    await expect(load(names(50), 100)).rejects.toMatchObject(inDoubt('shrunk', 50, 66));
  });

  test('is taken over where a person accepts it, and later lists are measured against it', async () => {
    await load(names(100));
    await expect(load(names(10))).rejects.toMatchObject({ kind: 'refused' });
    expect(await acceptBlocklist(dir, NOW)).toMatchObject({ entries: { exact: 10 } });
    expect(await statuses(['name-9.example', 'name-99.example'])).toEqual(['blocked', 'free']);
    await load(names(11));
    await expect(acceptBlocklist(dir, NOW)).rejects.toMatchObject({ kind: 'conflict', key: 'blocklist.no_doubt' });
    await load(names(500), 0, true);
    await load(names(505));
    expect(await blocklistStatus(dir, NOW)).toMatchObject({ entries: { exact: 505 }, doubt: null });
  });

  test('goes on waiting without being fetched again while its source answers 304', async () => {
    let content = names(100);
    let sent = 0;
    const url = await serve((request, response) => {
      const etag = `"${content.length}"`;
      const isKnown = request.headers['if-none-match'] === etag;
      sent += isKnown ? 0 : 1;
      response.writeHead(isKnown ? 304 : 200, { etag }).end(isKnown ? '' : content);
    });
    await updateBlocklist(dir, { url, now: NOW });
    content = names(50);
    for (let turn = 0; turn < 3; turn += 1) {
      await expect(updateBlocklist(dir, { url, now: NOW })).rejects.toMatchObject(inDoubt('shrunk', 50, 100));
    }
    expect(sent).toBe(2);
    content = names(102);
    expect(await updateBlocklist(dir, { url, now: NOW })).toMatchObject({ entries: { exact: 102 } });
  });

  test('may be a list that was rolled back: it is not taken again unless a person accepts it', async () => {
    await load(names(100));
    await load(names(110));
    const before = await versions();
    expect(await rollBackBlocklist(dir, NOW)).toMatchObject({ entries: { exact: 100 } });
    expect(await statuses(['name-109.example', 'name-99.example'])).toEqual(['free', 'blocked']);
    expect(await versions()).toEqual({ list: before.former, doubt: null, former: null });
    await expect(rollBackBlocklist(dir, NOW)).rejects.toMatchObject({ kind: 'conflict', key: 'blocklist.no_former' });
    await expect(load(names(110))).rejects.toMatchObject(inDoubt('given_back', 110, 100));
    expect(await versions()).toEqual({ list: before.former, doubt: before.list, former: null });
    await acceptBlocklist(dir, NOW);
    expect(await versions()).toEqual({ list: before.list, doubt: null, former: before.former });
    await load(names(110));
  });

  test('may nearly equal a list that was rolled back: it waits until a person accepts it', async () => {
    await load(names(100));
    await load(names(110));
    await rollBackBlocklist(dir, NOW);
    for (const nearly of [names(111), names(109), `${names(109)}other.example\n`, names(105), names(115)]) {
      await expect(load(nearly)).rejects.toMatchObject({ key: 'blocklist.given_back' });
    }
    await load(names(100));
    await load(names(104));
    await expect(load(names(109))).rejects.toMatchObject(inDoubt('given_back', 109, 104));
    await acceptBlocklist(dir, NOW);
    await load(names(111));
  });

  test('a damaged list can be replaced by the former one', async () => {
    await load(names(100));
    await load(names(101));
    truncateSync(join(dir, 'list.idx'), 5000);
    await rollBackBlocklist(dir, NOW);
    expect(await statuses(['name-99.example'])).toEqual(['blocked']);
    await load(names(101));
  });

  test('five former lists are kept, however often the list changes', async () => {
    const loaded: string[] = [];
    for (let turn = 0; turn < 24; turn += 1) {
      loaded.push((await load(names(100, `turn-${turn}`), turn / 4)).list_version);
    }
    expect(readdirSync(dir).filter((name) => name.startsWith('former-'))).toHaveLength(5);
    const back: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) back.push(loaded.indexOf((await rollBackBlocklist(dir, NOW)).list_version));
    // The two lists before, and the last list of each of three days.
    expect(back).toEqual([22, 21, 20, 17, 13]);
  });
});

describe('a packed list', () => {
  test('that unpacks to a thousand times its size is refused before it fills the memory', async () => {
    await updateBlocklist(dir, { file: file(names(10)), now: NOW });
    const bomb = file(gzipSync(Buffer.alloc(180 * 2 ** 20, 'a.example\n')), 'bomb.gz');
    const before = process.memoryUsage().rss;
    let most = 0;
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 5);
    await expect(updateBlocklist(dir, { file: bomb, apart: true })).rejects.toMatchObject({
      kind: 'refused',
      key: 'blocklist.packed',
      params: { current: 10 },
    });
    clearInterval(timer);
    expect(most - before).toBeLessThan(100 * 2 ** 20);
    await expect(updateBlocklist(dir, { file: bomb })).rejects.toMatchObject({ key: 'blocklist.packed' });
    expect(await statuses(['name-9.example'])).toEqual(['blocked']);
  });

  test('of a usual density is read in a process of its own, and reports its progress', async () => {
    const packed = gzipSync(names(50_000));
    const seen: BlocklistProgress[] = [];
    const source = { file: file(packed, 'list.gz'), apart: true, now: NOW };
    expect(await updateBlocklist(dir, source, (progress) => seen.push(progress))).toMatchObject({
      entries: { exact: 50_000 },
    });
    expect(seen[0]).toMatchObject({ phase: 'import', total: packed.length });
    expect(await statuses(['name-49999.example', 'free.example'])).toEqual(['blocked', 'free']);
  });

  test('that the reader process cannot open is refused with the reason', async () => {
    await expect(updateBlocklist(dir, { file: root, apart: true })).rejects.toMatchObject({
      kind: 'refused',
      key: 'blocklist.unreadable',
      params: { reason: 'EISDIR' },
    });
  });
});

describe('one update at a time', () => {
  test('a second update is refused as busy, and the first goes on', async () => {
    const asked = new EventEmitter();
    const url = await serve((_, response) => asked.emit('request', response));
    const request = once(asked, 'request');
    const first = updateBlocklist(dir, { url, now: NOW });
    const [response] = (await request) as [ServerResponse];
    await expect(updateBlocklist(dir, { file: file('a.example\n') })).rejects.toMatchObject({ kind: 'busy' });
    response.end(names(3));
    expect(await first).toMatchObject({ entries: { exact: 3 } });
    expect(existsSync(join(dir, 'update.lock'))).toBe(false);
  });

  test('lock and temporary files of a dead process stop nobody and are removed', async () => {
    await updateBlocklist(dir, { file: file('a.example\n'), now: NOW });
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    writeFileSync(join(dir, 'update.lock'), String(pid));
    writeFileSync(join(dir, 'half.tmp'), 'x');
    await updateBlocklist(dir, { file: file('b.example\n'), now: NOW });
    expect(await statuses(['b.example'])).toEqual(['blocked']);
    expect(readdirSync(dir).filter((name) => !name.startsWith('former-'))).toEqual(['list.idx', 'lists.json']);
  });

  test('an empty lock file, as a full disk leaves it, holds no lock', async () => {
    await updateBlocklist(dir, { file: file('a.example\n'), now: NOW });
    writeFileSync(join(dir, 'update.lock'), '');
    await updateBlocklist(dir, { file: file('b.example\n'), now: NOW });
    expect(await statuses(['b.example'])).toEqual(['blocked']);
    expect(existsSync(join(dir, 'update.lock'))).toBe(false);
  });

  test('a lock of another living process holds', async () => {
    await updateBlocklist(dir, { file: file('a.example\n'), now: NOW });
    writeFileSync(join(dir, 'update.lock'), String(process.ppid));
    await expect(updateBlocklist(dir, { file: file('b.example\n') })).rejects.toMatchObject({ kind: 'busy' });
  });
});
