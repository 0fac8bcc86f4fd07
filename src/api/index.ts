import { accounts } from './accounts.ts';
import { audit } from './audit.ts';
import { checks } from './checks.ts';
import { cloudflareGroups } from './cloudflare-groups.ts';
import { dns } from './dns.ts';
import { domains } from './domains.ts';
import { events } from './events.ts';
import { expiryFeeds } from './expiry-feeds.ts';
import { imports } from './imports.ts';
import { keywords } from './keywords.ts';
import { notices } from './notices.ts';
import { operations } from './operations.ts';
import { listViews } from './people/list-views.ts';
import { people } from './people/people.ts';
import { positions } from './positions.ts';
import { projects } from './projects.ts';
import { protection } from './protection.ts';
import { purchases } from './purchases.ts';
import { oneKind } from './one-kind.ts';
import { schedules } from './schedules.ts';
import { secondFactor } from './people/second-factor.ts';
import { session } from './session.ts';
import { sites } from './sites.ts';
import { system } from './system.ts';
import { tables } from './tables.ts';
import { telegram } from './telegram.ts';
import { templates } from './templates.ts';
import { transfers } from './transfers.ts';
import { triage } from './triage.ts';
import { why } from './why.ts';
import { users } from './people/users.ts';

/** Every call of the API: method and path to its route. To add a noun, spread its file in here. */
export const api = {
  ...system,
  ...session,
  ...people,
  ...listViews,
  ...secondFactor,
  ...users,
  ...projects,
  ...domains,
  ...expiryFeeds,
  ...imports,
  ...checks,
  ...operations,
  ...events,
  ...notices,
  ...accounts,
  ...cloudflareGroups,
  ...oneKind,
  ...purchases,
  ...templates,
  ...dns,
  ...sites,
  ...protection,
  ...transfers,
  ...keywords,
  ...positions,
  ...tables,
  ...audit,
  ...schedules,
  ...telegram,
  ...why,
  ...triage,
};

/** The API's type, by which the browser's calls are typed. */
export type Api = typeof api;

/** The route table as a list. */
export const routes = Object.entries(api).map(([name, route]) => {
  const [method = '', path = ''] = name.split(' ');
  return { name, method, path, route };
});
