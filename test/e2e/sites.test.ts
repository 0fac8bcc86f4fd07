import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, startServer, type Person, type TestServer } from '../support/server.ts';
import { settled, usePages } from './support/page.ts';
import { seedDomains, seedProjects } from './support/portfolio.ts';

const open = usePages();
let server: TestServer;
let owner: Person;
beforeAll(async () => {
  server = await startServer();
  owner = await createPerson(server);
  await seedProjects(owner.id, ['Восток', 'Запад']);
  await seedDomains(
    owner.id,
    Array.from({ length: 2_000 }, (_, index) => ({
      domain_name: `site-${String(index).padStart(5, '0')}.example`,
      project_id: (index % 2) + 1,
      type: index % 4 === 0 ? ('transfer' as const) : ('main' as const),
      status: index % 100 === 0 ? ('blocked' as const) : ('available' as const),
    })),
  );
});
afterAll(() => server.close());

it('the server searches, filters and sorts; the view is in the URL', async () => {
  const page = await open(`${server.url}/sites`, { token: owner.token });
  await page.getByRole('button', { name: /^Заблокированы/ }).click();
  await page.getByLabel('Проект', { exact: true }).selectOption({ label: 'Восток' });
  await page.getByLabel('Тип', { exact: true }).selectOption('transfer');
  for (const order of ['ascending', 'descending']) {
    await page.getByRole('button', { name: 'Domain', exact: true }).click();
    await page.locator(`th[aria-sort="${order}"]`).waitFor();
  }
  await page.keyboard.press('Slash');
  await page.keyboard.type('site-00');
  await page.getByRole('heading', { name: 'Найдено: 10 доменов' }).waitFor();
  await settled(page);
  const search = new URL(page.url()).searchParams;
  expect(Object.fromEntries(search)).toEqual({
    status: 'blocked',
    project: '1',
    type: 'transfer',
    sort: '-domain_name',
    search: 'site-00',
  });
  const again = await open(page.url(), { token: owner.token });
  await expect.poll(() => again.locator('.rows tbody a.domain-name').first().textContent()).toBe('site-00900.example');
  await expect.poll(() => again.getByLabel('Найти домен или проект').inputValue()).toBe('site-00');

  const download = again.waitForEvent('download');
  await again.getByRole('button', { name: 'Экспорт CSV' }).click();
  const csv = await text(await (await download).createReadStream());
  expect(csv.trimEnd().split('\r\n')).toHaveLength(11);
});

it('a domain opens by its name, its form by an icon, and Back leads to the list', async () => {
  const page = await open(`${server.url}/sites?search=site-00042`, { token: owner.token });
  await page.getByRole('link', { name: 'site-00042.example' }).click();
  await page.getByRole('heading', { level: 1, name: 'site-00042.example' }).waitFor();
  expect(page.url()).toBe(`${server.url}/sites/site-00042.example`);
  await page.goBack();
  await page.getByRole('button', { name: 'Изменить: site-00042.example' }).click();
  await page.getByRole('dialog', { name: 'Домен site-00042.example' }).waitFor();
  expect(new URL(page.url()).searchParams.has('domain')).toBe(true);
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(page.url()).toBe(`${server.url}/sites?search=site-00042`);
});

it('an unknown domain in the URL is reported', async () => {
  const page = await open(`${server.url}/sites?domain=999999`, {
    token: owner.token,
    expected: /^404 \/api\/domains\/999999$/,
  });
  await page.getByRole('dialog').getByText('Не удалось загрузить детали домена').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(page.url()).toBe(`${server.url}/sites`);
});
