// A person's settings of a list: columns, height of rows, views; and the menu of a cell.
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, startServer, type Person, type TestServer } from '../../support/server.ts';
import { delayDeferred } from '../support/acts.ts';
import { faultsNow } from '../support/audit.ts';
import { usePages } from '../support/page.ts';
import { seedDomains, seedProjects } from '../support/portfolio.ts';

const open = usePages();
let server: TestServer;
let owner: Person;
beforeAll(async () => {
  server = await startServer();
  owner = await createPerson(server);
  await seedProjects(owner.id, ['Восток', 'Запад']);
  await seedDomains(
    owner.id,
    Array.from({ length: 300 }, (_, index) => ({
      domain_name: `site-${String(index).padStart(5, '0')}.example`,
      project_id: (index % 2) + 1,
      type: index % 4 === 0 ? ('transfer' as const) : ('main' as const),
      status: index % 100 === 0 ? ('blocked' as const) : ('available' as const),
    })),
  );
});
afterAll(() => server.close());

it('columns are chosen and ordered for the person, a view keeps them, and a file has what is seen', async () => {
  const page = await open(`${server.url}/sites?type=main`, { token: owner.token });
  const heads = () => page.locator('.rows thead th').allTextContents();
  await expect.poll(heads).toEqual(expect.arrayContaining(['Domain', 'Project', 'Регистратор', 'Индекс', 'Действия']));
  const sideways = () => page.locator('.rows').evaluate((list) => list.scrollWidth - list.clientWidth);
  await expect.poll(sideways).toBe(0);
  await page.getByRole('button', { name: 'Столбцы' }).click();
  for (const name of ['Project', 'RKN', 'Регистратор', 'Индекс']) {
    const box = page.getByRole('checkbox', { name, exact: true });
    await box.click({ force: true });
    await expect.poll(() => box.isChecked()).toBe(false);
  }
  await page.getByRole('button', { name: 'Выше: Status' }).press('Enter');
  await expect.poll(heads).toEqual(['Domain', 'Mode', 'Status', 'Type', 'Date added', 'Expiry date', 'Действия']);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Плотнее' }).click();
  await page.locator('.rows.compact').waitFor();
  await page.reload();
  await page.locator('.rows.compact').waitFor();
  await expect.poll(heads).toEqual(['Domain', 'Mode', 'Status', 'Type', 'Date added', 'Expiry date', 'Действия']);

  await page.getByRole('button', { name: 'Виды' }).click();
  await page.getByLabel('Сохранить нынешний вид под именем').fill('Основные');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Основные' }).waitFor();
  await expect.poll(() => faultsNow(page)).toEqual([]);
  const link = await page.getByRole('link', { name: 'Основные' }).getAttribute('href');
  expect(link).toBe('/sites?type=main&columns=mode.status.type.added.expiry');
  const other = await open(`${server.url}${link ?? ''}`, { token: server.admin.token });
  await expect.poll(() => other.locator('.rows thead th').allTextContents()).toContain('Mode');
  await other.close();

  await page.keyboard.press('Escape');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV видимого' }).click();
  const csv = await text(await (await download).createReadStream());
  expect(csv.split('\r\n')[0]).toContain('unicode_name;transfer_type;http_status_code;http_error;type');
  expect(csv.trimEnd().split('\r\n')).toHaveLength(226);
});

it('a press on a slow page answers to the press before it', async () => {
  const page = await open(`${server.url}/sites`, { token: owner.token });
  const head = page.getByRole('button', { name: 'Date added' });
  await delayDeferred(page);
  await head.press('Enter');
  const once = new URL(page.url()).searchParams.get('sort');
  await head.press('Enter');
  expect(new URL(page.url()).searchParams.get('sort')).not.toBe(once);
});

it('one file has both lists of a project as they are found and sorted, each row with its type', async () => {
  const view = 'project=1&search=site-0001&sort=-domain_name&reserve_sort=domain_name';
  const page = await open(`${server.url}/projects?${view}`, { token: owner.token });
  const names = () => page.locator('.rows tbody tr td:first-child').allTextContents();
  const shown = ['00018', '00014', '00010', '00012', '00016'].map((number) => `site-${number}.example`);
  await expect.poll(names).toEqual(shown);
  await page.getByRole('button', { name: 'Столбцы' }).click();
  const box = page.getByRole('checkbox', { name: 'Type', exact: true });
  await box.click({ force: true });
  await expect.poll(() => box.isChecked()).toBe(false);
  await page.keyboard.press('Escape');
  const waited = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV видимого' }).click();
  const download = await waited;
  expect(download.suggestedFilename()).toMatch(/^project-domains-\d{4}-\d\d-\d\d\.csv$/);
  const csv = await text(await download.createReadStream());
  const [head = [], ...rows] = csv
    .replace('\uFEFF', '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(';'));
  expect(rows.map((cells) => [cells[head.indexOf('unicode_name')], cells[head.indexOf('type')]])).toEqual(
    shown.map((name, at) => [name, at < 3 ? 'main' : 'transfer']),
  );
});

it('the menu of a cell narrows the list, by the right button and by keys', async () => {
  const page = await open(`${server.url}/sites?columns=project.type`, { token: owner.token });
  const cell = page.locator('.rows tbody tr[data-index="1"] td').nth(2);
  await cell.click({ button: 'right' });
  await page.getByRole('button', { name: 'Всё, кроме этого' }).click();
  await page.getByRole('heading', { name: 'Найдено: 150 доменов' }).waitFor();
  await page.getByRole('button', { name: /Project: кроме: Запад/ }).waitFor();
  await page.keyboard.press('KeyJ');
  await page.keyboard.press('Shift+F10');
  await page.getByText('Domain: ').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: 'Только это' }).waitFor();
  await expect.poll(() => page.locator('.cell-menu').textContent()).toContain('Резервный');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Найдено: 75 доменов' }).waitFor();
  expect(new URL(page.url()).searchParams.get('cells')).toBe('-project_id:2,type:transfer');
});

it('on a phone the page scrolls, and no list in it; a row has three lines', async () => {
  const page = await open(`${server.url}/sites`, { token: owner.token, width: 390 });
  const card = page.locator('article').first();
  await card.waitFor();
  const boxes = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll('main *')].filter(
          (element) =>
            element.scrollHeight > element.clientHeight + 1 &&
            ['auto', 'scroll'].includes(getComputedStyle(element).overflowY),
        ).length,
    );
  await expect.poll(boxes).toBe(0);
  await expect.poll(async () => ((await card.boundingBox())?.height ?? 999) < 130).toBe(true);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page.getByRole('link', { name: 'site-00299.example' }).waitFor();
});
