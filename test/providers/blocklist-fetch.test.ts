import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fetchList } from '../../src/providers/blocklist/fetch.ts';

const dir = mkdtempSync(join(tmpdir(), 'blocklist-fetch-'));
const server = createServer((request, response) => answer(request, response));
let answer: RequestListener = () => {};
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
afterAll(async () => {
  await new Promise((done) => server.close(done).closeAllConnections());
  rmSync(dir, { recursive: true });
});

const LIMITS = { silenceMs: 60_000, totalMs: 60_000, maxBytes: 1000, maxRedirects: 2 };
let downloads = 0;

function fetchWith(limits: Partial<typeof LIMITS>, path = '/') {
  const url = new URL(path, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const nothing = { etag: null, last_modified: null };
  return fetchList(url, join(dir, String(++downloads)), nothing, () => {}, { ...LIMITS, ...limits });
}

test('silence before the answer ends the fetch', async () => {
  answer = () => {};
  await expect(fetchWith({ silenceMs: 50 })).rejects.toMatchObject({
    key: 'blocklist.no_answer',
    params: { reason: 'ETIMEDOUT' },
  });
});

test('silence within the body ends the fetch', async () => {
  answer = (_, response) => void response.write('a.example\n');
  await expect(fetchWith({ silenceMs: 50 })).rejects.toMatchObject({ key: 'blocklist.no_answer' });
});

test('an endless slow body ends at the total timeout', async () => {
  let timer: NodeJS.Timeout | undefined;
  answer = (_, response) => {
    timer = setInterval(() => response.write('a'), 5);
  };
  await expect(fetchWith({ totalMs: 100 })).rejects.toMatchObject({
    key: 'blocklist.no_answer',
    params: { reason: 'ETIMEDOUT' },
  });
  clearInterval(timer);
});

test('a body without a length ends at the size limit', async () => {
  answer = (_, response) => {
    response.write('a'.repeat(900));
    response.write('b'.repeat(900));
  };
  await expect(fetchWith({})).rejects.toMatchObject({ kind: 'too_large' });
});

test('a body that ends at once leaves no file behind that was not there when the fetch failed', async () => {
  answer = (_, response) => {
    response.writeHead(200, { 'content-length': 900 });
    response.flushHeaders();
    response.destroy();
  };
  for (let round = 0; round < 100; round += 1) {
    await expect(fetchWith({})).rejects.toMatchObject({ kind: 'upstream' });
    // As the caller does.
    rmSync(join(dir, String(downloads)), { force: true });
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  const left = Array.from({ length: 100 }, (_, index) => String(downloads - index)).filter((name) =>
    existsSync(join(dir, name)),
  );
  expect(left).toEqual([]);
});

test('redirects are followed up to the limit, and one more is refused', async () => {
  answer = ({ url }, response) => {
    const left = Number(url?.slice(1));
    if (left === 0) response.end('a.example\n');
    else response.writeHead(307, { location: String(left - 1) }).end();
  };
  expect(await fetchWith({}, '/2')).toMatchObject({ status: 'new' });
  await expect(fetchWith({}, '/3')).rejects.toMatchObject({ key: 'blocklist.bad_redirect' });
});
