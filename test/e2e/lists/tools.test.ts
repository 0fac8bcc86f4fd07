// The menu of a cell, and lists on a phone.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, startServer, type Person, type TestServer } from '../../support/server.ts';
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
