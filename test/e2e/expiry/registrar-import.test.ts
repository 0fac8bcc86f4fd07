// What is imported from the list of a registrar's domains while that list is read again.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ShopServer } from '../../../src/demo/registrars/server.ts';
import { LOGIN, startRegistrar } from '../../support/registrars/shops.ts';
import { request, startServer, type TestServer } from '../../support/server.ts';
import { holdAnswer } from '../support/hold.ts';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
let shop: ShopServer;
beforeAll(async () => {
  shop = await startRegistrar('reg.ru');
  server = await startServer({ registrarUrls: { 'reg.ru': shop.url } });
});
afterAll(async () => {
  await server.close();
  await shop.close();
});

it('a list that was told before an import does not offer again what that has added', async () => {
  const { token } = server.admin;
  const body = { name: 'Meanwhile', type: 'reg.ru', login: LOGIN.login, password: LOGIN.password };
  const { id } = (await request(server, 'POST /api/registrars', { token, body })).body.data;
  const page = await open(`${server.url}/registrars?domains=${id}`, { token });
  const begin = page.getByRole('button', { name: /^Импортировать новые/ });
  await begin.waitFor();
  const late = await holdAnswer(page, `**/api/registrars/${id}`);
  await page.getByRole('button', { name: 'Спросить ещё раз' }).click();
  await late.came;
  await begin.click();
  await page.getByRole('button', { name: 'Импортировать', exact: true }).click();
  await page.getByText(/^Импортировано: /).waitFor();
  late.release();
  await settled(page);
  expect(await begin.count()).toBe(0);
});
