import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPerson, form, request, startServer, type Person, type TestServer } from '../support/server.ts';
import { craft, SITE, zipFile, zipOf } from '../support/zips.ts';
import { faultsOf } from './support/audit.ts';
import { settled, usePages } from './support/page.ts';

const open = usePages();
let server: TestServer;
let owner: Person;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await createPerson(server);
});

const visit = ({ token }: Person = owner, expected?: RegExp): Promise<Page> =>
  open(`${server.url}/templates`, { token, ...(expected && { expected }) });

async function make(name: string, bytes = zipOf(SITE)): Promise<number> {
  const body = form({ name, template_file: zipFile(bytes, 'promo.zip') });
  return (await request(server, 'POST /api/templates', { token: owner.token, body })).body.data.id;
}

const upload = (buffer: Buffer, name = 'promo.zip') => ({ name, mimeType: 'application/zip', buffer });
const cardOf = (page: Page, name: string) => page.getByRole('article', { name, exact: true });

describe('/templates', () => {
  it('adds a template, whose card shows its contents', async () => {
    const page = await visit();
    await page.keyboard.press('KeyN');
    await page.getByLabel('Архив ZIP').setInputFiles(upload(zipOf(SITE), 'Лендинг.zip'));
    await expect.poll(() => page.getByLabel('Название').inputValue()).toBe('Лендинг');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Шаблон добавлен: Лендинг').waitFor();
    const text = await cardOf(page, 'Лендинг').innerText();
    for (const word of ['Лендинг.zip', '3 файла', '0 доменов', 'SITE_URL', 'TITLE', 'DESCRIPTION', 'BODY']) {
      expect(text).toContain(word);
    }
  });

  it('accepts a dropped file, and reports at once a file that is no ZIP', async () => {
    const page = await visit();
    await page.getByRole('button', { name: 'Добавить шаблон' }).first().click();
    const drop = async (name: string): Promise<void> => {
      const data = await page.evaluateHandle((name) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(['x'], name));
        return transfer;
      }, name);
      await page.locator('.file-drop').dispatchEvent('drop', { dataTransfer: data });
    };
    await drop('page.html');
    await page.getByText('Only ZIP files are allowed').waitFor();
    await drop('dropped.zip');
    await page.getByText('dropped.zip').waitFor();
    await expect.poll(() => page.getByText('Only ZIP files are allowed').count()).toBe(0);
    await page.getByRole('button', { name: 'Убрать файл: dropped.zip' }).click();
    await expect.poll(() => page.locator('.file-drop').innerText()).toContain('или перетащите его сюда');
  });

  it('shows why a form or an archive is refused, and keeps the input', async () => {
    const page = await visit(owner, /^400 /);
    await page.getByRole('button', { name: 'Добавить шаблон' }).first().click();
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await page.getByText('Template name is required').waitFor();
    await page.getByLabel('Название').fill('Evil');
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await page.getByText('Template file is required').waitFor();
    await page.getByLabel('Архив ZIP').setInputFiles(upload(craft([{ name: '../evil.html' }])));
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await page.getByText('«../evil.html»: путь ведёт наружу из папки сайта').waitFor();
    await page.getByText('Failed to add template', { exact: true }).waitFor();
    await expect.poll(() => page.getByLabel('Название').inputValue()).toBe('Evil');
    await page.getByLabel('Архив ZIP').setInputFiles(upload(zipOf(SITE)));
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await cardOf(page, 'Evil').waitFor();
  });

  it('edits a template and keeps its archive, or replaces it', async () => {
    await make('Kept');
    const page = await visit();
    await page.getByRole('button', { name: 'Изменить: Kept' }).click();
    await page.getByText('Оставить текущий: promo.zip').waitFor();
    await page.getByLabel('Название').fill('Renamed');
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await expect.poll(() => cardOf(page, 'Renamed').innerText()).toContain('promo.zip');
    await page.getByRole('button', { name: 'Изменить: Renamed' }).click();
    await page.getByLabel('Архив ZIP').setInputFiles(upload(zipOf({ 'index.html': 'nothing' }), 'bare.zip'));
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await settled(page);
    await expect.poll(() => cardOf(page, 'Renamed').innerText()).toContain('Без подстановок');
  });

  it('shows the progress of an upload', async () => {
    const page = await visit();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/templates', async (route) => {
      if (route.request().method() === 'POST') await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Добавить шаблон' }).first().click();
    await page.getByLabel('Архив ZIP').setInputFiles(upload(zipOf(SITE), 'slow.zip'));
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await page.getByRole('progressbar', { name: 'Отправка файла slow.zip' }).waitFor();
    await expect.poll(() => cardOf(page, 'slow').count()).toBe(0);
    release();
    await cardOf(page, 'slow').waitFor();
  });

  it('downloads through a fresh link, and says if the template is gone', async () => {
    const id = await make('Saved');
    const page = await visit();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Скачать: Saved' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('promo.zip');
    const saved = join(server.config.dataDir, 'saved.zip');
    await download.saveAs(saved);
    expect(readFileSync(saved)).toEqual(zipOf(SITE));
    await request(server, `DELETE /api/templates/${id}`, { token: owner.token });
    await page.getByRole('button', { name: 'Скачать: Saved' }).click();
    await page.getByText('Template file path not found').waitFor();
  });

  it('shows the files as a tree', async () => {
    await make('Tree', zipOf({ ...SITE, 'css/fonts/a.woff2': new Uint8Array([0, 1, 2]) }));
    const page = await visit();
    await page.getByRole('button', { name: 'Файлы: Tree' }).click();
    const dialog = page.getByRole('dialog', { name: 'Файлы шаблона Tree' });
    await dialog.getByText('a.woff2').waitFor();
    await expect
      .poll(() => dialog.locator('summary, .template-file > :first-child').allInnerTexts())
      .toEqual('css/ fonts/ a.woff2 site.css index.html robots.txt'.split(' '));
    const font = page.locator('.template-file', { hasText: 'a.woff2' });
    await font.getByText('3 байта', { exact: true }).waitFor();
    await page.context().addCookies([{ name: 'lang', value: 'en', url: server.url }]);
    await page.reload();
    await page.getByRole('button', { name: 'Files: Tree' }).click();
    await font.getByText('3 bytes', { exact: true }).waitFor();
  });

  it('confirms a deletion, and names what still uses the template', async () => {
    const template_id = await make('Used');
    const domain_name = `used-${template_id}.example`;
    await request(server, 'POST /api/domains', { token: owner.token, body: { domain_name, template_id } });
    await make('Free');
    const page = await visit(owner, /^409 /);
    await page.getByRole('button', { name: 'Удалить: Used' }).click();
    const question = page.getByRole('alertdialog', { name: 'Удалить шаблон Used? На нём 1 домен' });
    await question.getByRole('button', { name: 'Удалить' }).click();
    const toast = page.getByRole('alert').filter({ hasText: 'Failed to delete template' });
    await toast.waitFor();
    await expect.poll(() => toast.innerText()).toContain(domain_name);
    await page.getByRole('button', { name: 'Удалить: Free' }).press('Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Удалить' }).click();
    await page.getByText('Шаблон удалён: Free').waitFor();
    await cardOf(page, 'Free').waitFor({ state: 'detached' });
  });

  it('lets other users download and view, but not change', async () => {
    await make('Foreign');
    const page = await visit(await createPerson(server));
    const card = cardOf(page, 'Foreign');
    expect(await card.getByRole('button', { name: 'Скачать: Foreign' }).count()).toBe(1);
    expect(await card.getByRole('button', { name: /Изменить|Удалить/ }).count()).toBe(0);
  });

  it.each([
    ['Failed to fetch templates', 'GET'],
    ['Failed to add template', 'POST'],
  ])('says “%s”', async (sentence, method) => {
    const page = await open(`${server.url}/templates`, {
      token: owner.token,
      expected: /^[45]00 /,
      prepare: (page) =>
        page.route('**/api/templates', (route) =>
          route.request().method() === method ? route.fulfill({ status: 500, json: {} }) : route.continue(),
        ),
    });
    await page.getByRole('button', { name: 'Добавить шаблон' }).first().click();
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await page.getByText(sentence, { exact: true }).first().waitFor();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
  });

  it.each(['light', 'dark'] as const)('has no faults, in %s', async (theme) => {
    await make('Промо');
    const page = await open(`${server.url}/templates`, { token: owner.token, theme });
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Изменить: Промо' }).first().click();
    await settled(page);
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Файлы: Промо' }).first().click();
    await page.getByText('robots.txt').waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });
});
