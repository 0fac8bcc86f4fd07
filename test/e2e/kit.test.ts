import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../src/demo/index.ts';
import { createLog } from '../../src/lib/log.ts';
import { serve, type Serving } from '../../src/server.ts';
import { DEMO_USERS } from '../../src/shared/demo.ts';
import { request, startServer, temporaryConfig } from '../support/server.ts';
import { faultsOf, inLooks } from './support/audit.ts';
import { usePages } from './support/page.ts';

const open = usePages();
const config = temporaryConfig();
let demo: Demo;
let serving: Serving;
let token: string;
beforeAll(async () => {
  demo = await startDemo(config, { size: 40, frozen: false });
  serving = await serve({ ...demo, log: createLog('silent'), host: '127.0.0.1', port: 0, scheduler: false });
  const [{ login, password }] = DEMO_USERS;
  token = (await request(serving, 'POST /api/login', { body: { login, password } })).body.token;
});
afterAll(async () => {
  await serving.close();
  await demo.close();
  rmSync(config.dataDir, { recursive: true });
});

it.each(inLooks(['light', 'dark'] as const, (theme) => `the kit, ${theme}`))(
  '%s: the parts have no faults',
  async (_title, look, theme) => {
    const page = await open(`${serving.url}/kit`, { ...look, theme, token });
    await page.getByRole('img', { name: /99[.,]3/ }).waitFor();
    expect(await faultsOf(page, look.widths)).toEqual([]);
  },
);

it('the dialogs and messages of the kit open, and a filter is taken off and put back', async () => {
  const page = await open(`${serving.url}/kit`, { token });
  await page.getByRole('button', { name: 'Диалог с формой' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Отмена' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Не удалось' }).click();
  await page.getByRole('alert').getByText('Не удалось', { exact: true }).waitFor();
  const filter = page.getByRole('button', { name: 'Снять фильтр RKN: blocked' });
  await filter.click();
  await filter.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Фильтр', exact: true }).click();
  await filter.waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
});

it('a real server has no page of the kit', async () => {
  const server = await startServer();
  const page = await open(`${server.url}/kit`, { token: server.admin.token });
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Страница не найдена');
  // An open page would ask the server that stops for its events.
  await page.close();
  await server.close();
});
