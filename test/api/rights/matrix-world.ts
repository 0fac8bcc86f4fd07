// Two users whose zones, folders and work lie beside, above and below each other's, with the demo's Cloudflare and SSH server.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execute, select, transaction } from '../../../db/index.ts';
import { startSsh, type Ssh } from '../../../src/demo/ssh.ts';
import { SERVER_IP, startCdn, type Cdn } from '../../support/cdn.ts';
import { createPerson, form, request, type Answer, type Person } from '../../support/server.ts';
import { zipFile } from '../../support/zips.ts';
import { makeOperation } from '../calls.ts';

export const RULE = 'a'.repeat(32);

/** Names and texts that only the victim may see. */
export const KEPT = {
  project: 'Kept plan',
  zone: 'kept-zone.com',
  reserve: 'kept-reserve.com',
  sibling: 'kept.shared-zone.com',
  deep: 'kept.later-zone.com',
  folder: '/srv/kept/folder',
  other: '/srv/kept-other/folder',
  record: 'kept-record-text',
  address: '198.51.100.77',
  rule: 'kept-target.com',
  page: 'kept page text',
  password: 'kept password',
};

/** Domain ids by their relation to the domains of the other user. */
export interface Domains {
  /** In a zone of one's own. */
  own: number;
  /** Below the victim's zone. */
  child: number;
  /** Beside the victim's name in a zone that nobody holds. */
  sibling: number;
  /** Above the victim's name, and added later. */
  parent: number;
  /** Rows of an older version, by another server row of the victim's host: in the victim's folder, below it and above it. */
  sameFolder: number;
  belowFolder: number;
  aboveFolder: number;
}

export interface Matrix {
  cdn: Cdn;
  ssh: Ssh;
  victim: Person;
  attacker: Person;
  /** Ids of the victim's objects. */
  kept: {
    project: number;
    deletedProject: number;
    zone: number;
    reserve: number;
    sibling: number;
    deep: number;
    deletedDomain: number;
    operation: number;
    held: number;
    queued: number;
    import: number;
    account: number;
    group: number;
    server: number;
    template: number;
    record: string;
    preview: string;
  };
  /** Ids of the attacker's objects. */
  own: Domains & { project: number; server: number; reserve: number };
  ask: (person: Person, call: string, body?: unknown) => Promise<Answer>;
  /** Returns the state of the victim's objects, in our rows and outside, as text. */
  ofVictim: () => Promise<string>;
  /** Returns the whole state outside as text. */
  outside: () => string;
  /** Waits for work that the attacker has started, which would disturb the comparisons. */
  settled: () => Promise<void>;
  close: () => Promise<void>;
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [`${path} ${statSync(path).mode} ${readFileSync(path, 'utf8')}`];
  });

const forwarding = (zone: string) => ({
  id: RULE,
  targets: [{ target: 'url' as const, constraint: { operator: 'matches', value: `*${zone}/*` } }],
  actions: [{ id: 'forwarding_url', value: { url: `https://${KEPT.rule}/$2`, status_code: 301 } }],
  priority: 1,
  status: 'active' as const,
  created_on: '2026-01-01T00:00:00Z',
  modified_on: '2026-01-01T00:00:00Z',
});

