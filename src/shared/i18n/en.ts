import { access } from './en/access.ts';
import { accounts } from './en/accounts.ts';
import { audit } from './en/audit.ts';
import { bulk } from './en/bulk.ts';
import { candidates } from './en/candidates.ts';
import { checks } from './en/checks.ts';
import { cli } from './en/cli.ts';
import { dns } from './en/dns.ts';
import { errors } from './en/errors.ts';
import { guide } from './en/guide.ts';
import { keywords } from './en/keywords.ts';
import { kit } from './en/kit.ts';
import { notices } from './en/notices.ts';
import { operations } from './en/operations.ts';
import { people } from './en/people.ts';
import { portfolio } from './en/portfolio.ts';
import { positions } from './en/positions.ts';
import { purchases } from './en/purchases.ts';
import { searchAccounts } from './en/search-accounts.ts';
import { schedule } from './en/schedule.ts';
import { settings } from './en/settings.ts';
import { shell } from './en/shell.ts';
import { sites } from './en/sites.ts';
import { system } from './en/system.ts';
import { tables } from './en/tables.ts';
import { telegram } from './en/telegram.ts';
import { timeline } from './en/timeline.ts';
import { transfers } from './en/transfers.ts';
import { triage } from './en/triage.ts';
import { why } from './en/why.ts';
import type { Key } from './ru.ts';

/** The English catalogue: complete, or it does not compile. */
export const en: Record<Key, string> = {
  ...errors,
  ...shell,
  ...kit,
  ...guide,
  ...access,
  ...people,
  ...operations,
  ...accounts,
  ...searchAccounts,
  ...portfolio,
  ...bulk,
  ...checks,
  ...dns,
  ...sites,
  ...purchases,
  ...candidates,
  ...transfers,
  ...keywords,
  ...positions,
  ...notices,
  ...triage,
  ...audit,
  ...timeline,
  ...system,
  ...tables,
  ...schedule,
  ...settings,
  ...telegram,
  ...why,
  ...cli,
};
