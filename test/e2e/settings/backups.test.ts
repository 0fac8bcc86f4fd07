// The backups in the settings: what asks for a person stands first, and a backup is made and proved by two presses.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { noteFailed } from '../../../src/services/system/backups/state.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { faultsOf, sidewaysOf } from '../support/audit.ts';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ backupCopies: { folder: '/mnt/backup' } });
  await noteFailed('copy folder', { key: 'backup.copy_failed', params: { target: 'folder', reason: 'ENOENT' } });
});
afterAll(() => server.close());

it('problems come first, with what is not set up; a backup is made and proved', async () => {
  const page = await open(`${server.url}/settings?section=backups`, { token: server.admin.token });
  await page.getByText('Ключа в копиях нет').waitFor();
  const rows = async () =>
    (await page.getByRole('row').allInnerTexts()).slice(1).map((text) => text.replaceAll(/\s+/g, ' '));
  await expect
    .poll(async () => (await rows())[0])
    .toMatch(/^Копия в другой папке Ошибка .*Копия сделана, но не попала/);
  expect(await faultsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 700 });
  await settled(page);
  expect(await sidewaysOf(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Сделать копию' }).click();
  await expect.poll(rows).toContainEqual(expect.stringMatching(/^Копия базы В порядке .*[/]backups/));
  await page.getByRole('button', { name: 'Проверить копию' }).click();
  await expect.poll(rows).toContainEqual(expect.stringMatching(/^Пробное восстановление В порядке \d/));
  await page.getByText(/Хранится 1 копия/).waitFor();
});
