import type { TestServer } from '../../support/server.ts';
import { seedPortfolio } from './portfolio.ts';
import { seedPositions } from './positions.ts';
import { seedTeam } from './team.ts';

/** The screens of a portfolio that `seedScreens` has filled. */
export const SCREENS = [
  '/',
  '/?list=expired',
  '/projects',
  '/projects?project=1',
  '/projects?project=3',
  '/projects/1',
  '/projects/1?tab=positions',
  '/projects/3',
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

/** The screens of a user without data. */
export const EMPTY = ['/', '/projects', '/sites', '/position', '/purchases', '/operations', '/operations?state=failed'];

/** Stores a portfolio with something on every screen. */
export async function seedScreens(server: TestServer): Promise<void> {
  await seedPortfolio(server.admin.id);
  await seedTeam(server);
  await seedPositions(1, { id: 1, domain_name: 'vulkan-club.ru' }, [
    { value: 'первый', yandex: [20, 12, 5, 4], google: [9, 8, 0, 7], tags: ['бренд'], frequency: 300 },
    { value: 'второй', yandex: [4, 45, 0, 70], target_url: 'https://vulkan-club.ru/second' },
    { value: 'третий', yandex: [null, null, null, null] },
  ]);
}
