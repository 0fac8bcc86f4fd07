import { access } from './ru/access.ts';
import { accounts } from './ru/accounts.ts';
import { audit } from './ru/audit.ts';
import { bulk } from './ru/bulk.ts';
import { candidates } from './ru/candidates.ts';
import { checks } from './ru/checks.ts';
import { cli } from './ru/cli.ts';
import { dns } from './ru/dns.ts';
import { errors } from './ru/errors.ts';
import { guide } from './ru/guide.ts';
import { keywords } from './ru/keywords.ts';
import { kit } from './ru/kit.ts';
import { notices } from './ru/notices.ts';
import { operations } from './ru/operations.ts';
import { people } from './ru/people.ts';
import { portfolio } from './ru/portfolio.ts';
import { positions } from './ru/positions.ts';
import { purchases } from './ru/purchases.ts';
import { searchAccounts } from './ru/search-accounts.ts';
import { schedule } from './ru/schedule.ts';
import { settings } from './ru/settings.ts';
import { shell } from './ru/shell.ts';
import { sites } from './ru/sites.ts';
import { system } from './ru/system.ts';
import { tables } from './ru/tables.ts';
import { telegram } from './ru/telegram.ts';
import { timeline } from './ru/timeline.ts';
import { transfers } from './ru/transfers.ts';
import { triage } from './ru/triage.ts';
import { why } from './ru/why.ts';

/** The default catalogue. A text that the specification gives in English stands here in English: it is verbatim. */
export const ru = {
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

export type Key = keyof typeof ru;
