// Sites that move: a project with a main domain, a reserve and an older name; a fake Cloudflare, an SSH server and fake
// sites.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { DomainRow } from '../../src/shared/portfolio/tables.ts';
import type { OperationItemRow, OperationRow } from '../../src/shared/operations/tables.ts';
import type { TransferHistoryRow } from '../../src/shared/transfers/tables.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeDatabase, execute, select, transaction } from '../../db/index.ts';
import { openForCommand } from '../../src/cli/open.ts';
import { startCloudflare, type CloudflareFake } from '../../src/demo/cloudflare.ts';
import type { JournalEntry } from '../../src/demo/cloudflare/faults.ts';
import type { Zone } from '../../src/demo/cloudflare/state.ts';
import type { Trouble } from '../../src/demo/domains.ts';
import { startSites, type Sites } from '../../src/demo/sites.ts';
import { startSsh, type Ssh } from '../../src/demo/ssh.ts';
import type { Config } from '../../src/lib/config.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import { setBudget } from '../../src/providers/cloudflare/budget.ts';
import { flows } from '../../src/services/system/flows.ts';
import { SYSTEM } from '../../src/services/access/scope.ts';
import { storeSecret } from '../../src/services/accounts/team.ts';
import { setGate } from '../../src/services/transfers/gate.ts';
import { startTransfer } from '../../src/services/transfers/transfers.ts';
import { webRoot } from '../../src/shared/portfolio/domains.ts';
import type { StoredAct } from '../../src/shared/operations.ts';
import { recordOf, SERVER_IP } from './cdn.ts';
import { cfAccount, KEY, stateOfMany } from './cloudflare-state.ts';
import { sitePage } from './page-corpus.ts';
import { QUICK_GATE } from './quick-gate.ts';
import { setLastId } from '../../db/ids.ts';
import { newInstallation, removeInstallation, request } from './server.ts';
import { SITE, zipOf } from './zips.ts';

/** The domains at the start of every test: `OLDER` has moved to `MAIN` before and redirects to it. */
export const MAIN = 'main.com';
export const RESERVE = 'reserve.com';
export const OLDER = 'older.com';
/** A second reserve, which has no zone yet. */
export const SPARE = 'spare.com';
const IDS: Record<string, number> = { [MAIN]: 1, [RESERVE]: 2, [OLDER]: 3, [SPARE]: 4 };

/** Returns the ids of a transfer's two domains. */
export const pairOf = (source: string, target: string) => ({
  sourceDomainId: IDS[source] ?? 0,
  targetDomainId: IDS[target] ?? 0,
});

const at = '2026-01-01T00:00:00.000Z';
const PASSWORD = 'ssh password';

export interface Moves {
  config: Config;
  fake: CloudflareFake;
  ssh: Ssh;
  sites: Sites;
  /** Faults of the sites, by host. */
  troubles: Record<string, Trouble>;
  zone: (name: string) => Zone;
  domain: (name: string) => Promise<DomainRow>;
  history: () => Promise<TransferHistoryRow[]>;
  /** Queues a transfer; `run` runs a queued one to its end, in this process. */
  start: (
    source: string,
    target: string,
    more?: { force?: boolean; confirm_site?: string; idem_key?: string },
  ) => Promise<number>;
  run: (id: number) => Promise<OperationRow>;
  /** Returns the item of an operation, with the state of its acts by name. */
  item: (id: number) => Promise<{ state: string; error: string | null; acts: Record<string, StoredAct['state']> }>;
  /** Returns the response that a visitor gets who follows redirects, and the hosts on the way. */
  visit: (host: string) => Promise<{ status: number; hosts: string[]; text: string }>;
  /** Returns the calls that would change something in a zone. */
  writes: (zone: string) => JournalEntry[];
  /** Restores the initial state; with `site` the main domain's site is generated from a known page. */
  reset: (options?: { site?: boolean; copy?: boolean }) => Promise<void>;
  close: () => Promise<void>;
}

async function fill(): Promise<void> {
  await execute(`INSERT INTO users (login, password, role, active, created_at) VALUES ('owner', '', 'user', 1, $at)`, {
    at,
  });
  await execute(`INSERT INTO projects (user_id, name, created_at) VALUES (1, 'Project', $at)`, { at });
  await execute(
    `INSERT INTO servers (name, ssh_host, ssh_user, ssh_password, created_at) VALUES ('srv', $ip, 'root', '', $at)`,
    { ip: SERVER_IP, at },
  );
  await storeSecret('servers', 1, PASSWORD);
  for (const n of [1, 2]) {
    await execute(
      `INSERT INTO cloudflare_accounts (name, email, api_key, zones, cf_account_id, created_at)
       VALUES ('Account ' || $n, 'ops' || $n || '@example.net', '', 2, $cf, $at)`,
      { n, cf: cfAccount(n), at },
    );
    await storeSecret('cloudflare_accounts', n, KEY);
  }
  await execute(
    `INSERT INTO templates (name, created_at, updated_at, file_name) VALUES ('Template', $at, $at, 'site.zip')`,
    { at },
  );
  await execute('INSERT INTO template_archives (template_id, archive) VALUES (1, $archive)', { archive: zipOf(SITE) });
}

