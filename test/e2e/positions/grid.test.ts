import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { dateOf, dayOf } from '../../../src/shared/positions/places.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { faultsNow, sidewaysOf } from '../support/audit.ts';
import { settled, usePages, type Visit } from '../support/page.ts';
import { inDays, insert, seedDomains, seedProjects } from '../support/portfolio.ts';
import { seedPositions } from '../support/positions.ts';

const OWN = 'shop-now.ru';
const OTHER_PAGE = `https://${OWN}/other`;

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await seedProjects(server.admin.id, ['Магазин']);
  await seedDomains(server.admin.id, [
    { domain_name: OWN, project_id: 1 },
    { domain_name: 'shop-old.ru', project_id: 1 },
  ]);
  await seedPositions(1, { id: 1, domain_name: OWN }, [
    { value: 'первый', yandex: [20, 12, 5, 4], google: [9, 8, 0, 7], tags: ['бренд'], frequency: 300 },
    { value: 'второй', yandex: [4, 4, 0, 30], tags: ['общие'], target_url: `https://${OWN}/second`, url: OTHER_PAGE },
    { value: 'третий', yandex: [45, null, 0, 0], tags: ['общие'] },
  ]);
  await insert('transfer_history', [
    {
      project_id: 1,
      main_domain_id: 2,
      transfer_domain_id: 1,
      main_domain_name: 'shop-old.ru',
      transfer_domain_name: OWN,
      action: 'explicit',
      created_at: inDays(-3),
    },
  ]);
  // The one that was left is no main any more.
  await transaction(() => execute("UPDATE domains SET type = 'transfer' WHERE id = 2"));
});
afterAll(() => server.close());

const show = (query = '', visit: Visit = {}): Promise<Page> =>
  open(`${server.url}/position?project=1${query}`, { token: server.admin.token, ...visit });

const keywordsOf = (page: Page): Promise<string[]> => page.getByRole('grid').getByRole('rowheader').allTextContents();
const day = (ago: number): string => {
  const [year, month, date] = dateOf(dayOf(Date.now()) - ago).split('-');
  return `${date}.${month}.${year}`;
};

it('the grid is used by keys alone: arrows, Enter for the chart, Esc back to the grid', async () => {
  const page = await show();
  const grid = page.getByRole('grid');
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('slider', { name: 'второй: сейчас 30, лучшая 4' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('heading', { name: 'второй' }).count()).toBe(0);
  // From inside of the chart as well, and the grid has the focus again.
  await page.keyboard.press('Enter');
  // Else the button would be that of the project's chart below, which has the same name.
  await page.getByRole('heading', { name: 'второй' }).waitFor();
  await page.getByRole('button', { name: 'Таблицей' }).first().focus();
  await page.keyboard.press('Escape');
  await expect.poll(() => grid.evaluate((one) => one === document.activeElement)).toBe(true);
});

it('the cell that is marked after a filter is the one that Enter opens', async () => {
  const page = await show();
  const grid = page.getByRole('grid');
  await grid.focus();
  await page.keyboard.press('PageDown');
  await page.getByLabel('Найти запрос или метку').fill('первый');
  await expect.poll(() => keywordsOf(page)).toEqual(['первый']);
  await grid.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByRole('heading', { name: 'первый' }).count()).toBe(1);
});

it('columns are 90 px wide, and the keywords have 180 px that stay', async () => {
  const page = await show('&days=90');
  const box = async (role: 'gridcell' | 'rowheader', index: number) =>
    (await page.getByRole('grid').getByRole(role).nth(index).boundingBox()) ?? { x: 0, width: 0 };
  const [first, second] = [await box('gridcell', 0), await box('gridcell', 1)];
  expect(second.x - first.x).toBe(90);
  const before = await box('rowheader', 0);
  await page.getByRole('grid').evaluate((grid) => (grid.scrollLeft = 300));
  expect(await box('rowheader', 0)).toMatchObject({ x: before.x, width: 180 });
});

