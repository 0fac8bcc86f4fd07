// A person's choices for a list are stored as they were made, however late the server answers.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { transaction } from '../../../db/index.ts';
import { createPerson, request, startServer, type Person, type TestServer } from '../../support/server.ts';
import { usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
let person: Person;
beforeAll(async () => {
  server = await startServer();
  person = await createPerson(server);
  await request(server, 'POST /api/projects', { token: person.token, body: { name: 'Север' } });
  await request(server, 'POST /api/domains', {
    token: person.token,
    body: { domain_name: 'kept.example', project_id: 1, type: 'main' },
  });
});
afterAll(() => server.close());

/** Opens the domains. The server stores nothing until the returned function is called; `sent` are the changes that have left the page. */
async function openHeld(): Promise<{ page: Page; sent: unknown[]; release: () => Promise<void> }> {
  const page = await open(`${server.url}/sites`, { token: person.token });
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.postDataJSON());
  });
  let end = (): void => undefined;
  const held = transaction(() => new Promise<void>((resolve) => (end = resolve)));
  return {
    page,
    sent,
    release: () => {
      end();
      return held;
    },
  };
}

async function stored(): Promise<unknown> {
  const { body } = await request(server, 'GET /api/list_settings/sites', { token: person.token });
  return (body as { data: unknown }).data;
}

it('changes are sent one after another, so that none is stored over a later one', async () => {
  const { page, sent, release } = await openHeld();
  const denser = page.getByRole('button', { name: 'Плотнее' });
  await denser.click();
  await page.locator('.rows.compact').waitFor();
  await expect.poll(() => sent).toEqual([{ density: 'compact' }]);
  await denser.click();
  await page.locator('.rows.compact').waitFor({ state: 'detached' });
  expect(sent).toHaveLength(1);
  await release();
  await expect.poll(() => sent).toEqual([{ density: 'compact' }, { density: 'regular' }]);
  await expect.poll(stored).toMatchObject({ density: 'regular' });
});

it('a change that waits for another one is sent when the page is left', async () => {
  const { page, sent, release } = await openHeld();
  await page.getByRole('button', { name: 'Плотнее' }).click();
  await expect.poll(() => sent).toHaveLength(1);
  await page.getByRole('button', { name: 'Столбцы' }).click();
  const box = page.getByRole('checkbox', { name: 'Project', exact: true });
  await box.click({ force: true });
  await expect.poll(() => box.isChecked()).toBe(false);
  await page.goto('about:blank');
  await release();
  await expect.poll(stored).toMatchObject({ density: 'compact', columns: expect.not.arrayContaining(['project']) });
});
