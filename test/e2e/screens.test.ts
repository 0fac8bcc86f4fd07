import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPerson, startServer, type Person, type TestServer } from '../support/server.ts';
import { faultsOf, PHONE_FIRST, WIDTHS } from './support/audit.ts';
import { usePages } from './support/page.ts';
import { seedPortfolio } from './support/portfolio.ts';
import { seedTeam } from './support/team.ts';

const LOOKS = [
  { lang: 'ru', theme: 'light', widths: WIDTHS },
  { lang: 'ru', theme: 'dark', widths: PHONE_FIRST },
  { lang: 'en', theme: 'light', widths: WIDTHS },
] as const;

const SCREENS = [
  '/',
  '/?list=expired',
  '/projects',
  '/projects?project=1',
  '/projects?project=3',
  '/sites',
  '/sites?search=nothing-like-this',
  '/dns',
  '/check-site',
  '/import',
  '/cloudflare',
  '/cloudflare-groups',
  '/servers',
  '/templates',
  '/admin',
  '/nowhere',
];
// The screens of a user without data.
const EMPTY = ['/', '/projects', '/sites'];

const open = usePages();
let server: TestServer;
let newcomer: Person;
beforeAll(async () => {
  server = await startServer();
  await seedPortfolio(server.admin.id);
  newcomer = await createPerson(server);
  await seedTeam(server);
});
afterAll(() => server.close());

describe.each(LOOKS)('in $lang, $theme', ({ widths, ...look }) => {
  it('/login has no faults', async () => {
    expect(await faultsOf(await open(`${server.url}/login`, look), widths)).toEqual([]);
  });
  it.each(SCREENS)('%s has no faults', async (path) => {
    expect(await faultsOf(await open(server.url + path, { ...look, token: server.admin.token }), widths)).toEqual([]);
  });
  it.each(EMPTY)('%s has no faults without data', async (path) => {
    expect(await faultsOf(await open(server.url + path, { ...look, token: newcomer.token }), widths)).toEqual([]);
  });
});
