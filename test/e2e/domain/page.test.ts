// The page of a domain: by both spellings of its name, its acts, and what it says where there is none.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, request, startServer, type Person, type TestServer } from '../../support/server.ts';
import { faultsOf } from '../support/audit.ts';
import { holdCalls } from '../support/hold.ts';
import { settled, usePages } from '../support/page.ts';
import { inDays, insert, seedDomains, seedProjects } from '../support/portfolio.ts';

const PUNYCODE = 'xn--e1afmkfd.xn--p1ai';
const open = usePages();
let server: TestServer;
let owner: Person;

beforeAll(async () => {
  server = await startServer();
  owner = await createPerson(server);
  await seedProjects(owner.id, ['Восток']);
  await insert('cloudflare_accounts', [
    { name: 'CDN', email: 'ops@cdn.example', api_key: '', zones: 0, created_at: inDays(-50) },
  ]);
  await seedDomains(owner.id, [
    { domain_name: PUNYCODE, project_id: 1, status: 'blocked', expired_at: inDays(60) },
    { domain_name: 'ready.example', project_id: 1, type: 'transfer', cloudflare_account_id: 1 },
    { domain_name: 'broken.example', project_id: 1, type: 'transfer', http_status_code: 503 },
    { domain_name: 'renamed.example' },
    { domain_name: 'moved.example', project_id: 1 },
    { domain_name: 'left.example' },
  ]);
  await insert('checks', [
    { domain_id: 1, kind: 'http', verdict: '200', http_status_code: 200, ms: 90, checked_at: inDays(-3), repeats: 1 },
    { domain_id: 1, kind: 'blocklist', verdict: 'available', checked_at: inDays(-3), repeats: 1 },
    { domain_id: 1, kind: 'blocklist', verdict: 'blocked', checked_at: inDays(-2), repeats: 1 },
  ]);
  await insert('check_days', [
    { domain_id: 1, day: inDays(-3).slice(0, 10), checks: 4, up: 3, median_ms: 90, worst_ms: 900 },
    { domain_id: 1, day: inDays(-2).slice(0, 10), checks: 4, up: 4, median_ms: 120, worst_ms: 130 },
  ]);
});
afterAll(() => server.close());

const visit = (name: string, expected?: RegExp) =>
  open(`${server.url}/sites/${name}`, { token: owner.token, ...(expected && { expected }) });

