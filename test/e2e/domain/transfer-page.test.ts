// The page of a transfer: one that runs, one that waits for a person, and what visitors see.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, startServer, type Person, type TestServer } from '../../support/server.ts';
import { faultsOf } from '../support/audit.ts';
import { addTransfer } from '../support/moves.ts';
import { usePages } from '../support/page.ts';
import { inDays, seedDomains, seedProjects } from '../support/portfolio.ts';

const open = usePages();
let server: TestServer;
let owner: Person;

const RECORD = { id: '1', type: 'A', name: 'new.example', content: '198.51.100.1', proxied: true, ttl: 1, tags: [] };
const DNS = {
  name: 'dns',
  state: 'done',
  at: inDays(0),
  before: { records: [] },
  after: { created: [RECORD], updated: [], deleted: [] },
};

beforeAll(async () => {
  server = await startServer();
  owner = await createPerson(server);
  await seedProjects(owner.id, ['Восток']);
  await seedDomains(owner.id, [
    { domain_name: 'old.example', project_id: 1, status: 'blocked' },
    { domain_name: 'new.example', project_id: 1, type: 'transfer' },
  ]);
  const acts = [{ name: 'check', state: 'done', at: inDays(0) }, DNS, { name: 'gate', state: 'intent', at: inDays(0) }];
  await addTransfer(owner.id, { id: 81, state: 'running' }, { state: 'intent', acts: JSON.stringify(acts) });
  const error = { key: 'transfer.site_different', params: { domain: 'new.example', source: 'old.example' } };
  const undone = [{ ...DNS, state: 'undone' }];
  await addTransfer(
    owner.id,
    { id: 82, state: 'failed' },
    {
      state: 'failed',
      acts: JSON.stringify(undone),
      error: JSON.stringify(error),
      error_key: error.key,
    },
  );
});
afterAll(() => server.close());

// Nothing answers to these names here, and the plan of a move finds no zones.
const visit = (id: number) =>
  open(`${server.url}/transfers/${id}`, { token: owner.token, expected: /^(404 |409 \/api\/transfer_explicit)/ });

it('a running one shows both names, its steps with what they changed, what comes, and what visitors see', async () => {
  const page = await visit(81);
  await page.getByRole('heading', { level: 1, name: 'Перенос old.example' }).waitFor();
  const steps = page.getByRole('list', { name: 'Этапы переноса' });
  await expect
    .poll(async () => (await steps.locator('h3').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')))
    .toEqual([
      'Резерв проверен : готово',
      'DNS резерва настроен : готово',
      'Резерв отвечает сайтом : идёт',
      'Старое имя ведёт на новое : впереди',
      'Роли поменялись : впереди',
      'Перенаправление видно снаружи : впереди',
    ]);
  await steps.getByText('A new.example → 198.51.100.1, через CDN').waitFor();
  await page.getByText('Сделано 2 из 6 шагов').waitFor();
  for (const name of ['old.example', 'new.example']) {
    await page.getByRole('heading', { level: 2, name }).getByRole('link').waitFor();
  }
  const seen = page.getByRole('region', { name: 'Что видят посетители' });
  await expect.poll(() => seen.locator('.status-broken').count()).toBe(2);
  expect(await faultsOf(page)).toEqual([]);
  // As zoomed to 400 and 200 per cent.
  expect(await faultsOf(page, [320, 640])).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Отменить перенос…' }).click();
  await page.getByRole('alertdialog').getByText('old.example останется основным').waitFor();
  expect(await faultsOf(page, [1280])).toEqual([]);
});

it('a transfer that waits for a person says why, and leads to the decision', async () => {
  const page = await visit(82);
  await page.getByRole('heading', { level: 2, name: 'Нужно ваше решение' }).waitFor();
  await page.getByText('На new.example не тот сайт, что на old.example').first().waitFor();
  await page.getByText('Начатое возвращено: old.example работает как раньше').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  // As zoomed to 400 and 200 per cent.
  expect(await faultsOf(page, [320, 640])).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Посмотреть и подтвердить…' }).click();
  await page.getByRole('dialog', { name: /Перенос.*old\.example/ }).waitFor();
  const { searchParams } = new URL(page.url());
  expect([searchParams.get('transfer'), searchParams.get('transfer_to')]).toEqual(['1', '2']);
});

it('another’s and nobody’s are not there', async () => {
  const stranger = await createPerson(server);
  for (const id of ['81', '999999', 'x']) {
    const page = await open(`${server.url}/transfers/${id}`, { token: stranger.token, expected: /^404 / });
    const title = page.getByRole('heading', { level: 1 });
    await expect.poll(() => title.innerText()).toBe(`Переноса №${id} нет среди ваших`);
  }
});
