// The bell: more notices than it shows at first, and those that are about several names.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordEvents } from '../../../db/events.ts';
import { transaction } from '../../../db/index.ts';
import { groupPending } from '../../../src/services/notices/notices.ts';
import { request, startServer, type TestServer } from '../../support/server.ts';
import { faultsOf } from '../support/audit.ts';
import { usePages } from '../support/page.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

it('the bell shows further notices on demand, and the names of a notice of several as links', async () => {
  for (let at = 0; at < 12; at += 1) {
    await transaction(() => recordEvents([{ kind: 'account_refused', name: `lake-${at}`, cause: `lake:${at}` }]));
  }
  const ids: number[] = [];
  for (const domain_name of ['hill-1.example', 'hill-2.example']) {
    const { data } = (await request(server, 'POST /api/domains', { token: server.admin.token, body: { domain_name } }))
      .body;
    ids.push(data.id);
  }
  await transaction(() =>
    recordEvents(ids.map((id, at) => ({ kind: 'transfer_waits', name: `hill-${at + 1}.example`, domain_id: id }))),
  );
  await groupPending(new Date(Date.now() + 60_000));
  expect((await request(server, 'GET /api/notices?open=1', { token: server.admin.token })).body.waiting).toBe(13);
  const page = await open(server.url, { token: server.admin.token });
  await page.getByRole('button', { name: /ждут? ответа/ }).click();
  const oldest = page.getByRole('link', { name: 'Аккаунт lake-0: вход отклонён' });
  await page.getByRole('button', { name: 'и ещё 3' }).click();
  await oldest.waitFor();
  await page.getByRole('button', { name: 'Переносы ждут человека: 2', exact: true }).click();
  await page.getByRole('link', { name: 'hill-1.example' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('link', { name: 'hill-2.example' }).click();
  await page.waitForURL(/sites\?search=hill-2\.example/);
});