it('opens by both spellings, tells the state in a sentence, and moves to the reserve that is ready', async () => {
  for (const name of [PUNYCODE, 'пример.рф']) {
    const page = await visit(name);
    await page.getByRole('heading', { level: 1, name: 'пример.рф' }).waitFor();
    await expect
      .poll(() => page.locator('.domain-sentence').innerText())
      .toBe('Позавчера заблокирован РКН. Отвечает, оплачен ещё 60 дней, готов 1 резерв.');
    expect(await page.title()).toBe('пример.рф — SEO Admin');
  }
  // The test has no zones, so there is no plan.
  const page = await visit(PUNYCODE, /^409 \/api\/transfer_explicit\/plan$/);
  await page.getByText('Заблокирован РКН', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Переезды', exact: true }).click();
  await page.getByText('Такого не случалось').waitFor();
  expect(new URL(page.url()).searchParams.get('show')).toBe('moves');
  await page.getByRole('button', { name: 'Перенести на ready.example' }).first().click();
  await page.getByRole('dialog', { name: /Перенос.*пример\.рф/ }).waitFor();
  const { searchParams } = new URL(page.url());
  expect([searchParams.get('transfer'), searchParams.get('transfer_to')]).toEqual(['1', '2']);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('?show=moves');
});

it('shows how it has answered, and opens what its tabs name; they stand in the URL', async () => {
  const page = await visit(`${PUNYCODE}?tab=site`);
  await page.getByText('Сайта отсюда ещё не разворачивали').waitFor();
  await page.getByRole('img', { name: 'Доступность: 87,5 %' }).waitFor();
  await page.getByRole('img', { name: /^Время ответа: 120 мс\. Самый долгий ответ: 900 мс$/ }).waitFor();
  for (const name of ['Позиции', 'Проверки', 'История']) await page.getByRole('tab', { name, exact: true }).click();
  expect(new URL(page.url()).search).toBe('');
  await page.getByRole('tab', { name: 'История', selected: true }).waitFor();
  await page.keyboard.press('BracketLeft');
  await page.getByRole('tab', { name: 'Почему' }).click();
  await page.getByRole('button', { name: 'Узнать, почему' }).waitFor();
  expect(new URL(page.url()).searchParams.get('tab')).toBe('checks');
});

it('checks the domain, and is busy until that has ended', async () => {
  const page = await visit('ready.example');
  const button = page.getByRole('button', { name: 'Проверить', exact: true });
  await button.click();
  await page.getByText('Проверка домена запущена').waitFor();
  const running = async (): Promise<unknown> =>
    (await request(server, 'GET /api/operations', { token: owner.token })).body.data;
  await expect.poll(running).toMatchObject([{ kind: 'check', total: 2, state: 'partial' }]);
  await expect.poll(() => button.getAttribute('aria-busy')).toBe('false');
});

it('follows its domain to another name, and gives way to the list when it is deleted there', async () => {
  const page = await visit('renamed.example', /^404 /);
  await request(server, 'POST /api/domains/4', { token: owner.token, body: { domain_name: 'new.example' } });
  await page.keyboard.press('KeyR');
  await page.getByRole('heading', { level: 1, name: 'new.example' }).waitFor();
  expect(page.url()).toBe(`${server.url}/sites/new.example`);
  await page.getByRole('button', { name: 'Ещё: new.example' }).click();
  await page.getByRole('button', { name: 'Удалить' }).click();
  await page.waitForURL(`${server.url}/sites`);
  await page.getByText('Домен удалён: new.example').waitFor();
  await page.getByRole('button', { name: 'Отменить' }).click();
  await page.getByRole('link', { name: 'new.example' }).waitFor();
});

it('asks for the name of a renamed domain, and leaves where it is a reader who has gone elsewhere by then', async () => {
  const page = await visit('left.example', /^404 /);
  const release = await holdCalls(page, 'GET', '**/api/domains/6');
  const asked = page.waitForRequest('**/api/domains/6');
  await request(server, 'POST /api/domains/6', { token: owner.token, body: { domain_name: 'found.example' } });
  await page.keyboard.press('KeyR');
  await asked;
  await page.getByRole('link', { name: 'Главная', exact: true }).click();
  await page.waitForURL(`${server.url}/`);
  const answer = page.waitForResponse('**/api/domains/6');
  release();
  await (await answer).finished();
  await settled(page);
  expect(page.url()).toBe(`${server.url}/`);
});

it('of another or of nobody is not there; files that are missing stay so', async () => {
  const stranger = await createPerson(server);
  for (const name of ['пример.рф', 'nobody.example', 'no name']) {
    const page = await open(`${server.url}/sites/${name}`, { token: stranger.token, expected: /^404 / });
    await page.getByRole('heading', { level: 1, name: `Домена ${name} нет среди ваших` }).waitFor();
  }
  const statuses = ['/sites/a.ru', '/assets/a.js', '/sites.js', '/api/sites/a.ru'].map(async (path) => {
    const { status } = await fetch(server.url + path);
    return status;
  });
  expect(await Promise.all(statuses)).toEqual([200, 404, 404, 404]);
});

it('tells of a move that is under way, stage by stage', async () => {
  const now = inDays(0);
  await insert('operations', [
    {
      id: 70,
      kind: 'transfer',
      subject: 'x',
      user_id: owner.id,
      input: '{}',
      steps: '[]',
      state: 'running',
      total: 1,
      done: 0,
      failed: 0,
      message: JSON.stringify({ key: 'transfer.moving', params: { source: 'ready.example', target: 'other.example' } }),
      lease_owner: 'another process',
      lease_until: inDays(1),
      created_at: now,
    },
  ]);
  const acts = ['check', 'dns'].map((name) => ({ name, state: 'done' }));
  await insert('operation_items', [
    {
      operation_id: 70,
      item: 'transfer moved.example',
      lane: 'x',
      data: '{}',
      state: 'intent',
      acts: JSON.stringify([...acts, { name: 'gate', state: 'intent' }]),
      attempt: 0,
      changed_at: now,
      lock_kind: 'transfer',
      lock_name: 'moved.example',
      lock_part: '',
    },
  ]);
  const page = await visit('moved.example');
  const stages = page.getByRole('list', { name: 'Этапы переноса' });
  await expect
    .poll(async () => (await stages.getByRole('listitem').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')))
    .toEqual([
      'Резерв проверен : готово',
      'DNS резерва настроен : готово',
      'Резерв отвечает сайтом : идёт',
      'Старое имя ведёт на новое : впереди',
      'Роли поменялись : впереди',
      'Перенаправление видно снаружи : впереди',
    ]);
  await page.getByRole('button', { name: 'Показать перенос' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
});
