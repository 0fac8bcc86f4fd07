// A page zoomed to 400 % is 320 px wide, one zoomed to 200 % is 640 px wide.
import { expect, it } from 'vitest';
import { isWholeMatrix } from '../../support/vitest/turns.ts';
import { faultsOf, sidewaysOf } from '../support/audit.ts';
import { useDemo } from '../support/demo.ts';
import { settled, usePages } from '../support/page.ts';

const open = usePages();
const demo = useDemo();

// Those where something was wrong once, and those that no other test opens with rows at this width.
const OFTEN = ['/import', '/settings?section=caps', '/purchases', '/operations', '/projects/1', '/log'];
const REST = [
  '/',
  '/projects',
  '/projects/1?tab=positions',
  '/sites',
  '/dns',
  '/check-site',
  '/cloudflare',
  '/cloudflare-groups',
  '/servers',
  '/registrars',
  '/templates',
  '/position?project=1',
  '/xmlriver',
  '/arsenkin',
  '/admin',
  '/settings?section=security',
  '/settings?section=tokens',
  '/settings?section=notices',
  '/settings?section=telegram',
  '/settings?section=users',
  '/settings?section=schedule',
  '/settings?section=backups',
  '/tables?table=domains',
  '/kit',
];

it.each(isWholeMatrix ? [...OFTEN, ...REST] : OFTEN)(
  '%s has no faults when it is zoomed in to 400 or 200 per cent',
  async (path) => {
    const page = await open(demo.serving.url + path, { token: demo.token, width: 320 });
    expect(await faultsOf(page, [320, 640])).toEqual([]);
  },
);

it.each(['ru', 'en'] as const)('the bar at the top has room at every width, with long counts, in %s', async (lang) => {
  const page = await open(`${demo.serving.url}/operations`, {
    token: demo.token,
    lang,
    prepare: (page) => page.route('**/api/notices?*', (route) => route.fulfill({ json: { data: [], waiting: 128 } })),
  });
  await page.locator('header').getByRole('button', { name: /128/ }).waitFor();
  const found: string[] = [];
  for (const width of [320, 359, 360, 599, 600, 640, 768, 840, 900, 959, 960, 1024, 1099, 1100, 1279, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    found.push(...(await sidewaysOf(page)).map((fault) => `${width} px: ${fault}`));
  }
  expect(found).toEqual([]);
});
