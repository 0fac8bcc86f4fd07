import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { acting, SYSTEM_ASKER } from '../../db/acting.ts';
import { closeDatabase, execute, executeUnaudited, openDatabase, transaction } from '../../db/index.ts';
import { migrate } from '../../db/migrate.ts';
import type { Config } from '../lib/config.ts';
import { hashPassword } from '../lib/password.ts';
import { seal } from '../lib/secret.ts';
import { openKeys } from '../services/access/keys.ts';
import { describeArchive } from '../services/sites/templates.ts';
import { DEMO_USERS } from '../shared/demo.ts';
import { checkRows, dayRows } from './checks.ts';
import { deploySites } from './deployed.ts';
import { daysFrom, domainAt, MOVES, troubleOf } from './domains.ts';
import { ARSENKIN, indexRows, positionRows, searchStates, webOf, XMLRIVER } from './positions.ts';
import { registrationRows } from './registrations.ts';
import { shopStates } from './shops.ts';
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

/** Rows of the CDN accounts. An account with a wrong key has no results of a test. */
function accountRows(domains: readonly Domain[]): Row[] {
  return ACCOUNTS.map(({ name, email, key, stored, name_servers }, index) => {
    const id = index + 1;
    const api_key = sealed('cloudflare_accounts', 'api_key', id, stored);
    const [ns_1, ns_2] = key === stored ? name_servers : [null, null];
    const zones = domains.filter(({ cloudflare_account_id }) => cloudflare_account_id === id).length;
    const cf_account_id = key === stored ? accountId(id) : null;
    return { name, email, api_key, ns_1, ns_2, cf_account_id, zones: key === stored ? zones : null };
  });
}

const named = ({ user_id, name }: { user_id: number; name: string }) => ({ user_id, name });

function teamRows(domains: readonly Domain[], now: Date): Record<string, Row[]> {
  const servers = SERVERS.map(({ name, ssh_host }, index) => {
    return { name, ssh_host, ssh_user: 'root', ssh_password: sealed('servers', 'ssh_password', index + 1) };
  });
  const registrars = REGISTRARS.map(({ stored, ...registrar }, index) =>
    Object.assign({ password: sealed('registrars', 'password', index + 1, stored) }, registrar),
  );
  const xmlriver = XMLRIVER.map(({ name, login, key, balance }, index) => ({
    name,
    login,
    key: sealed('xmlriver_accounts', 'key', index + 1, key),
    balance: (balance / 1000).toFixed(2),
    balance_currency: 'RUB',
    checked_at: daysFrom(now, -0.1),
  }));
  const arsenkin = ARSENKIN.map(({ name, token, limits }, index) => ({
    name,
    token: sealed('arsenkin_accounts', 'token', index + 1, token),
    balance: String(limits),
    balance_currency: 'limits',
    checked_at: daysFrom(now, -0.1),
  }));
  const pairs = GROUPS.flatMap(({ accounts }, index) =>
    accounts.map((id) => ({ cloudflare_group_id: index + 1, cloudflare_account_id: id })),
  );
  return {
    servers: numbered(servers, now),
    cloudflare_accounts: numbered(accountRows(domains), now),
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

/** Past transfers of projects, a month apart, from each name to the next; none if the portfolio is too small for all its names. */
function moveRows(domains: readonly Domain[], now: Date): Row[] {
  return MOVES.flatMap(({ left, now: arrived }) => {
    const way = [...left, arrived].flatMap((index) => domains[index] ?? []);
    if (way.length <= left.length) return [];
    return way.slice(1).map((to, step) => ({
      project_id: to.project_id,
      main_domain_id: way[step]?.id,
      transfer_domain_id: to.id,
      main_domain_name: way[step]?.domain_name,
      transfer_domain_name: to.domain_name,
      action: step % 3 === 1 ? 'auto' : 'explicit',
      created_at: daysFrom(now, -30 * (left.length - step) - 9),
    }));
  });
}

async function fill(size: number, now: Date): Promise<Domain[]> {
  const domains = Array.from({ length: size }, (_, index) => domainAt(index, now));
  const tables = {
    users: await userRows(now),
    telegram_links: telegramRows(now),
    ...teamRows(domains, now),
    ...(purchaseRows(now) as Record<string, Row[]>),
    templates: numbered(await templateRows(now), now),
    domains: domains as Row[],
    domain_registrations: registrationRows(domains, now) as Row[],
    checks: checkRows(domains, now),
    check_days: dayRows(domains, now),
    transfer_history: moveRows(domains, now),
    ...positionRows(domains, webOf(domains, now), now),
    indexation_spans: indexRows(domains, now),
  };
  await transaction(async () => {
    for (const [table, rows] of Object.entries(tables)) await insert(table, rows);
    await insertArchives();
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
    await acting(SYSTEM_ASKER, { name: 'system', call: 'demo' }, () => deploySites(root, domains));
    await writeBlocklist(config.blocklistUrl, domains);
    const sites = domains.flatMap(({ domain_name }, index) => {
      const trouble = troubleOf(index);
      return trouble ? [[domain_name, trouble] as const] : [];
    });
    const outside = { cloudflare: cloudflareWorld(domains, now), registrars: shopStates(domains, now) };
    const search = searchStates(webOf(domains, now));
    return { size, ...outside, search, telegram: demoTelegram(now), sites: Object.fromEntries(sites) };
  } finally {
    await closeDatabase();
  }
}
