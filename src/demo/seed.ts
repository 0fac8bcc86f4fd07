import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pendingOf } from '../../db/audit-notes.ts';
import { closeDatabase, current, execute, executeUnaudited, openDatabase, transaction } from '../../db/index.ts';
import { migrate } from '../../db/migrate.ts';
import type { Config } from '../lib/config.ts';
import { hashPassword } from '../lib/password.ts';
import { seal } from '../lib/secret.ts';
import { openKeys } from '../services/access/keys.ts';
import { describeArchive } from '../services/sites/templates.ts';
import type { RegistrarType } from '../shared/accounts/registrar-types.ts';
import { DEMO_USERS } from '../shared/demo.ts';
import { toDecimal, type Currency } from '../shared/purchases/money.ts';
import { deploySites } from './deployed.ts';
import { daysFrom, domainAt, troubleOf } from './domains.ts';
import { pastOf } from './past/index.ts';
import type { Logged } from './past/log.ts';
import { ARSENKIN, indexRows, positionRows, searchStates, webOf, XMLRIVER } from './positions.ts';
import { registrationRows } from './registrations.ts';
import { BALANCES, shopStates } from './shops.ts';
import { ACCOUNTS, GROUPS, PROJECTS, purchaseRows, REGISTRARS, secretOf, SERVERS } from './team.ts';
import { demoTelegram, TELEGRAM_NAMES, telegramRows } from './telegram-people.ts';
import { TEMPLATES } from './templates.ts';
import type { World } from './world.ts';
import { accountId, cloudflareWorld } from './zones.ts';

type Row = Record<string, unknown>;
type Domain = ReturnType<typeof domainAt>;

const LISTED_BESIDES = 2_000;

/** Inserts all rows in one statement; the columns are those of the first row, missing values are NULL. */
async function insert(table: string, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const fields = Object.keys(rows[0] ?? {});
  const values = fields.map((field) => `value ->> '${field}'`).join(', ');
  const sql = `INSERT INTO ${table} (${fields.join(', ')}) SELECT ${values} FROM json_each($rows)`;
  await executeUnaudited('demo', sql, { rows: JSON.stringify(rows) });
}

/** Seals a secret of the demo for its cell. */
const sealed = (table: string, column: string, id: number, text = secretOf(id)): string =>
  seal(`${table}.${column}:${id}`, text);

async function userRows(now: Date): Promise<Row[]> {
  const created_at = daysFrom(now, -400);
  return Promise.all(
    DEMO_USERS.map(async ({ login, password, role }, index) => ({
      id: index + 1,
      login,
      password: await hashPassword(password),
      role,
      active: 1,
      telegram: TELEGRAM_NAMES[index] ?? null,
      created_at,
    })),
  );
}

/** Adds ids, a default owner and a time of creation to the rows of a list. */
const numbered = (rows: readonly Row[], now: Date): Row[] =>
  rows.map((row, index) => ({ id: index + 1, user_id: 1, created_at: daysFrom(now, -300), ...row }));

// Errors of the services about a wrong login, as a test stores them.
const REFUSED_KEY = refused('Unknown X-Auth-Key or X-Auth-Email (9103)');
const REFUSED_PASSWORD = refused('expired.ru: Authentication failed (100)');
/** Since when the last test of a login was, in days. */
const TESTED = -0.1;
// The registrars that tell a balance, and its currency.
const TELLS: Partial<Record<RegistrarType, Currency>> = {
  'reg.ru': 'RUB',
  'namecheap.com': 'USD',
  'porkbun.com': 'USD',
};

function refused(message: string): string {
  return JSON.stringify({ key: 'provider.credentials', params: { message } });
}

/** The result of a registrar's last test, as columns. */
function registrarTest(type: RegistrarType, isRefused: boolean): Row {
  const currency = isRefused ? undefined : TELLS[type];
  return {
    balance: currency ? toDecimal(BALANCES[type], currency) : null,
    balance_currency: currency ?? null,
    check_error: isRefused ? REFUSED_PASSWORD : null,
  };
}

/** Rows of the CDN accounts, as their last test has found them: one has a wrong key. */
function accountRows(domains: readonly Domain[], tested: string): Row[] {
  return ACCOUNTS.map(({ name, email, key, stored, name_servers }, index) => {
    const id = index + 1;
    const api_key = sealed('cloudflare_accounts', 'api_key', id, stored);
    const [ns_1, ns_2] = key === stored ? name_servers : [null, null];
    const zones = domains.filter(({ cloudflare_account_id }) => cloudflare_account_id === id).length;
    const cf_account_id = key === stored ? accountId(id) : null;
    return {
      name,
      email,
      api_key,
      ns_1,
      ns_2,
      cf_account_id,
      zones: key === stored ? zones : null,
      checked_at: tested,
      check_error: key === stored ? null : REFUSED_KEY,
      cf_accounts: JSON.stringify(key === stored ? [{ id: accountId(id), name: `${email}'s Account` }] : []),
    };
  });
}

const named = ({ user_id, name }: { user_id: number; name: string }) => ({ user_id, name });

