import { expect, it } from 'vitest';
import { startServer } from '../support/server.ts';
import { faultsOf, inLooks } from './support/audit.ts';
import { useDemo } from './support/demo.ts';
import { usePages } from './support/page.ts';

const open = usePages();
const demo = useDemo();

it.each(inLooks(['light', 'dark'] as const, (theme) => `the kit, ${theme}`))(
  '%s: the parts have no faults',
  async (_title, look, theme) => {
    const page = await open(`${demo.serving.url}/kit`, { ...look, theme, token: demo.token });
    await page.getByRole('img', { name: /99[.,]3/ }).waitFor();
    expect(await faultsOf(page, look.widths)).toEqual([]);
  },
);

it.each([1280, 390])('at %i pixels the text of a select ends before its arrow', async (width) => {
  const page = await open(`${demo.serving.url}/kit`, { width, token: demo.token });
  const gaps = await page.locator('.bp6-html-select').evaluateAll((all) =>
    all.map((one) => {
      const select = one.querySelector('select')!;
      const end = select.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(select).paddingRight);
      return one.querySelector('.bp6-icon')!.getBoundingClientRect().left - end;
    }),
  );
  expect(gaps).not.toEqual([]);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(4);
});

it('the dialogs and messages of the kit open, and a filter is taken off and put back', async () => {
  const page = await open(`${demo.serving.url}/kit`, { token: demo.token });
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
