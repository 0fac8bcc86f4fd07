// News of an operation in the event stream, against answers that are under way meanwhile.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SERVER_IP, startCdn, type Cdn } from '../../support/cdn.ts';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
let cdn: Cdn;
beforeAll(async () => {
  cdn = await startCdn();
  await cdn.addDomain('one.com');
  cdn.addZone('one.com', ['A @ 198.51.100.1']);
});
afterAll(() => cdn.close());

it('an operation stays ended when an older answer comes after the news of its end', async () => {
  const page = await open(`${cdn.server.url}/dns?domain=one.com`, { token: cdn.server.admin.token });
  const retry = page.locator('.dns-result').getByRole('button', { name: 'Повторить' });
  await page.getByLabel('Аккаунт Cloudflare').selectOption({ index: 1 });
  await page.getByLabel('Сервер', { exact: true }).selectOption(`srv — ${SERVER_IP}`);
  await page.getByRole('button', { name: 'Сменить DNS' }).click();
  await page.getByRole('dialog').waitFor();
  const refusal = { success: false, errors: [{ code: 9109, message: 'Not today' }], messages: [], result: null };
  cdn.fake.faults.push({ kind: 'status', status: 403, body: refusal, call: 'PATCH /zones/*/settings/*' });
  const begun = page.waitForResponse(/\/api\/operations\/\d+$/);
  await page.getByRole('button', { name: /^Применить/ }).click();
  const { pathname } = new URL((await begun).url());
  await retry.waitFor();
  await settled(page);

  const old = (await cdn.call(`GET ${pathname}`)).body as { state: string };
  expect(old.state).not.toBe('succeeded');
  let release = (): void => undefined;
  const isTold = new Promise<void>((resolve) => {
    release = resolve;
  });
  let reads = 0;
  await page.route(`**${pathname}`, async (route) => {
    reads += 1;
    if (reads > 1) return route.continue();
    await isTold;
    // The page may have given it up.
    return route.fulfill({ json: old }).catch(() => undefined);
  });
  await retry.click();
  const done = page.getByText('DNS changed successfully.');
  await done.waitFor();
  await expect.poll(() => reads).toBeGreaterThan(0);
  release();
  await settled(page);
  expect(await done.count()).toBe(1);
});

it('an operation whose end was not told is read again while it seems to run', async () => {
  const page = await open(`${cdn.server.url}/sites/one.com`, { token: cdn.server.admin.token });
  const button = page.getByRole('button', { name: 'Проверить', exact: true });
  let isOld = false;
  await page.route(/\/api\/operations$/, async (route) => {
    const answer = await route.fetch();
    const { data } = (await answer.json()) as { data: object[] };
    const old = data.map((operation) => ({ ...operation, state: 'running' }));
    return route.fulfill({ json: { data: isOld ? old : data } });
  });
  await button.click();
  const checks = async (): Promise<unknown> => (await cdn.call('GET /api/operations')).body;
  await expect
    .poll(checks)
    .toMatchObject({ data: expect.arrayContaining([expect.objectContaining({ kind: 'check', state: 'partial' })]) });
  await expect.poll(() => button.getAttribute('aria-busy')).toBe('false');
  await settled(page);
  isOld = true;
  const read = page.waitForResponse(/\/api\/operations$/);
  await page.keyboard.press('KeyR');
  await read;
  await expect.poll(() => button.getAttribute('aria-busy')).toBe('true');
  isOld = false;
  await expect.poll(() => button.getAttribute('aria-busy')).toBe('false');
});
