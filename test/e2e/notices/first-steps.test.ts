// The first steps where no bot is configured.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type TestServer } from '../../support/server.ts';
import { usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

it('a name at Telegram is no step that is done while the bot is off, and that is said', async () => {
  const page = await open(server.url, { token: server.admin.token });
  const step = page.getByRole('listitem').filter({ hasText: 'Привяжите чат в Telegram' });
  await step.getByText('Бот выключен').waitFor();
  await step.getByRole('button', { name: 'Add Telegram Username' }).click();
  await page.getByLabel('Telegram', { exact: true }).fill('ivan_seo');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('Telegram username updated successfully').waitFor();
  await step.getByRole('button').waitFor({ state: 'detached' });
  expect(await step.innerText()).not.toContain('сделано');
  await step.getByText('Бот выключен').waitFor();
});
