import { lazy, type ComponentType, type ReactNode } from 'react';
import type { Key } from '../src/shared/i18n/index.ts';

/** The groups of the menu, in order. */
export const GROUPS = ['sites', 'tools', 'accounts', 'admin'] as const;
export type Group = (typeof GROUPS)[number];

/** A screen inside the shell. `admin` screens do not exist for others. */
export interface Route {
  path: string;
  title: Key;
  group?: Group;
  admin?: true;
  Screen: ComponentType;
}

type ScreenModule<Name extends string> = Record<Name, () => ReactNode>;

/** A screen that is fetched when it is first opened; `name` is its export. */
const screen = <Name extends string>(load: () => Promise<ScreenModule<Name>>, name: Name): ComponentType =>
  lazy(async () => ({ default: (await load())[name] as () => ReactNode }));

/** Every screen of the shell, a line each: the menu and the router both come from here, in this order. */
export const ROUTES: readonly Route[] = [
  { path: '/', title: 'nav.main', Screen: screen(() => import('./screens/Dashboard.tsx'), 'Dashboard') },
  {
    path: '/projects',
    title: 'nav.projects',
    group: 'sites',
    Screen: screen(() => import('./screens/Projects.tsx'), 'Projects'),
  },
  {
    path: '/sites',
    title: 'nav.all_sites',
    group: 'sites',
    Screen: screen(() => import('./screens/Sites.tsx'), 'Sites'),
  },
  { path: '/import', title: 'nav.import', Screen: screen(() => import('./screens/Import.tsx'), 'Import') },
  { path: '/dns', title: 'nav.dns', group: 'tools', Screen: screen(() => import('./screens/Dns.tsx'), 'Dns') },
  {
    path: '/check-site',
    title: 'nav.check_site',
    group: 'tools',
    Screen: screen(() => import('./screens/CheckSite.tsx'), 'CheckSite'),
  },
  {
    path: '/cloudflare',
    title: 'nav.cloudflare',
    group: 'accounts',
    Screen: screen(() => import('./screens/Cloudflare.tsx'), 'Cloudflare'),
  },
  {
    path: '/cloudflare-groups',
    title: 'nav.cloudflare_groups',
    group: 'accounts',
    Screen: screen(() => import('./screens/CloudflareGroups.tsx'), 'CloudflareGroups'),
  },
  {
    path: '/servers',
    title: 'nav.servers',
    group: 'accounts',
    Screen: screen(() => import('./screens/Servers.tsx'), 'Servers'),
  },
  {
    path: '/templates',
    title: 'nav.templates',
    group: 'accounts',
    Screen: screen(() => import('./screens/Templates.tsx'), 'Templates'),
  },
  {
    path: '/operations',
    title: 'ui.operations',
    Screen: screen(() => import('./screens/Operations.tsx'), 'Operations'),
  },
  {
    path: '/admin',
    title: 'nav.create_user',
    group: 'admin',
    admin: true,
    Screen: screen(() => import('./screens/Users.tsx'), 'Users'),
  },
];

/** The screens that exist for a role. */
export const routesFor = (role: string | undefined): readonly Route[] =>
  ROUTES.filter((route) => !route.admin || role === 'admin');
