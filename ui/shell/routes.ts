import { createElement, type ReactNode } from 'react';
import { ACCOUNT_SCREENS, type AccountNoun } from '../../src/shared/accounts/screens.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import { readAhead } from '../kit/api.ts';
import { later, type Later } from '../kit/Loading.tsx';

/** The groups of the menu, in order. */
export const GROUPS = ['sites', 'tools', 'accounts', 'admin'] as const;
export type Group = (typeof GROUPS)[number];

/** A screen inside the shell. For other users, an `admin` screen is not found. */
export interface Route {
  path: string;
  title: Key;
  group?: Group;
  admin?: true;
  Screen: Later<object>;
}

type ScreenModule<Name extends string> = Record<Name, () => ReactNode>;

/** Returns a screen that is loaded when first opened; `name` is its export. */
const screen = <Name extends string>(load: () => Promise<ScreenModule<Name>>, name: Name): Later<object> =>
  later(async () => (await load())[name]);

// The texts of the dashboard come with those of the frame.
const DASHBOARD = later(
  async () => (await import('../dashboard/Dashboard.tsx')).Dashboard,
  async () => undefined,
);

// The declarations of the kinds come with their screens: the frame needs none of them.
const accountScreen = (noun: AccountNoun): Later<object> =>
  later(async () => {
    const [{ Accounts }, { kindOf }] = await Promise.all([
      import('../accounts/Accounts.tsx'),
      import('../../src/shared/accounts/kinds.ts'),
    ]);
    return () => createElement(Accounts, { kind: kindOf(noun) });
  });

/** Kinds whose screen has more than the others. */
const OWN_SCREENS: Partial<Record<AccountNoun, Later<object>>> = {
  registrar: screen(() => import('../registrars/Registrars.tsx'), 'Registrars'),
};

const GROUPS_OF_ACCOUNTS: Route = {
  path: '/cloudflare-groups',
  title: 'nav.cloudflare_groups',
  group: 'accounts',
  Screen: screen(() => import('../accounts/CloudflareGroups.tsx'), 'CloudflareGroups'),
};

/** Each kind of account, and after the one that has groups these. */
const ACCOUNTS: readonly Route[] = (Object.keys(ACCOUNT_SCREENS) as AccountNoun[]).flatMap((noun) => {
  const { path, title } = ACCOUNT_SCREENS[noun];
  const own: Route = { path, title, group: 'accounts', Screen: OWN_SCREENS[noun] ?? accountScreen(noun) };
  return noun === 'cloudflare' ? [own, GROUPS_OF_ACCOUNTS] : [own];
});

/** Every screen of the shell; the menu and the router both derive from it, in this order. */
export const ROUTES: readonly Route[] = [
  { path: '/', title: 'nav.main', Screen: DASHBOARD },
  {
    path: '/projects',
    title: 'nav.projects',
    group: 'sites',
    Screen: screen(() => import('../portfolio/Projects.tsx'), 'Projects'),
  },
  {
    path: '/position',
    title: 'nav.positions',
    group: 'sites',
    Screen: screen(() => import('../positions/Positions.tsx'), 'Positions'),
  },
  {
    path: '/sites',
    title: 'nav.all_sites',
    group: 'sites',
    Screen: screen(() => import('../portfolio/Domains.tsx'), 'Domains'),
  },
  { path: '/import', title: 'nav.import', Screen: screen(() => import('../imports/Import.tsx'), 'Import') },
  { path: '/dns', title: 'nav.dns', group: 'tools', Screen: screen(() => import('../dns/Dns.tsx'), 'Dns') },
  {
    path: '/check-site',
    title: 'nav.check_site',
    group: 'tools',
    Screen: screen(() => import('../checks/CheckSite.tsx'), 'CheckSite'),
  },
  ...ACCOUNTS,
  {
    path: '/purchases',
    title: 'nav.purchases',
    group: 'accounts',
    Screen: screen(() => import('../purchases/Purchases.tsx'), 'Purchases'),
  },
  {
    path: '/templates',
    title: 'nav.templates',
    group: 'accounts',
    Screen: screen(() => import('../sites/Templates.tsx'), 'Templates'),
  },
  {
    path: '/operations',
    title: 'ui.operations',
    Screen: screen(() => import('../operations/Operations.tsx'), 'Operations'),
  },
  {
    path: '/settings',
    title: 'nav.settings',
    Screen: screen(() => import('../settings/Settings.tsx'), 'Settings'),
  },
  { path: '/log', title: 'nav.log', admin: true, Screen: screen(() => import('../audit/Log.tsx'), 'Log') },
  {
    path: '/admin',
    title: 'nav.create_user',
    group: 'admin',
    admin: true,
    Screen: screen(() => import('../users/Users.tsx'), 'Users'),
  },
  {
    path: '/tables',
    title: 'nav.tables',
    group: 'admin',
    admin: true,
    Screen: screen(() => import('../tables/Tables.tsx'), 'Tables'),
  },
];

/** A page of one thing, which is in its path; `read` reads ahead what it will show. */
interface Page extends Pick<Route, 'path' | 'Screen'> {
  read?: (params: Record<string, string | undefined>) => Promise<void>;
}

/** Pages of one thing; every user may ask for them, and the server refuses what is another's. */
export const PAGES: readonly Page[] = [
  {
    path: '/sites/:name',
    Screen: screen(() => import('../domain/DomainPage.tsx'), 'DomainPage'),
    read: ({ name = '' }) => readAhead('GET /api/domain_pages/:name', { params: { name } }),
  },
  {
    path: '/projects/:ref',
    Screen: screen(() => import('../project/ProjectPage.tsx'), 'ProjectPage'),
    read: ({ ref = '' }) => readAhead('GET /api/project_pages/:ref', { params: { ref } }),
  },
  {
    path: '/operations/:id',
    Screen: screen(() => import('../operations/OperationAddress.tsx'), 'OperationAddress'),
  },
  { path: '/transfers/:id', Screen: screen(() => import('../transfer/TransferPage.tsx'), 'TransferPage') },
];

/** Returns the screens that a role may open. */
export const routesFor = (role: string | undefined): readonly Route[] =>
  ROUTES.filter((route) => !route.admin || role === 'admin');