/** Starts the world. Everything is made through the API, except rows that this version refuses. */
export async function startMatrix(): Promise<Matrix> {
  const root = mkdtempSync(join(tmpdir(), 'seo-admin-matrix-'));
  const ssh = await startSsh({
    root,
    logins: ['kept password', 'own password'].map((password) => ({ user: 'root', password })),
  });
  const cdn = await startCdn({}, 1, { connectTo: 'host.example.com::127.0.0.1:' });
  const [victim, attacker] = [await createPerson(cdn.server), await createPerson(cdn.server)];
  const ask: Matrix['ask'] = (person, call, body) =>
    request(cdn.server, call, { token: person.token, ...(body !== undefined && { body }) });
  const good = async (person: Person, call: string, body?: unknown) => {
    const answer = await ask(person, call, body);
    if (answer.status !== 200) throw new Error(`${call}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const made = async (person: Person, path: string, body: unknown): Promise<number> =>
    (await good(person, `POST /api/${path}`, body)).data.id as number;
  const [account] = cdn.accounts;
  const cloudflare_account_id = account;

  const records = [`A @ ${KEPT.address}`, `TXT @ ${KEPT.record}`];
  cdn.addZone(KEPT.zone, [...records, 'A x 198.51.100.2']).page_rules.push(forwarding(KEPT.zone));
  cdn.addZone(KEPT.reserve, records);
  cdn.addZone('shared-zone.com', [`A kept ${KEPT.address}`, 'A own 198.51.100.2', 'A @ 198.51.100.3']);
  cdn.addZone('later-zone.com', [`A kept ${KEPT.address}`, 'A @ 198.51.100.2']);
  cdn.zone('later-zone.com').page_rules.push(forwarding('later-zone.com'));
  cdn.addZone('own-zone.com', ['A @ 198.51.100.2']);
  cdn.addZone('own-reserve.com', ['A @ 198.51.100.2']);

  const host = (ssh_password: string) => ({ ssh_user: 'root', ssh_password });
  const server = await made(victim, 'servers', {
    ...host(KEPT.password),
    name: 'One',
    ssh_host: `127.0.0.1:${ssh.port}`,
  });
  const second = await made(attacker, 'servers', {
    ...host('own password'),
    name: 'Two',
    ssh_host: `host.example.com:${ssh.port}`,
  });
  for (const id of [server, second]) await ask(victim, `POST /api/servers/${id}/test`, {});
  for (const folder of [KEPT.folder, KEPT.other]) {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, 'index.html'), KEPT.page);
  }
  const template = await made(victim, 'templates', form({ name: 'Kept template', template_file: zipFile() }));
  const html_file = new File([`<title>x</title><body>${KEPT.page}</body>`], 'page.html', { type: 'text/html' });

  const project = await made(victim, 'projects', { name: KEPT.project });
  const base = { cloudflare_account_id, project_id: project };
  const zone = await made(victim, 'domains', {
    ...base,
    domain_name: KEPT.zone,
    server_id: server,
    file_path: KEPT.folder,
  });
  const site = { template_id: String(template), html_file, deploy: 'off' };
  await good(victim, `POST /api/domains/${zone}`, form(site));
  const reserve = await made(victim, 'domains', {
    ...base,
    domain_name: KEPT.reserve,
    type: 'transfer',
    server_id: server,
    file_path: KEPT.other,
  });
  const sibling = await made(victim, 'domains', { ...base, domain_name: KEPT.sibling });
  const deep = await made(victim, 'domains', { ...base, domain_name: KEPT.deep });
  const deletedDomain = await made(victim, 'domains', { domain_name: 'kept-deleted.com' });
  await good(victim, `DELETE /api/domains/${deletedDomain}`);
  const deletedProject = await made(victim, 'projects', { name: `${KEPT.project} deleted` });
  await good(victim, `DELETE /api/projects/${deletedProject}`);
  const imported = (await good(victim, 'POST /api/imports', { text: 'kept-imported.com' })).import.id as number;
  const login = { name: 'Kept account', email: 'kept@example.net', api_key: 'kept-key-0123456789' };
  const keptAccount = await made(victim, 'cloudflare_accounts', login);
  const group = (await good(victim, 'POST /api/cloudflare_groups', { name: 'Kept group', accounts: [keptAccount] })).id;
  const preview = await good(victim, 'POST /api/site_previews', {
    template_id: template,
    domain_name: KEPT.zone,
    domain_id: zone,
  });
  const changed = await good(victim, 'POST /api/manage_dns', pointing(account, KEPT.reserve));
  await cdn.ended(changed.operation.id);
  const held = await makeOperation(victim, { count: 9, total: 10, list_version: 'x' });
  const queued = await makeOperation(victim);
  // The operation stays queued: its lease belongs to a process that does not exist.
  await transaction(() =>
    execute(
      `UPDATE operations SET state = 'queued', finished_at = NULL, lease_owner = 'x', lease_until = '2999' WHERE id = $queued`,
      { queued },
    ),
  );

  const ownProject = await made(attacker, 'projects', { name: 'Own' });
  const mine = { cloudflare_account_id, project_id: ownProject };
  const add = (domain_name: string, more: object = {}) => made(attacker, 'domains', { ...mine, domain_name, ...more });
  const own: Domains = {
    own: await add('own-zone.com', { server_id: second, file_path: '/srv/own-folder' }),
    child: await add(`x.${KEPT.zone}`, { type: 'transfer' }),
    sibling: await add('own.shared-zone.com'),
    parent: await add('later-zone.com'),
    sameFolder: await add('same-folder.com'),
    belowFolder: await add('below-folder.com'),
    aboveFolder: await add('above-folder.com'),
  };
  const ownReserve = await add('own-reserve.com', { type: 'transfer' });
  // Rows of an older version, which accepted foreign folders; the victim's claim is the earlier one.
  for (const [id, path] of [
    [own.sameFolder, KEPT.other],
    [own.belowFolder, `${KEPT.other}/below`],
    [own.aboveFolder, '/srv/kept-other'],
  ] as const) {
    await good(attacker, `POST /api/domains/${id}`, form({ template_id: String(template), html_file, deploy: 'off' }));
    await transaction(() =>
      execute('UPDATE domains SET server_id = $second, file_path = $path WHERE id = $id', { second, path, id }),
    );
  }
  const record = cdn.zone(KEPT.zone).records[0]!.id;

  const zonesOf = (names: string[]): unknown => names.map((name) => cdn.zone(name));
  const outside = (): string => JSON.stringify([cdn.fake.state.zones, filesIn(root)]);
  const settled = async (): Promise<void> => {
    const open = `SELECT 1 FROM operations WHERE state IN ('queued', 'running') AND id <> $queued`;
    while ((await select(open, { queued })).length > 0) await sleep(30);
  };
  return {
    cdn,
    ssh,
    settled,
    victim,
    attacker,
    ask,
    kept: {
      project,
      deletedProject,
      zone,
      reserve,
      sibling,
      deep,
      deletedDomain,
      operation: changed.operation.id,
      held,
      queued,
      import: imported,
      account: keptAccount,
      group,
      server,
      template,
      record,
      preview: preview.url,
    },
    own: { ...own, project: ownProject, server: second, reserve: ownReserve },
    outside,
    ofVictim: async () => {
      const rows = await Promise.all(
        [
          'projects',
          'domains',
          'operations',
          'imports',
          'servers',
          'templates',
          'cloudflare_accounts',
          'cloudflare_groups',
        ].map((table) => select(`SELECT * FROM ${table} WHERE user_id = $user ORDER BY id`, { user: victim.id })),
      );
      const items = await select(
        `SELECT i.* FROM operation_items i JOIN operations o ON o.id = i.operation_id WHERE o.user_id = $user ORDER BY i.id`,
        { user: victim.id },
      );
      const names = cdn.zone('shared-zone.com').records.filter(({ name }) => name === KEPT.sibling);
      const below = cdn.zone('later-zone.com').records.filter(({ name }) => name === KEPT.deep);
      const folder = [KEPT.folder, KEPT.other].map((path) => filesIn(join(root, path)));
      // Anybody in the team may test a server, which writes these fields.
      return JSON.stringify(
        [rows, items, zonesOf([KEPT.zone, KEPT.reserve]), names, below, folder],
        (key, value: unknown) => (key === 'checked_at' || key === 'check_error' ? undefined : value),
      );
    },
    close: async () => {
      await settled();
      await cdn.close();
      await ssh.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** The body that points a name at our server, as the dialog sends it. */
export const pointing = (accountId: number | undefined, domainName: string, more: object = {}) => ({
  accountId,
  domainName,
  ipAddress: SERVER_IP,
  tls: 'on',
  updateNs: 'off',
  ...more,
});