it('the chart tells by keys what both engines had on a day, and what happened then', async () => {
  const page = await show('&keyword=1');
  const chart = page.getByRole('slider', { name: 'первый: сейчас 4, лучшая 4' });
  await chart.focus();
  await page.keyboard.press('ArrowLeft');
  const told = (await chart.getAttribute('aria-valuetext')) ?? '';
  expect(told).toContain('Яндекс 5, Google —');
  await page.keyboard.press('Home');
  const first = (await chart.getAttribute('aria-valuetext')) ?? '';
  expect(first).toContain('Яндекс 20, Google 9');
  expect(first).toContain(`переезд shop-old.ru → ${OWN}`);
});

it.each([1280, 390])('a link to a keyword shows its chart below the bar, to the end, at %i px', async (width) => {
  const page = await show('&keyword=1', { width });
  await page.getByRole('slider').first().waitFor();
  const isShown = () =>
    page.evaluate(() => {
      const title = [...document.querySelectorAll('h2, h3')].find(({ textContent }) => textContent === 'первый');
      const bar = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
      const end = document.querySelector('.position-scale')?.getBoundingClientRect().bottom ?? Infinity;
      return { begins: (title?.getBoundingClientRect().top ?? 0) >= bar, ends: end <= innerHeight };
    });
  await expect.poll(isShown).toEqual({ begins: true, ends: true });
  await expect.poll(() => faultsNow(page)).toEqual([]);
});

it('the chart is drawn anew on a logarithmic scale, and in the colours of the other theme', async () => {
  const page = await show('&keyword=1');
  await page.getByRole('slider').first().waitFor();
  const picture = (): Promise<string> =>
    page.evaluate(() => document.querySelector<HTMLCanvasElement>('.position-chart canvas')?.toDataURL() ?? '');
  const linear = await picture();
  await page.getByRole('button', { name: 'Логарифм' }).click();
  await expect.poll(picture).not.toBe(linear);
  const light = await picture();
  await page.getByRole('button', { name: 'Тёмная тема' }).click();
  await expect.poll(picture).not.toBe(light);
});

it('a keyword shows its wanted page and the one that stands there, its domains and the results of two days', async () => {
  const page = await show('&keyword=2');
  await page.getByText(`нужная страница: https://${OWN}/second. Стоит другая: ${OTHER_PAGE}`).waitFor();
  await page.getByRole('button', { name: 'Домены' }).click();
  const domains = page.getByRole('region', { name: 'Домены' });
  await domains.getByRole('cell', { name: OWN, exact: true }).waitFor();
  await expect.poll(() => domains.getByRole('row').allTextContents()).toEqual(['ДоменМестоЛучшаяКривая', `${OWN}304`]);
  await page.getByRole('button', { name: 'Выдача двух дней' }).click();
  const lists = page.getByRole('list', { name: /^Выдача: / });
  await expect.poll(() => lists.count()).toBe(2);
  await expect.poll(() => lists.first().getByRole('listitem').last().textContent()).toBe(`${OWN}/other (ваш домен)`);
  await page.getByRole('button', { name: 'Таблицей' }).first().click();
  const rows = await page.getByRole('region', { name: 'Таблицей' }).getByRole('row').allTextContents();
  expect(rows.slice(1, 3).map((row) => row.slice(10))).toEqual([
    `30${OTHER_PAGE} (стоит другая ваша страница)`,
    '>50—',
  ]);
});

it('tags, another page, and a band of the distribution filter the grid; the link keeps them', async () => {
  const page = await show();
  await page.getByRole('combobox', { name: 'Метка' }).selectOption('общие');
  await expect.poll(() => keywordsOf(page)).toEqual(['второй', 'третий']);
  await page.getByRole('button', { name: 'Стоит другая страница' }).click();
  await expect.poll(() => keywordsOf(page)).toEqual(['второй']);
  const again = await open(page.url(), { token: server.admin.token });
  await expect.poll(() => keywordsOf(again)).toEqual(['второй']);
  await again.getByRole('combobox', { name: 'Метка' }).selectOption('');
  await again.getByRole('button', { name: 'Стоит другая страница' }).click();
  await again.getByRole('button', { name: '4–10: 1' }).click();
  await expect.poll(() => keywordsOf(again)).toEqual(['первый']);
  await again.getByRole('combobox', { name: 'Метка' }).selectOption('общие');
  await again.getByRole('button', { name: 'Показать все' }).click();
  await expect.poll(() => keywordsOf(again)).toEqual(['первый', 'второй', 'третий']);
});

