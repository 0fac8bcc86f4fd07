import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { blocklistStatus, updateBlocklist } from '../../../../src/services/checks/blocklist.ts';
import type { BlocklistProgress } from '../../../../src/shared/checks/blocklist.ts';
import { dir, file, hoursAgo, names, NOW, root, serve, snapshot, statuses, useLists } from './lists.ts';

useLists();

describe('a bad list', () => {
  test.each([
    ['a web page', '<!DOCTYPE html><html></html>', 'blocklist.html', { found: 0, current: 10 }],
    ['an empty file', '', 'blocklist.empty', { found: 0, current: 10 }],
    ['addresses alone', '10.0.0.1\n10.0.0.2\n', 'blocklist.empty', { found: 0, current: 10 }],
    ['half a gzip file', gzipSync(names(5000)).subarray(0, 500), 'blocklist.cut', { current: 10 }],
    ['an error as text', 'Not Found\n', 'blocklist.garbage', { found: 0, current: 10 }],
  ])('that is %s is refused and leaves the current one as it was', async (_, content, key, params) => {
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

  test('from a missing file is refused', async () => {
    await expect(updateBlocklist(dir, { file: join(root, 'none') })).rejects.toMatchObject({
      kind: 'refused',
      key: 'blocklist.unreadable',
      params: { reason: 'ENOENT' },
    });
  });

  test.each(['ftp://lists.example/x', 'lists.example', undefined])(
    'from “%s”, which is no address, is refused',
    async (url) => {
      await expect(updateBlocklist(dir, { url })).rejects.toMatchObject({ kind: 'invalid', key: 'blocklist.bad_url' });
    },
  );
});

describe('a list from a URL', () => {
  const LIST = names(10);

  test('is asked for on condition; "not modified" renews its age and nothing else', async () => {
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

  test('may be packed and behind redirects; progress is reported, and the status has no credentials', async () => {
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

  test('may be a file', async () => {
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
  ])('that is answered by %s is an upstream failure, and the current list stays', async (_, answer, key) => {
    await updateBlocklist(dir, { file: file(LIST), now: NOW });
    const before = snapshot();
    await expect(updateBlocklist(dir, { url: await serve(answer) })).rejects.toMatchObject({ kind: 'upstream', key });
    expect(snapshot()).toEqual(before);
  });

  test('with an announced size over the limit is not read', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 2 ** 31 });
      response.write(LIST);
    });
    await expect(updateBlocklist(dir, { url })).rejects.toMatchObject({ kind: 'too_large' });
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
