import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPerson, startServer, type Person, type TestServer } from '../support/server.ts';
import { faultsOf, inLooks } from './support/audit.ts';
import { usePages } from './support/page.ts';
import { seedPortfolio } from './support/portfolio.ts';
import { seedPositions } from './support/positions.ts';
import { seedTeam } from './support/team.ts';

const SCREENS = [
  '/',
  '/?list=expired',
  '/projects',
  '/projects?project=1',
  '/projects?project=3',
  '/sites',
  '/sites?search=nothing-like-this',
  '/sites/vulkan-club.ru',
  '/sites/vulkan-club.ru?tab=positions',
  '/sites/vulkan-club.ru?tab=checks',
  '/dns',
  '/check-site',
  '/import',
  '/cloudflare',
  '/cloudflare-groups',
  '/servers',
  '/registrars',
  '/templates',
  '/position',
  '/position?project=1&keyword=1',
  '/position?project=2',
  '/xmlriver',
  '/arsenkin',
  '/admin',
  '/log',
  '/log?user=nobody-at-all',
  '/settings',
  '/settings?section=security',
  '/settings?section=tokens',
  '/settings?section=notices',
  '/settings?section=telegram',
  '/settings?section=notices',
  '/settings?section=users',
  '/settings?section=caps',
  '/settings?section=schedule',
  '/settings?section=backups',
  '/tables',
  '/tables?table=domains',
  '/tables?table=transfer_history',
  '/tables?table=servers&search=nothing-like-this',
  '/nowhere',
];

// The screens of a user without data.
const EMPTY = ['/', '/projects', '/sites', '/position', '/purchases', '/operations', '/operations?state=failed'];

const open = usePages();
let server: TestServer;
let newcomer: Person;
beforeAll(async () => {
  server = await startServer();
  await seedPortfolio(server.admin.id);
  newcomer = await createPerson(server);
  await seedTeam(server);
  await seedPositions(1, { id: 1, domain_name: 'vulkan-club.ru' }, [
    { value: 'первый', yandex: [20, 12, 5, 4], google: [9, 8, 0, 7], tags: ['бренд'], frequency: 300 },
    { value: 'второй', yandex: [4, 45, 0, 70], target_url: 'https://vulkan-club.ru/second' },
    { value: 'третий', yandex: [null, null, null, null] },
  ]);
});
afterAll(() => server.close());

const ofAdmin = SCREENS.map((path) => ({ path, name: path, token: () => server.admin.token }));
const ofNewcomer = EMPTY.map((path) => ({ path, name: `${path} without data`, token: () => newcomer.token }));
const signedOut = { path: '/login', name: '/login', token: () => undefined };

it.each(inLooks([...ofAdmin, ...ofNewcomer, signedOut], ({ name }) => name))(
  '%s has no faults',
  async (_title, look, { path, token }) => {
    const signedIn = token();
    const page = await open(server.url + path, { ...look, ...(signedIn !== undefined && { token: signedIn }) });
    expect(await faultsOf(page, look.widths)).toEqual([]);
  },
);
