import { autoTransfers } from './auto-transfers.ts';
import { checks } from './checks.ts';
import { cloudflareAccounts } from './cloudflare-accounts.ts';
import { cloudflareGroups } from './cloudflare-groups.ts';
import { dns } from './dns.ts';
import { domains } from './domains.ts';
import { events } from './events.ts';
import { imports } from './imports.ts';
import { operations } from './operations.ts';
import { projects } from './projects.ts';
import { protection } from './protection.ts';
import { servers } from './servers.ts';
import { session } from './session.ts';
import { sites } from './sites.ts';
import { system } from './system.ts';
import { templates } from './templates.ts';
import { transfers } from './transfers.ts';

/** Every call of the API: method and path to its route. A noun's file is spread in here, and that is all. */
export const api = {
  ...system,
  ...session,
  ...projects,
  ...domains,
  ...imports,
  ...checks,
  ...operations,
  ...events,
  ...cloudflareAccounts,
  ...cloudflareGroups,
  ...servers,
  ...templates,
  ...dns,
  ...sites,
  ...protection,
  ...autoTransfers,
  ...transfers,
};

/** The API's type: the browser's calls are typed by it. */
export type Api = typeof api;

/** The table as a plain list, for what walks it. */
export const routes = Object.entries(api).map(([name, route]) => {
  const [method = '', path = ''] = name.split(' ');
  return { name, method, path, route };
});
