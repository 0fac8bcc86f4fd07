// What the event stream tells of an operation, against answers that are under way meanwhile.
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
  expect(reads).toBeGreaterThan(0);
  release();
  await settled(page);
  expect(await done.count()).toBe(1);
});
