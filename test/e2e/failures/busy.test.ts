// A server that has no room, and one that does not know what is asked for: what a person is told, and when.
import { expect, it } from 'vitest';
import { isShown, startFailures } from './world.ts';

const visit = startFailures(/^(500|503|404) /);
const CALL = /\/api\/domains\/1$/;
const REASON = 'Занято, повторите позже';

it('a server that asks for half a minute is told of at once, and asked again by a press alone', async () => {
  let calls = 0;
  const page = await visit('/sites?domain=1', (page) =>
    page.route(CALL, (route) => {
      calls += 1;
      return route.fulfill({ status: 503, headers: { 'Retry-After': '30' }, json: { error: REASON, code: 'busy' } });
    }),
  );
  await expect.poll(() => isShown(page, REASON)).toBe(true);
  expect(calls).toBe(1);
  await page.unroute(CALL);
  await page.getByRole('dialog').getByRole('button', { name: 'Повторить' }).click();
  await expect.poll(() => page.getByLabel('Домен', { exact: true }).inputValue()).toBe('vulkan-club.ru');
});

it('a server that asks for a second is asked again, and nothing is told of it', async () => {
  let calls = 0;
  const page = await visit('/sites?domain=1', (page) =>
    page.route(CALL, (route) => {
      calls += 1;
      if (calls > 2) return route.continue();
      return route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: { error: REASON, code: 'busy' } });
    }),
  );
  await expect.poll(() => page.getByLabel('Домен', { exact: true }).inputValue()).toBe('vulkan-club.ru');
  expect(await isShown(page, REASON)).toBe(false);
  expect(calls).toBe(3);
});

it.each(['/sites?domain=99999', '/sites?transfer=99999', '/?operation=99999'])(
  'the dialog at %s says in the reader’s language that it is not among theirs',
  async (path) => {
    const page = await visit(path);
    await expect.poll(() => isShown(page, 'Этого нет среди ваших')).toBe(true);
    expect(await isShown(page, 'Not found')).toBe(false);
  },
);
