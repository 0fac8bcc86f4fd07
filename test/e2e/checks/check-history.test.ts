// The check history of a domain: periods of equal results, and figures by day.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { translate, type Key, type Params } from '../../../src/shared/i18n/index.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { faultsOf } from '../support/audit.ts';
import { settled, usePages } from '../support/page.ts';
import { seedDomains } from '../support/portfolio.ts';

const open = usePages();
const t = (key: Key, params?: Params): string => translate('ru', key, params);
let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  await seedDomains(server.admin.id, [{ domain_name: 'looked.example' }, { domain_name: 'new.example' }]);
  await transaction(async () => {
    await execute(
      `INSERT INTO checks (domain_id, kind, verdict, http_status_code, ms, since, checked_at, repeats)
       SELECT id, 'http', '200', 200, 120, '2026-11-01T00:37:00.000Z', '2026-11-20T23:37:00.000Z', 480 FROM domains
       WHERE domain_name = 'looked.example'`,
    );
    await execute(
      `INSERT INTO checks (domain_id, kind, verdict, http_status_code, ms, checked_at)
       SELECT id, 'http', '503', 503, 80, '2026-11-21T00:37:00.000Z' FROM domains WHERE domain_name = 'looked.example'`,
    );
    await execute(
      `INSERT INTO check_days (domain_id, day, checks, up, median_ms, worst_ms)
       SELECT domains.id, value ->> 0, 24, value ->> 1, value ->> 2, value ->> 3
       FROM domains, json_each('[["2026-11-19", 24, 110, 1900], ["2026-11-20", 23, 115, 340], ["2026-11-18", 0, null, null]]')
       WHERE domain_name = 'looked.example'`,
    );
  });
});
afterAll(() => server.close());

it('the history shows since when a site answers alike, and how often it was found so', async () => {
  const page = await open(`${server.url}/sites?checks=1`, { token: server.admin.token });
  const dialog = page.getByRole('dialog');
  await dialog.getByText(t('checks.looks', { n: 480 })).waitFor();
  expect(await dialog.getByText(t('checks.looks', { n: 1 })).count()).toBe(0);
  expect(await dialog.getByText('503').count()).toBe(1);
  await settled(page);
  expect(await faultsOf(page)).toEqual([]);
});

it('the history shows by day how many checks succeeded, and how fast', async () => {
  const page = await open(`${server.url}/sites?checks=1`, { token: server.admin.token });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { name: t('checks.tab_days') }).click();
  await dialog.getByText(t('checks.up_of', { up: 23, n: 24 })).waitFor();
  const rows = (await dialog.getByRole('row').allInnerTexts()).map((text) => text.replace(/\s+/gu, ' '));
  const shares = rows.flatMap((text) => /[\d,]+ %/u.exec(text) ?? []);
  expect(shares).toEqual(['95,8 %', '100 %', '0 %']);
  for (const n of [110, 115, 340]) await dialog.getByText(t('checks.ms', { n }), { exact: true }).waitFor();
  await settled(page);
  expect(await faultsOf(page)).toEqual([]);
});

it('the history says if nothing was checked yet', async () => {
  const page = await open(`${server.url}/sites?checks=2`, { token: server.admin.token });
  const dialog = page.getByRole('dialog');
  await dialog.getByText(t('checks.none')).waitFor();
  await dialog.getByRole('tab', { name: t('checks.tab_days') }).click();
  await dialog.getByText(t('checks.no_days')).waitFor();
  await expect.poll(() => dialog.getByRole('row').count()).toBe(0);
});

it.each([390, 320])('every tab of the history lies within its dialog at %i px', async (width) => {
  const page = await open(`${server.url}/sites?checks=1`, { token: server.admin.token, width });
  const dialog = page.getByRole('dialog');
  const tabs = dialog.getByRole('tab');
  await tabs.first().waitFor();
  const outer = await dialog.boundingBox();
  const right = (outer?.x ?? 0) + (outer?.width ?? 0);
  const boxes = await Promise.all((await tabs.all()).map((tab) => tab.boundingBox()));
  expect(boxes.length).toBe(5);
  expect(boxes.filter((box) => box === null || box.x + box.width > right)).toEqual([]);
});
