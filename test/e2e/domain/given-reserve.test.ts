// The dialog of a move with a reserve that is chosen already, as it is opened from the page of a move.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { select } from '../../../db/index.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { settled, usePages } from '../support/page.ts';
import { inDays, seedDomains, seedProjects } from '../support/portfolio.ts';

const open = usePages();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await seedProjects(server.admin.id, ['One']);
  await seedDomains(server.admin.id, [
    { domain_name: 'main.com', project_id: 1 },
    ...Array.from({ length: 30 }, (_, index) => ({
      domain_name: `reserve-${index}.com`,
      project_id: 1,
      type: 'transfer' as const,
      // The list begins with those that are registered longest.
      expired_at: inDays(index === 20 ? -3 : 400 - index),
    })),
  ]);
});
afterAll(() => server.close());

it('a reserve that was given is marked in the list beside, and in sight, and the list stays whole', async () => {
  const rows = await select<{ id: number; domain_name: string }>('SELECT id, domain_name FROM domains');
  const idOf = (name: string) => rows.find(({ domain_name }) => domain_name === name)?.id;
  const page = await open(`${server.url}/sites?transfer=${idOf('main.com')}&transfer_to=${idOf('reserve-20.com')}`, {
    token: server.admin.token,
    expected: /transfer/,
  });
  const option = page.locator('.transfer-options [aria-selected="true"]');
  await option.getByText('reserve-20.com', { exact: true }).waitFor();
  await settled(page);
  const isInSight = await option.evaluate((one) => {
    const [at, list] = [one.getBoundingClientRect(), one.closest('[role="listbox"]')!.getBoundingClientRect()];
    return at.top >= list.top && at.bottom <= list.bottom + 1;
  });
  expect(isInSight).toBe(true);
  expect(await option.getAttribute('aria-setsize')).toBe('30');
  // Its registration is over, which is red.
  await option
    .locator('.bp6-intent-danger')
    .getByText(/^истёк /)
    .waitFor();
  // Another one can be chosen, and stays so.
  await page.getByRole('combobox', { name: 'Резервный домен' }).press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect.poll(() => option.innerText()).not.toContain('reserve-20.com');
});
