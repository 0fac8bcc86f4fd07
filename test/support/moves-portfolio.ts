// The initial state of the sites that move: rows, zones, and folders on the server.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setLastId } from '../../db/ids.ts';
import { execute } from '../../db/index.ts';
import type { CloudflareFake } from '../../src/demo/cloudflare.ts';
import type { Zone } from '../../src/demo/cloudflare/state.ts';
import { storeSecret } from '../../src/services/accounts/team.ts';
import { webRoot } from '../../src/shared/portfolio/domains.ts';
import { recordOf, SERVER_IP } from './cdn.ts';
import { cfAccount, KEY } from './cloudflare-state.ts';
import { sitePage } from './page-corpus.ts';
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
/** The password of the server's login. */
export const PASSWORD = 'ssh password';

/** Fills in what stays the same over all tests: the owner, the project, accounts, the server, the template. */
export async function fillTeam(): Promise<void> {
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
export async function fillDomains({ site = false, copy = false }): Promise<void> {
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

/** Makes the initial zones at Cloudflare. */
export function fillZones(fake: CloudflareFake): void {
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
export function fillFolders(root: string, site: boolean): void {
  rmSync(root, { recursive: true, force: true });
  for (const name of site ? [MAIN] : [MAIN, RESERVE, SPARE, OLDER]) {
    mkdirSync(join(root, webRoot(name)), { recursive: true });
    const page = sitePage(1, name).replace('<h1>', '<h1>The old site</h1><h1>');
    writeFileSync(join(root, webRoot(name), 'index.html'), page);
  }
}
