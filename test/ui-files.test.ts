// The built interface, whose files an update replaces while the server runs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Koa from 'koa';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serveUi } from '../src/ui-files.ts';

let folder: string;
let server: Server;
let url: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'seo-admin-test-ui-'));
  build('one');
  const app = new Koa();
  app.silent = true;
  app.use(serveUi(folder));
  const handle = app.callback();
  server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  rmSync(folder, { recursive: true });
});

/** Builds the interface anew: none of the former files is left. */
function build(version: string, more = ''): void {
  rmSync(folder, { recursive: true });
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), `<script src="/assets/${version}.js"></script>${more}`);
  writeFileSync(join(folder, 'sign-in.html'), 'sign in');
  writeFileSync(join(folder, `assets/${version}.js`), version);
}

const read = async (path: string): Promise<[number, string]> => {
  const answer = await fetch(url + path);
  return [answer.status, await answer.text()];
};

test('a page is the app, of a name that ends like a file as well, and a file is itself, kept for good', async () => {
  const page = '<script src="/assets/one.js"></script>';
  for (const path of ['/', '/log', '/sites/a.example', '/projects/1']) expect(await read(path)).toEqual([200, page]);
  expect(await read('/login')).toEqual([200, 'sign in']);
  const file = await fetch(`${url}/assets/one.js`);
  expect([await file.text(), file.headers.get('cache-control')]).toEqual([
    'one',
    'public, max-age=31536000, immutable',
  ]);
  expect((await fetch(url)).headers.get('cache-control')).toBe('no-cache');
  expect((await read('/assets/none.js'))[0]).toBe(404);
});

test('a file that was taken away does not end the server: its request is cut, the next one not found', async () => {
  expect(await read('/assets/one.js')).toEqual([200, 'one']);
  rmSync(join(folder, 'assets/one.js'));
  await expect(read('/assets/one.js')).rejects.toThrow('fetch failed');
  expect((await read('/assets/one.js'))[0]).toBe(404);
  expect((await read('/'))[0]).toBe(200);
});

test('after an update the new files are served in whole, and those of before are not found', async () => {
  expect((await read('/'))[0]).toBe(200);
  build('two', 'longer than before');
  expect(await read('/')).toEqual([200, '<script src="/assets/two.js"></script>longer than before']);
  expect(await read('/assets/two.js')).toEqual([200, 'two']);
  expect((await read('/assets/one.js'))[0]).toBe(404);
});

test('a file that comes after the page, as while an update is under way, is found', async () => {
  expect((await read('/'))[0]).toBe(200);
  writeFileSync(join(folder, 'assets/late.js'), 'late');
  expect(await read('/assets/late.js')).toEqual([200, 'late']);
});

test('a page that was asked for before it was written to its end is whole afterwards', async () => {
  writeFileSync(join(folder, 'sign-in.html'), '');
  expect(await read('/login')).toEqual([200, '']);
  writeFileSync(join(folder, 'sign-in.html'), 'sign in');
  await expect.poll(() => read('/login'), { timeout: 10_000 }).toEqual([200, 'sign in']);
});

test('without a built interface a page says so, and it is served once it is there', async () => {
  rmSync(join(folder, 'index.html'));
  expect((await read('/'))[0]).not.toBe(200);
  build('two');
  expect((await read('/'))[0]).toBe(200);
});
