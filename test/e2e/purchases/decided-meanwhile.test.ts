// A purchase that another admin has decided while the question about it was open.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { request, startServer, type TestServer } from '../../support/server.ts';
import { usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await transaction(() =>
    execute(
      `INSERT INTO purchases (kind, domain_name, state, registrar_type, asked_by, years, currency, price, periods, day, reference,
         looks, evidence, created_at, changed_at)
       VALUES ('register', 'sent.ru', 'awaiting_approval', 'reg.ru', 'automation', 1, 'RUB', 19900, '[]', '2026-11-23', 'sent', 0,
         '[]', '2026-11-23T05:00:00.000Z', '2026-11-23T05:00:00.000Z')`,
    ),
  );
});
afterAll(() => server.close());

it('is not declined where it was approved and its order was sent: whether it is bought is not known then', async () => {
  const { token } = server.admin;
  const page = await open(`${server.url}/purchases`, { token, expected: /^409 \/api\/purchases\/1\/resolve$/ });
  await page.getByRole('button', { name: 'Решить: sent.ru' }).click();
  const dialog = page.getByRole('dialog', { name: /sent\.ru/ });
  await dialog.getByText('Отклонить', { exact: true }).click();
  await transaction(() => execute("UPDATE purchases SET state = 'unknown'"));
  await page.keyboard.press('Control+Enter');
  const state = async () => (await request(server, 'GET /api/purchases', { token })).body.data[0].state;
  const isTold = async () => (await dialog.getByText('тем временем изменилась').count()) > 0;
  await expect.poll(async () => (await isTold()) || (await state()) !== 'unknown').toBe(true);
  expect(await state()).toBe('unknown');
});
