import { afterAll, beforeAll, expect, it } from 'vitest';
import { startXmlriver, type XmlriverFake } from '../../../src/demo/search/xmlriver.ts';
import { request, startServer, type TestServer } from '../../support/server.ts';
import { usePages } from '../support/page.ts';
import { seedDomains, seedProjects } from '../support/portfolio.ts';

const KEY = '0123456789abcdef0123456789abcdef01234567';
const OWN = 'shop-now.ru';

const open = usePages();
let fake: XmlriverFake;
let server: TestServer;
beforeAll(async () => {
  fake = await startXmlriver({
    accounts: [{ login: '12345', key: KEY, balance: 1_000_000 }],
    web: { topics: { один: 'shop', два: 'shop' }, hosts: { [OWN]: { topic: 'shop', from: null, until: null } } },
  });
  server = await startServer({ searchUrls: { xmlriver: fake.url } });
  await seedProjects(server.admin.id, ['Магазин']);
  await seedDomains(server.admin.id, [{ domain_name: OWN, project_id: 1 }]);
  const { token } = server.admin;
  await request(server, 'POST /api/xmlriver', { token, body: { name: 'river', login: '12345', key: KEY } });
  for (const keyword of ['один', 'два']) {
    await request(server, 'POST /api/keywords', { token, body: { keyword, project_id: 1 } });
  }
});
afterAll(async () => {
  await server.close();
  await fake.close();
});

it('tells the cost before the click; then the button waits, and a keyword that could not be read is named with its reason', async () => {
  const page = await open(`${server.url}/position?project=1`, { token: server.admin.token });
  await page.getByText(/до 10 запросов, 0,25/).waitFor();
  // It answers a wrong query, whatever is tried.
  fake.faults.push({ kind: 'code', code: 2, times: 100, query: 'два' });
  const button = page.getByRole('button', { name: 'Обновить позиции' });
  await button.click();
  await page
    .getByRole('status')
    .getByText('Запрос отправлен. Обновление позиций может занять некоторое время')
    .first()
    .waitFor();
  await expect.poll(() => button.isDisabled()).toBe(true);
  const isFocused = () => button.evaluate((node) => node === document.activeElement);
  expect(await isFocused()).toBe(true);
  await page.getByText('Не сняты: 1').waitFor();
  await page.getByText(/^два: /).waitFor({ state: 'attached' });
  await page.getByRole('link', { name: 'Операция' }).waitFor();
  const one = page.getByRole('row').filter({ hasText: 'один' }).getByRole('gridcell').first();
  await expect.poll(() => one.textContent()).toMatch(/^\d+$|^>50$/);
  // A keyword that was not read has no place: neither 0 nor a number.
  const two = page.getByRole('row').filter({ hasText: 'два' }).getByRole('gridcell').first();
  await expect.poll(() => two.textContent()).toBe('');
  await expect.poll(() => button.isDisabled()).toBe(false);
  expect(await isFocused()).toBe(true);
});