/** Fills the initial portfolio. */
async function fillDomains({ site = false, copy = false }): Promise<void> {
  for (const table of ['attachments', 'transfer_history', 'sites', 'operations', 'zone_levels', 'domains']) {
    await execute(`DELETE FROM ${table}`);
  }
  const rows = [
    { id: IDS[MAIN], name: MAIN, type: 'main', account: 1, server: 1 },
    { id: IDS[RESERVE], name: RESERVE, type: 'transfer', account: 2, server: null },
    { id: IDS[OLDER], name: OLDER, type: 'transfer', account: 1, server: null },
    { id: IDS[SPARE], name: SPARE, type: 'transfer', account: null, server: null },
  ];
  await execute(
    `INSERT INTO domains (id, user_id, project_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns,
       status, cloudflare_account_id, server_id, template_id, created_at, updated_at)
     SELECT CAST(value ->> 'id' AS INTEGER), 1, 1, value ->> 'name', value ->> 'name', $root || (value ->> 'name'),
       value ->> 'type', 'auto', $copy, 'available', CAST(value ->> 'account' AS INTEGER), CAST(value ->> 'server' AS INTEGER),
       CASE WHEN $site = 1 AND value ->> 'type' = 'main' THEN 1 END, $at, $at
     FROM json_each($rows)`,
    {
      rows: JSON.stringify(rows),
      root: webRoot(''),
      copy: copy ? 'on' : 'off',
      site: site ? 1 : 0,
      at,
    },
  );
  await setLastId('domains', rows.length);
  await execute(
    `INSERT INTO transfer_history (project_id, main_domain_id, transfer_domain_id, main_domain_name, transfer_domain_name,
       action, created_at) VALUES (1, $older, $main, '${OLDER}', '${MAIN}', 'explicit', $at)`,
    { older: IDS[OLDER], main: IDS[MAIN], at },
  );
  if (!site) return;
  await execute(
    `INSERT INTO sites (domain_id, template_id, html_name, html, release, deployed_at, updated_at)
     VALUES ($main, 1, 'page.html', '<title>Casino</title><body><h1>The site</h1></body>', 'x', $at, $at)`,
    { main: IDS[MAIN], at },
  );
}

/** Returns the targets of a zone's redirect rules. */
export const forwardsOf = ({ page_rules }: Zone): string[] =>
  page_rules.map(({ actions: [action] }) => (action as { value: { url: string } }).value.url);

const forwarding = (id: string, from: string, to: string): Zone['page_rules'][number] => ({
  id,
  targets: [{ target: 'url', constraint: { operator: 'matches', value: `*${from}/*` } }],
  actions: [{ id: 'forwarding_url', value: { url: `https://${to}/$2`, status_code: 301 } }],
  status: 'active',
  priority: 1,
  created_on: at,
  modified_on: at,
});

function fillZones(fake: CloudflareFake): void {
  for (const { id } of Object.values(fake.state.zones)) fake.removeZone(id);
  const add = (name: string, account: number, lines: string[]): Zone =>
    fake.addZone({
      name,
      account_id: cfAccount(account),
      status: 'active',
      records: lines.map((line, index) =>
        Object.assign(recordOf(name, line, index), { proxied: /^(A|CNAME) /.test(line) }),
      ),
    });
  add(MAIN, 1, [
    `A @ ${SERVER_IP}`,
    `A www ${SERVER_IP}`,
    `CNAME shop ${MAIN}`,
    `TXT @ "v=spf1 include:_spf.${MAIN} -all"`,
    'MX @ mail.example.net',
  ]).settings = {
    tls_1_3: { value: 'off', modified_on: at },
    security_level: { value: 'high', modified_on: at },
  };
  add(RESERVE, 2, ['A @ 198.51.100.7', 'TXT @ "google-site-verification=reserve"', 'MX @ mx.example.org']);
  add(OLDER, 1, ['A @ 198.51.100.9']).page_rules = [forwarding('9'.repeat(32), OLDER, MAIN)];
}

