import { rmSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../src/demo/index.ts';
import { createLog } from '../../src/lib/log.ts';
import { serve, type Serving } from '../../src/server.ts';
import { startServer, temporaryConfig } from '../support/server.ts';
import { faultsOf } from './support/audit.ts';
import { usePages } from './support/page.ts';

const STRIP = 'Демо-режим: данные и провайдеры вымышленные, наружу ничего не отправляется.';

const open = usePages();
const config = temporaryConfig();
let demo: Demo;
let serving: Serving;
beforeAll(async () => {
  demo = await startDemo(config, { size: undefined, frozen: false });
  serving = await serve({ ...demo, log: createLog('silent'), host: '127.0.0.1', port: 0, scheduler: false });
});
afterAll(async () => {
  await serving.close();
  await demo.close();
  rmSync(config.dataDir, { recursive: true });
});

it('a visitor of the demo signs in with one press, and every page says that it is a demo', async () => {
  const page = await open(`${serving.url}/`);
  await page.getByText(STRIP).waitFor();
  expect(await page.getByText('operator / operator').count()).toBe(1);
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Войти как demo' }).click();
  await page.waitForURL(`${serving.url}/`);
  for (const path of ['/', '/sites', '/projects', '/admin', '/nowhere']) {
    await page.goto(serving.url + path);
    await page.getByText(STRIP).waitFor();
  }
  await page.goto(`${serving.url}/`);
  expect(await faultsOf(page)).toEqual([]);
});

it('a page of a demo has its strip before the server has answered', async () => {
  const whenStripIsThere = (page: Page) =>
    page.route('**/api/health', async (route) => {
      await page.getByText(STRIP).waitFor();
      await route.fallback();
    });
  const page = await open(`${serving.url}/login`, { prepare: whenStripIsThere });
  await page.getByRole('button', { name: 'Войти как demo' }).click();
  await page.waitForURL(`${serving.url}/`);
  await expect.poll(() => page.locator('#main h1').count()).toBe(1);
});

it('a real server shows nothing of the demo', async () => {
  const server = await startServer();
  const page = await open(`${server.url}/login`);
  expect(await page.locator('.demo-strip, .demo-users').count()).toBe(0);
  await server.close();
});
