import { mkdirSync } from 'node:fs';
import { mock } from 'node:test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD, request, signIn, startServer, type TestServer } from '../../support/server.ts';
import { settled, usePages } from '../support/page.ts';
import { EMPTY, SCREENS, seedScreens } from '../support/screens.ts';
import { FOLDER, shareThatDiffers } from './compare.ts';

// A picture tells of a change where more than this share of its points is another colour.
const MOST = 0.002;
const NOW = new Date('2026-11-20T06:30:00Z');
const THEMES = ['light', 'dark'] as const;
const WIDTHS = [1280, 390];
const BROKEN = { status: 500, json: { error: 'Out of order', code: 'internal' } };

const open = usePages();
let server: TestServer;
let newcomer: string;
beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  mock.timers.enable({ apis: ['Date'], now: NOW });
  server = await startServer();
  await seedScreens(server);
  const login = 'newcomer';
  await request(server, 'POST /api/users', { token: server.admin.token, body: { login, password: PASSWORD } });
  newcomer = await signIn(server, login);
});
afterAll(async () => {
  await server.close();
  mock.timers.reset();
});

interface State {
  path: string;
  state: 'filled' | 'empty' | 'failing' | 'signed out';
}

const STATES: State[] = [
  ...[...new Set(SCREENS)].map((path) => ({ path, state: 'filled' }) as const),
  ...EMPTY.map((path) => ({ path, state: 'empty' }) as const),
  ...['/', '/sites', '/projects', '/position', '/servers', '/log'].map((path) => ({ path, state: 'failing' }) as const),
  { path: '/login', state: 'signed out' },
];

const tokenOf = (state: State['state']): string | undefined =>
  state === 'signed out' ? undefined : state === 'empty' ? newcomer : server.admin.token;

const LOOKS = THEMES.flatMap((theme) => WIDTHS.map((width) => ({ theme, width })));
const CASES = STATES.flatMap(({ path, state }) => LOOKS.map(({ theme, width }) => ({ path, state, theme, width })));

it.each(CASES)('$path, $state, $theme, $width pixels looks as it did', async ({ path, state, theme, width }) => {
  const token = tokenOf(state);
  const page = await open(server.url + path, {
    theme,
    width,
    ...(token !== undefined && { token }),
    expected: /^(500|404) /,
    prepare: async (page) => {
      await page.clock.setFixedTime(NOW);
      if (state === 'failing') await page.route('**/api/**', (route) => route.fulfill(BROKEN));
    },
  });
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    // The folder of the data has another name each time.
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      text.nodeValue = text.nodeValue?.replace(/\S*seo-admin-test-\w+/, '/data') ?? '';
    }
  });
  await page.mouse.move(0, 0);
  await settled(page);
  const name = `${path.replaceAll(/[^a-z\d]+/gi, '-').replaceAll(/^-|-$/g, '') || 'main'}-${state.replace(' ', '-')}`;
  expect(await shareThatDiffers(await page.screenshot(), `${name}-${theme}-${width}`)).toBeLessThanOrEqual(MOST);
});
