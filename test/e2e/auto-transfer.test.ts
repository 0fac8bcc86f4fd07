// Automatic transfers: a project's button, the plan it shows, and the decisions shown later.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, transaction } from '../../db/index.ts';
import { runAutoTransfers } from '../../src/services/transfers/automatic.ts';
import { updateBlocklist } from '../../src/services/checks/blocklist.ts';
import { SYSTEM } from '../../src/services/access/scope.ts';
import { request, startServer, type TestServer } from '../support/server.ts';
import { faultsOf } from './support/audit.ts';
import { settled, usePages } from './support/page.ts';
import { seedDomains, seedProjects, type Seed } from './support/portfolio.ts';

const open = usePages();
let server: TestServer;

/** Inserts three checks of different hours and lists that found a main domain blocked. */
async function witness(name: string): Promise<void> {
  await transaction(() =>
    execute(
      `INSERT INTO checks (domain_id, kind, verdict, detail, list_version, list_fetched_at, checked_at)
       SELECT d.id, 'blocklist', 'blocked', d.domain_name, value, '2026-11-20T0' || value || ':00:00.000Z', d.updated_at
       FROM domains d, json_each('[1,2,3]') WHERE d.domain_name = $name`,
      { name },
    ),
  );
}

const main = (project_id: number, domain_name: string, status: Seed['status'] = 'blocked'): Seed => ({
  project_id,
  domain_name,
  status,
  cloudflare_account_id: 1,
});
const reserve = (project_id: number, domain_name: string): Seed => ({
  project_id,
  domain_name,
  type: 'transfer',
  cloudflare_account_id: 1,
});

beforeAll(async () => {
  server = await startServer();
  const { id } = server.admin;
  await seedProjects(id, ['Север', 'Юг', 'Запад', 'Восток']);
  await transaction(() =>
    execute(
      `INSERT INTO cloudflare_accounts (id, user_id, name, email, api_key, created_at) VALUES (1, $id, 'A', 'a@a.example', '', '')`,
      { id },
    ),
  );
  await seedDomains(id, [
    main(1, 'sever.example'),
    main(1, 'sever-two.example'),
    main(1, 'sever-calm.example', 'available'),
    reserve(1, 'zapas-one.example'),
    reserve(1, 'zapas-two.example'),
    main(2, 'yug.example', 'available'),
    reserve(2, 'yug-zapas.example'),
    main(3, 'zapad.example'),
    main(4, 'vostok.example', 'available'),
    ...Array.from({ length: 20 }, (_, index) => ({ domain_name: `other-${index}.example` })),
  ]);
  const file = join(server.config.dataDir, 'list.txt');
  writeFileSync(file, 'sever.example\nsever-two.example\nzapad.example\n');
  await updateBlocklist(server.config.blocklistDir, { file });
  await witness('zapad.example');
  await runAutoTransfers(SYSTEM);
});
afterAll(() => server.close());

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const visit = (path: string, more: object = {}) => open(`${server.url}${path}`, { token: server.admin.token, ...more });

it('the dialog shows which domains move where and which stay, and starts just that', async () => {
  const page = await visit('/projects?project=1');
  await button(page, 'Автоперенос').click();
  const dialog = page.getByRole('dialog', { name: 'Автоперенос в проекте «Север»' });
  await dialog.getByText('sever.example → zapas-one.example').waitFor();
  await dialog.getByText('sever-two.example: остался последний резерв, zapas-two.example').waitFor();
  await dialog.getByRole('checkbox', { name: 'Занять и последний резерв' }).check({ force: true });
  await dialog.getByText('sever-two.example → zapas-two.example').waitFor();
  await button(page, 'Перенести: 2').click();
  await page.getByText('Автоперенос запущен: 2 домена').waitFor();
  await dialog.waitFor({ state: 'detached' });
  const { body } = await request(server, 'GET /api/operations?kind=transfer', { token: server.admin.token });
  expect(body.data).toHaveLength(1);
});

it('the dialog of a project without blocked domains has its button disabled', async () => {
  const page = await visit('/projects?project=2');
  await button(page, 'Автоперенос').click();
  await page.getByText('В проекте нет заблокированных основных доменов: переносить нечего').waitFor();
  await expect.poll(() => button(page, 'Перенести: 0').isDisabled()).toBe(true);
});

it('a transfer that can’t be started shows the reason', async () => {
  const page = await visit('/projects?project=3', { expected: /^500 \/api\/trigger_auto_transfer/ });
  await page.route('**/api/trigger_auto_transfer/plan', (route) =>
    route.fulfill({
      json: {
        plan: 'x',
        items: [{ domain: 'zapad.example', target: 'r.example', decision: 'started', reason: '', code: '' }],
      },
    }),
  );
  await page.route('**/api/trigger_auto_transfer', (route) =>
    route.fulfill({ status: 500, json: { error: 'Нет связи' } }),
  );
  await button(page, 'Автоперенос').click();
  await button(page, 'Перенести: 1').click();
  const alert = page.getByRole('dialog').getByRole('alert').filter({ hasText: 'Не удалось запустить автоперенос' });
  await expect.poll(() => alert.textContent()).toContain('Нет связи');
});

it('the dashboard and the project show declined transfers', async () => {
  const dashboard = await visit('/');
  await dashboard.getByText('Автоперенос отклонён: в проекте нет резервных доменов –').waitFor();
  await dashboard.locator('.auto-declined').getByRole('link', { name: 'zapad.example' }).click();
  await dashboard.waitForURL(`${server.url}/projects?project=3&search=zapad.example`);
  await dashboard.getByText('Автоперенос отклонён: в проекте нет резервных доменов –').waitFor();
  const other = await visit('/projects?project=2');
  expect(await other.getByText('Автоперенос отклонён').count()).toBe(0);
});

it('a project remembers whether its last reserve may be used', async () => {
  const page = await visit('/projects?project=4');
  await button(page, 'Изменить название').click();
  const choice = page.getByRole('checkbox', { name: 'Автоперенос может занять последний резерв' });
  await expect.poll(() => choice.isChecked()).toBe(false);
  await choice.check({ force: true });
  await button(page, 'Сохранить').click();
  await page.getByText('Проект переименован: Восток').waitFor();
  const { body } = await request(server, 'GET /api/user_projects', { token: server.admin.token });
  expect(body.data.find(({ id }: { id: number }) => id === 4)).toMatchObject({ name: 'Восток', last_reserve: 'on' });
  await button(page, 'Изменить название').click();
  await settled(page);
  await expect.poll(() => choice.isChecked()).toBe(true);
});

it.each(['light', 'dark'] as const)('the project and the dialog have no axe violations, in %s', async (theme) => {
  const page = await visit('/projects?project=3', { theme });
  expect(await faultsOf(page)).toEqual([]);
  await button(page, 'Автоперенос').click();
  await page.getByText('zapad.example: в проекте нет резервных доменов').waitFor();
  expect(await faultsOf(page)).toEqual([]);
});