function teamRows(domains: readonly Domain[], now: Date): Record<string, Row[]> {
  const tested = daysFrom(now, TESTED);
  const servers = SERVERS.map(({ name, ssh_host }, index) => {
    const ssh_password = sealed('servers', 'ssh_password', index + 1);
    return { name, ssh_host, ssh_user: 'root', ssh_password, checked_at: tested };
  });
  const registrars = REGISTRARS.map(({ stored, ...registrar }, index) =>
    Object.assign(
      { password: sealed('registrars', 'password', index + 1, stored), checked_at: tested },
      registrarTest(registrar.type, stored !== undefined),
      registrar,
    ),
  );
  const xmlriver = XMLRIVER.map(({ name, login, key, balance }, index) => ({
    name,
    login,
    key: sealed('xmlriver_accounts', 'key', index + 1, key),
    balance: (balance / 1000).toFixed(2),
    balance_currency: 'RUB',
    checked_at: tested,
  }));
  const arsenkin = ARSENKIN.map(({ name, token, limits }, index) => ({
    name,
    token: sealed('arsenkin_accounts', 'token', index + 1, token),
    balance: String(limits),
    balance_currency: 'limits',
    checked_at: tested,
  }));
  const pairs = GROUPS.flatMap(({ accounts }, index) =>
    accounts.map((id) => ({ cloudflare_group_id: index + 1, cloudflare_account_id: id })),
  );
  return {
    servers: numbered(servers, now),
    cloudflare_accounts: numbered(accountRows(domains, tested), now),
    cloudflare_groups: numbered(GROUPS.map(named), now),
    cloudflare_group_accounts: pairs,
    registrars: numbered(registrars, now),
    xmlriver_accounts: numbered(xmlriver, now),
    arsenkin_accounts: numbered(arsenkin, now),
    projects: numbered(PROJECTS.map(named), now),
  };
}

const templateRows = async (now: Date): Promise<Row[]> =>
  Promise.all(
    TEMPLATES.map(async ({ name, file_name, archive }) =>
      Object.assign(await describeArchive(file_name, archive), { name, updated_at: daysFrom(now, -300) }),
    ),
  );

/** Inserts the ZIPs one by one, because JSON can't hold bytes. */
async function insertArchives(): Promise<void> {
  for (const [index, { archive }] of TEMPLATES.entries()) {
    const id = index + 1;
    await execute('INSERT INTO template_archives (template_id, archive) VALUES ($id, $archive)', { id, archive });
  }
}

/** Puts the log of the past into the chain, before whatever is noted from now on. */
function addToLog(rows: readonly Logged[]): void {
  const running = current();
  if (!running) return;
  // Not spread: a large demo has more of them than a call takes arguments.
  const pending = pendingOf(running);
  for (const row of rows) pending.rows.push(row);
}

async function fill(size: number, now: Date): Promise<Domain[]> {
  const domains = Array.from({ length: size }, (_, index) => domainAt(index, now));
  const past = pastOf(domains, now);
  const tables: Record<string, Row[]> = {
    users: await userRows(now),
    telegram_links: telegramRows(now),
    ...teamRows(domains, now),
    ...(purchaseRows(now) as Record<string, Row[]>),
    templates: numbered(await templateRows(now), now),
    domains,
    domain_registrations: registrationRows(domains, now),
    ...positionRows(domains, webOf(domains, now), now),
    indexation_spans: indexRows(domains, now),
    ...past.tables,
  };
  await transaction(async () => {
    for (const [table, rows] of Object.entries(tables)) await insert(table, rows);
    await insertArchives();
    addToLog(past.log);
  });
  return domains;
}

/** Writes the demo's blocklist: its blocked names, and made-up ones. */
async function writeBlocklist(url: string, domains: readonly Domain[]): Promise<void> {
  const path = fileURLToPath(url);
  const listed = domains.flatMap(({ status, domain_name }) => (status === 'blocked' ? [domain_name] : []));
  const others = Array.from({ length: LISTED_BESIDES }, (_, index) => `listed-${index}.example`);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, `${[...listed, ...others].join('\n')}\n`);
}

/**
 * Creates the demo's database with a portfolio of `size` domains, its blocklist and deployed sites, and returns its world;
 * `root` is the folder that is `/` on its servers. Closes the database.
 */
export async function seedDemo(
  config: Config,
  { size, now, root }: { size: number; now: Date; root: string },
): Promise<Omit<World, 'frozen'>> {
  await openDatabase(config.databaseFile);
  try {
    await migrate();
    await openKeys(config);
    const domains = await fill(size, now);
    const sites = await deploySites(root, domains, now);
    await transaction(() => insert('sites', sites));
    await writeBlocklist(config.blocklistUrl, domains);
    const faults = domains.flatMap(({ domain_name }, index) => {
      const trouble = troubleOf(index);
      return trouble ? [[domain_name, trouble] as const] : [];
    });
    const outside = { cloudflare: cloudflareWorld(domains, now), registrars: shopStates(domains, now) };
    const search = searchStates(webOf(domains, now));
    return { size, ...outside, search, telegram: demoTelegram(now), sites: Object.fromEntries(faults) };
  } finally {
    await closeDatabase();
  }
}