it('two dates are compared with each other alone', async () => {
  const page = await show('&days=two');
  await page.getByRole('combobox', { name: 'С даты' }).selectOption(day(2));
  await settled(page);
  const cells = page.getByRole('grid').getByRole('row').nth(1).getByRole('gridcell');
  await expect.poll(async () => (await cells.allTextContents()).slice(0, 3)).toEqual(['4▲8', '12', '4']);
});

it('the course of the project tells what it has again after its move, and is a table as well', async () => {
  const page = await show();
  const panel = page.getByRole('region', { name: 'Ход по дням' });
  await panel
    .getByText(/переезд shop-old\.ru → shop-now\.ru/)
    .first()
    .waitFor();
  await panel.getByRole('button', { name: 'Таблицей' }).click();
  const rows = await panel.getByRole('row').allTextContents();
  expect(rows).toHaveLength(5);
  // By frequency, which the first keyword alone has: place 4 is seen by 60 %.
  expect(rows[1]).toBe(`${day(0)}60 %17`);
});

it('the dialog of a domain has its places, their cost, both engines by keys, and the history of a keyword', async () => {
  const page = await open(`${server.url}/sites?positions=1`, { token: server.admin.token });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('link', { name: 'Добавьте аккаунт XMLRiver' }).waitFor();
  const third = dialog.getByRole('row').nth(3).getByRole('gridcell').first();
  expect(await third.textContent()).toBe('—');
  await third.click();
  await dialog.getByRole('slider', { name: 'третий: сейчас 0, лучшая 45' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => dialog.getByRole('slider').count()).toBe(0);
  await page.keyboard.press('BracketRight');
  await expect.poll(() => dialog.getByRole('tab', { name: 'Google' }).getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
});

it('the dialog of a domain that is not there has a title without a name', async () => {
  const page = await open(`${server.url}/sites?positions=999`, { token: server.admin.token, expected: /^404 / });
  const dialog = page.getByRole('dialog', { name: 'Позиции', exact: true });
  await expect.poll(() => dialog.getByText('Произошла ошибка').isVisible()).toBe(true);
});

it('the row of a domain in its project opens its places in both engines', async () => {
  const page = await open(`${server.url}/projects?project=1`, { token: server.admin.token });
  await page
    .getByRole('button', { name: /^Ещё: / })
    .first()
    .click();
  await page.getByRole('button', { name: 'Позиции', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect.poll(() => dialog.getByRole('tab').allInnerTexts()).toEqual(['Яндекс', 'Google']);
});

it('a phone has the keywords as a list, here and in the dialog of a domain', async () => {
  const page = await show('&keyword=1', { width: 320 });
  await page.getByRole('button', { name: /^первый/ }).waitFor();
  expect(await page.getByRole('grid').count()).toBe(0);
  expect(await sidewaysOf(page)).toEqual([]);
  const other = await open(`${server.url}/sites?positions=1`, { token: server.admin.token, width: 320 });
  await other
    .getByRole('dialog')
    .getByRole('button', { name: /^первый/ })
    .click();
  await other.getByRole('slider').waitFor();
  expect(await sidewaysOf(other)).toEqual([]);
});

it('the moves of the portfolio are there before a project is chosen', async () => {
  const page = await open(`${server.url}/position`, { token: server.admin.token });
  const moves = page.getByRole('region', { name: 'Восстановление после переездов' });
  await moves.getByRole('cell', { name: 'shop-old.ru → shop-now.ru' }).waitFor();
  expect(await moves.getByRole('row').count()).toBe(2);
});
