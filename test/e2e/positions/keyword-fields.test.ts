// The fields of a long list of keywords, of which the rows in view alone are drawn.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { createPerson, request, startServer, type TestServer } from '../../support/server.ts';
import { usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const MANY = 80;

/** Opens the dialog of a project with many keywords, sorted by their names. */
async function openMany() {
  const { token } = await createPerson(server);
  const { body } = await request(server, 'POST /api/projects', { token, body: { name: 'Север' } });
  const project: number = body.data.id;
  for (let index = 0; index < MANY; index++) {
    await request(server, 'POST /api/keywords', {
      token,
      body: { keyword: `слово ${String(index).padStart(2, '0')}`, project_id: project },
    });
  }
  const page = await open(`${server.url}/position?project=${project}`, { token, expected: /^422 \/api\/keywords/ });
  await page.getByRole('button', { name: 'Ключевые слова', exact: true }).click();
  await page.getByRole('dialog').getByRole('list', { name: 'Ключевые слова' }).waitFor();
  const stored = async () => {
    const { body } = await request(server, `GET /api/keywords/${project}`, { token });
    return body.find(({ value }: { value: string }) => value === 'слово 00');
  };
  return { page, stored };
}

const first = (page: Page, label: string) => page.getByRole('dialog').getByLabel(`${label}: слово 00`, { exact: true });

/** Scrolls the list to its end, where the first row is no longer drawn, or to its beginning. */
async function scroll(page: Page, to: 'end' | 'beginning'): Promise<void> {
  await page
    .getByRole('dialog')
    .getByRole('list', { name: 'Ключевые слова' })
    .evaluate((list, top) => list.scrollTo({ top }), to === 'end' ? 1e6 : 0);
  await expect.poll(() => first(page, 'Метки').count()).toBe(to === 'end' ? 0 : 1);
}

it('text that was typed in a field is saved as its row scrolls out of view, as if the field was left', async () => {
  const { page, stored } = await openMany();
  const sent: string[] = [];
  page.on('request', (call) => void (call.method() === 'PUT' && sent.push(call.url())));
  await first(page, 'Метки').fill('новая, важная');
  await scroll(page, 'end');
  await expect.poll(async () => (await stored()).tags).toEqual(['новая', 'важная']);
  expect(sent).toHaveLength(1);
  await scroll(page, 'beginning');
  await expect.poll(() => first(page, 'Метки').inputValue()).toBe('новая, важная');
});

it('a refused value stays in its field with the reason, also where the row was out of view meanwhile, and closing asks', async () => {
  const { page, stored } = await openMany();
  await first(page, 'Частота в месяц').fill('много');
  await scroll(page, 'end');
  await scroll(page, 'beginning');
  await expect.poll(() => first(page, 'Частота в месяц').inputValue()).toBe('много');
  await expect.poll(() => first(page, 'Частота в месяц').getAttribute('aria-invalid')).toBe('true');
  expect((await stored()).frequency).toBeNull();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Закрыть', exact: true }).first().click();
  await page.getByRole('alertdialog').waitFor();
  await page.getByRole('alertdialog').getByRole('button').first().click();
  await first(page, 'Частота в месяц').fill('70');
  await first(page, 'Частота в месяц').press('Enter');
  await expect.poll(async () => (await stored()).frequency).toBe(70);
  await dialog.getByRole('button', { name: 'Закрыть', exact: true }).first().click();
  await expect.poll(() => dialog.count()).toBe(0);
});

it('a typed value is saved by one call as the dialog is closed by Escape, and one that is refused then is told', async () => {
  const { page, stored } = await openMany();
  const sent: string[] = [];
  page.on('request', (call) => void (call.method() === 'PUT' && sent.push(call.url())));
  const dialog = page.getByRole('dialog');
  await first(page, 'Частота в месяц').fill('70');
  await page.keyboard.press('Escape');
  await expect.poll(() => dialog.count()).toBe(0);
  await expect.poll(async () => (await stored()).frequency).toBe(70);
  expect(sent).toHaveLength(1);
  await page.getByRole('button', { name: 'Ключевые слова', exact: true }).click();
  await first(page, 'Частота в месяц').fill('много');
  await page.keyboard.press('Escape');
  await page.getByText('Не удалось сохранить ключевое слово: Частота – целое число от 0').first().waitFor();
  expect((await stored()).frequency).toBe(70);
});
