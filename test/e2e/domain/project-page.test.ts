// The page of a project: its state in a sentence, its reserves, its past and its domains; by its id and by its name.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, startServer, type Person, type TestServer } from '../../support/server.ts';
import { faultsOf } from '../support/audit.ts';
import { usePages } from '../support/page.ts';
import { inDays, insert, seedDomains, seedProjects } from '../support/portfolio.ts';

const open = usePages();
let server: TestServer;
let owner: Person;

beforeAll(async () => {
  server = await startServer();
  owner = await createPerson(server);
  await seedProjects(owner.id, ['Восток', 'Пустой.рф']);
  await insert('cloudflare_accounts', [
    { name: 'CDN', email: 'ops@cdn.example', api_key: '', zones: 0, created_at: inDays(-50) },
  ]);
  await seedDomains(owner.id, [
    { domain_name: 'main.example', project_id: 1, status: 'blocked' },
    { domain_name: 'ready.example', project_id: 1, type: 'transfer', cloudflare_account_id: 1 },
    { domain_name: 'broken.example', project_id: 1, type: 'transfer', http_status_code: 503 },
  ]);
  await insert('events', [
    {
      kind: 'domain_down',
      level: 'critical',
      domain_id: 3,
      name: 'broken.example',
      cause: '',
      params: '{}',
      at: inDays(-2),
    },
    {
      kind: 'domain_blocked',
      level: 'critical',
      domain_id: 1,
      name: 'main.example',
      cause: '',
      params: '{}',
      at: inDays(-1),
    },
  ]);
  await insert('transfer_history', [
    {
      project_id: 1,
      main_domain_id: 3,
      transfer_domain_id: 1,
      main_domain_name: 'broken.example',
      transfer_domain_name: 'main.example',
      action: 'explicit',
      created_at: inDays(-5),
    },
  ]);
});
afterAll(() => server.close());

const visit = (path: string) => open(server.url + path, { token: owner.token });

it('tells the state in a sentence, the reserves with what they lack, and the past with a filter', async () => {
  const page = await visit('/projects/1');
  await expect
    .poll(() => page.locator('.domain-sentence').innerText())
    .toBe('main.example заблокирован РКН, готов 1 резерв.');
  // All domains are counted, as on the dashboard; the sentence is about main ones.
  const facts = page.getByRole('region', { name: 'Состояние проекта' }).locator('dl');
  await expect.poll(() => facts.innerText()).toMatch(/Заблокированы\s+1\s+Не отвечают\s+1\s+из них 1 в резерве/);
  const reserves = page.getByRole('region', { name: 'Резервы' });
  await reserves.getByText('готов', { exact: true }).waitFor();
  await reserves.getByText('не отвечает', { exact: true }).waitFor();
  await expect
    .poll(() => page.locator('.timeline-text').allInnerTexts())
    .toEqual([
      'main.example: заблокирован РКН',
      'broken.example: перестал отвечать',
      'Переезд: broken.example → main.example',
    ]);
  expect(await faultsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Переезды', exact: true }).click();
  await expect.poll(() => page.locator('.timeline-text').count()).toBe(1);
  await page.getByRole('tab', { name: 'Домены' }).click();
  await page
    .getByRole('region', { name: 'Резервные домены', exact: true })
    .getByRole('link', { name: 'ready.example' })
    .waitFor();
  expect(new URL(page.url()).searchParams.get('tab')).toBe('domains');
  await page.getByRole('button', { name: 'DNS: ready.example' }).waitFor();
  for (const name of ['Позиции', 'Покупки']) await page.getByRole('tab', { name, exact: true }).click();
  expect(await faultsOf(page)).toEqual([]);
});

it('opens by its name, from the list as well; an empty one offers a first domain, and another’s is not there', async () => {
  const page = await visit(`/projects/${encodeURIComponent('Пустой.рф')}`);
  await page.getByText('В проекте пока нет доменов').waitFor();
  await page.goto(`${server.url}/projects?project=1`);
  await page.getByRole('heading', { level: 2, name: 'Восток' }).getByRole('link').click();
  await page.waitForURL(`${server.url}/projects/1`);
  await page.getByRole('button', { name: 'Изменить название' }).click();
  await page.getByRole('dialog').getByLabel('Название проекта').waitFor();
  const stranger = await createPerson(server);
  const other = await open(`${server.url}/projects/1`, { token: stranger.token, expected: /^404 / });
  const title = other.getByRole('heading', { level: 1 });
  await expect.poll(() => title.innerText()).toBe('Проекта 1 нет среди ваших');
});
