// The demo's project without a reserve: a newcomer sees that, sees what one would cost, and buys it with zone and site.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { select } from '../../../db/index.ts';
import { startDemo, type Demo } from '../../../src/demo/index.ts';
import { createLog } from '../../../src/lib/log.ts';
import { serve, type Serving } from '../../../src/server.ts';
import { temporaryConfig } from '../../support/server.ts';
import { faultsOf } from '../support/audit.ts';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
const config = temporaryConfig();
let demo: Demo;
let serving: Serving;
beforeAll(async () => {
  demo = await startDemo(config, { size: undefined, frozen: false });
  serving = await serve({ ...demo, log: createLog('silent'), host: '127.0.0.1', port: 0, scheduler: false });
});
afterAll(async () => {
  await serving.close();
  await demo.close();
  rmSync(config.dataDir, { recursive: true });
});

it('a newcomer buys the reserve of a project that has none in four clicks', async () => {
  const page = await open(`${serving.url}/`);
  await page.getByRole('button', { name: 'Войти как demo' }).click();
  await page.waitForURL(`${serving.url}/`);
  await page.goto(`${serving.url}/projects`);
  await page.getByText('Рукоделие').first().click();
  await page.getByRole('button', { name: 'Купить резерв', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Купить резерв: Рукоделие' });
  await dialog.getByText('Готово резервов: 0').waitFor();
  const buy = dialog.getByRole('button', { name: /^Купить за \d/ });
  await buy.waitFor();
  await dialog.getByText(/Баланс [\d\u00A0]+,\d\d RUB/).waitFor();
  await settled(page);
  expect(await faultsOf(page)).toEqual([]);
  await buy.click();
  await dialog.waitFor({ state: 'detached' });

  const bought = () =>
    select<{ domain_name: string; cloudflare_account_id: number | null; sites: number; state: string }>(
      `SELECT d.domain_name, d.cloudflare_account_id, o.state, (SELECT COUNT(*) FROM sites s WHERE s.domain_id = d.id) AS sites
       FROM operations o LEFT JOIN domains d ON d.project_id = 6 AND d.type = 'transfer' AND d.deleted_at IS NULL
       WHERE o.kind = 'buy_reserve' AND o.subject = '6'`,
    );
  await expect.poll(async () => (await bought())[0]?.state).toBe('succeeded');
  const [row] = await bought();
  expect(row?.domain_name).toMatch(/^(?:nit|pryazha|klubok)-(?:dom|mir|klub)[1-9]\.ru$/);
  expect(row?.cloudflare_account_id).not.toBeNull();
  // The look for faults leaves the page narrow.
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${serving.url}/projects`);
  await page.getByText('Рукоделие').first().click();
  await page
    .getByText(row?.domain_name ?? 'none')
    .first()
    .waitFor();
});
