// The limits in the settings: the budget of purchases, and paid requests of each project.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { dayOf } from '../../../src/shared/positions/places.ts';
import { createPerson, request, startServer, type TestServer } from '../../support/server.ts';
import { faultsOf } from '../support/audit.ts';
import { usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const CAPS = '/settings?section=caps';
const as = (call: string, body?: object) => request(server, call, { token: server.admin.token, body });

it('an administrator sees what is used and left, and changes both limits by their own forms', async () => {
  const { id } = (await as('POST /api/projects', { name: 'Север' })).body.data;
  const cap = { scope: 'all', scope_id: 0, currency: 'RUB', amount: '1500.00' };
  await as('PUT /api/budget', { caps: [cap] });
  await transaction(() =>
    execute('INSERT INTO search_spending (project_id, day, xmlriver_id, requests) VALUES ($id, $day, 1, 40)', {
      id,
      day: dayOf(Date.now()),
    }),
  );
  const page = await open(`${server.url}${CAPS}`, { token: server.admin.token });
  const row = page.getByRole('row', { name: /Север/ });
  await row.getByText('4960').waitFor();
  await page.getByRole('row', { name: /Всего за день/ }).waitFor();
  expect(await faultsOf(page, [390, 1280])).toEqual([]);
  await row.getByRole('button', { name: 'Изменить лимит: Север' }).click();
  await page.getByRole('dialog').getByLabel('Не больше запросов в день').fill('30');
  await page.getByRole('dialog').getByRole('button', { name: 'Сохранить' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(async () => (await row.innerText()).replace(/\s+/g, ' ')).toContain('30 40 0');
  const { data } = (await as('GET /api/audit?object=position_settings&limit=1')).body;
  expect(data[0]).toMatchObject({ login: 'admin', before: { daily_cap: 5000 }, after: { daily_cap: 30 } });
});

it('another user has no such section, and no such call', async () => {
  const { token } = await createPerson(server);
  expect((await request(server, 'GET /api/position_caps', { token })).status).toBe(403);
  const page = await open(`${server.url}${CAPS}`, { token });
  await page.getByRole('tab', { name: 'Внешний вид', exact: true }).waitFor();
  expect(await page.getByRole('tab', { name: 'Лимиты', exact: true }).count()).toBe(0);
});

it('the question about the switch of purchases stays what it was where another admin has switched meanwhile', async () => {
  const { token } = server.admin;
  const page = await open(`${server.url}${CAPS}`, { token, prepare: (one) => one.clock.install() });
  await page.getByRole('button', { name: 'Выключить покупки' }).click();
  const question = page.getByRole('alertdialog');
  await question.waitFor();
  await as('POST /api/purchases/state', { state: 'off' });
  await page.clock.fastForward(31_000);
  await page.getByText('Покупки выключены', { exact: true }).first().waitFor();
  const act = question.getByRole('button').last();
  expect(await act.innerText()).toBe('Выключить покупки');
  await act.click();
  await question.waitFor({ state: 'detached' });
  expect((await as('GET /api/budget')).body.data.state).toBe('off');
  await as('POST /api/purchases/state', { state: 'on' });
});