/** Writes the main domain's site by hand; without `site`, the reserves have a copy of it. */
function lay(root: string, site: boolean): void {
  rmSync(root, { recursive: true, force: true });
  for (const name of site ? [MAIN] : [MAIN, RESERVE, SPARE, OLDER]) {
    mkdirSync(join(root, webRoot(name)), { recursive: true });
    const page = sitePage(1, name).replace('<h1>', '<h1>The old site</h1><h1>');
    writeFileSync(join(root, webRoot(name), 'index.html'), page);
  }
}

/** Returns the response of a host as a browser gets it through the CDN, after at most five hops. */
async function visit(sites: Sites, host: string): Promise<{ status: number; hosts: string[]; text: string }> {
  const hosts = [host];
  for (;;) {
    const last = hosts.at(-1) ?? host;
    const answer = await request({ url: `http://127.0.0.1:${sites.port}` }, 'GET /', { headers: { host: last } });
    const { location } = answer.headers;
    if (answer.status !== 301 || !location || hosts.length > 5)
      return { status: answer.status, hosts, text: answer.text };
    hosts.push(new URL(location).hostname);
  }
}

async function itemOf(id: number): ReturnType<Moves['item']> {
  const [row] = await select<OperationItemRow>('SELECT * FROM operation_items WHERE operation_id = $id', { id });
  if (!row) throw new Error(`operation ${id} has no item`);
  const acts = JSON.parse(row.acts) as StoredAct[];
  const error = row.error === null ? null : (JSON.parse(row.error) as { key: string }).key;
  return { state: row.state, error, acts: Object.fromEntries(acts.map(({ name, state }) => [name, state])) };
}

/** Starts everything. Call `reset` before each test. */
export async function startMoves(): Promise<Moves> {
  const root = mkdtempSync(join(tmpdir(), 'moves-'));
  const troubles: Record<string, Trouble> = {};
  const fake = await startCloudflare({ state: stateOfMany(2), rateLimit: { calls: 1_000_000, seconds: 1 } });
  setBudget(fake.url, { calls: 1_000_000, seconds: 1 });
  const ssh = await startSsh({ root: join(root, 'tree'), logins: [{ user: 'root', password: PASSWORD }] });
  const sites = await startSites(troubles, { cloudflare: fake.state, root: ssh.root });
  const config = await newInstallation({
    cloudflareUrl: fake.url,
    allowPrivate: true,
    connectTo: `${SERVER_IP}:22:127.0.0.1:${ssh.port},::127.0.0.1:${sites.port}`,
    ca: sites.ca,
  });
  // For child processes.
  process.env['NODE_EXTRA_CA_CERTS'] = join(root, 'ca.pem');
  writeFileSync(join(root, 'ca.pem'), sites.ca);
  setGate(QUICK_GATE);
  await openForCommand(config, undefined);
  await transaction(fill);
  registerFlows(flows());
  const zone = (name: string): Zone => {
    const found = Object.values(fake.state.zones).find((one) => one.name === name);
    if (!found) throw new Error(`no zone ${name}`);
    return found;
  };
  return {
    config,
    fake,
    ssh,
    sites,
    troubles,
    zone,
    domain: async (name) => {
      const [row] = await select<DomainRow>('SELECT * FROM domains WHERE domain_name = $name', { name });
      if (!row) throw new Error(`no domain ${name}`);
      return row;
    },
    history: () =>
      select<TransferHistoryRow>('SELECT * FROM transfer_history WHERE operation_id IS NOT NULL ORDER BY id'),
    start: async (source, target, { force = false, confirm_site, idem_key } = {}) =>
      (await startTransfer(SYSTEM, { ...pairOf(source, target), force, confirm_site }, { idem_key })).id,
    run: (id) => runOperation(id),
    item: itemOf,
    visit: (host) => visit(sites, host),
    writes: (name) => {
      const { id } = zone(name);
      return fake.requests.filter(({ method, path }) => method !== 'GET' && path.startsWith(`/zones/${id}`));
    },
    reset: async (options = {}) => {
      fake.faults.length = 0;
      ssh.faults.length = 0;
      for (const host of Object.keys(troubles)) delete troubles[host];
      fillZones(fake);
      sites.certificates.clear();
      sites.deaf.clear();
      // Its former name servers also lead to this host.
      sites.secured.add(SPARE);
      lay(ssh.root, options.site ?? false);
      await transaction(() => fillDomains(options));
      fake.requests.length = 0;
    },
    close: async () => {
      delete process.env['NODE_EXTRA_CA_CERTS'];
      await closeDatabase();
      await Promise.all([fake.close(), ssh.close(), sites.close()]);
      await removeInstallation(config);
      rmSync(root, { recursive: true, force: true });
    },
  };
}
