// Cost of showing a page: files, bytes and calls, which are counted and not timed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type TestServer } from '../../support/server.ts';
import { settled, usePages } from '../support/page.ts';

const BUILD = fileURLToPath(new URL('../../../dist/ui', import.meta.url));

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** Loads a page anew and returns what it has asked for: scripts with their compressed bytes, and calls of the API. */
async function load(page: Page): Promise<{ scripts: string[]; bytes: number; calls: string[] }> {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  await page.reload();
  await settled(page);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const scripts = paths.filter((path) => path.endsWith('.js'));
  const bytes = scripts
    .map((path) => brotliCompressSync(readFileSync(join(BUILD, path))).length)
    .reduce((sum, size) => sum + size, 0);
  return { scripts, bytes, calls: paths.filter((path) => path.startsWith('/api/')) };
}

it('the dashboard takes few scripts and calls', async () => {
  const { scripts, bytes, calls } = await load(await open(server.url, { token: server.admin.token }));
  console.log(`/: ${scripts.length} scripts, ${bytes} bytes, ${calls.length} calls`);
  expect(bytes).toBeLessThanOrEqual(131_000);
  expect(scripts.length).toBeLessThanOrEqual(6);
  expect(calls.length).toBeLessThanOrEqual(12);
});

it.each(['/login', '/setup'])('%s takes less than sixty kilobytes of scripts, and nothing of the app', async (path) => {
  const page = await open(`${server.url}${path}`);
  const { scripts, bytes, calls } = await load(page);
  console.log(`${path}: ${scripts.length} scripts, ${bytes} bytes, ${calls.length} calls`);
  expect(bytes).toBeLessThanOrEqual(60_000);
  expect(scripts.length).toBeLessThanOrEqual(5);
  expect(scripts.filter((script) => /react|dashboard/.test(script))).toEqual([]);
  expect(calls.length).toBeLessThanOrEqual(2);
});

it('the app is loaded ahead as soon as somebody types a login, not before', async () => {
  const page = await open(`${server.url}/login`);
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
  await page.reload();
  await settled(page);
  const isApp = () => scripts.some((path) => path.includes('/dashboard-'));
  expect(isApp()).toBe(false);
  await page.getByLabel('Login', { exact: true }).pressSequentially('a');
  await expect.poll(isApp).toBe(true);
});
