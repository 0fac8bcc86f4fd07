// The objects of the two users. Everything is made through the API, except rows that this version refuses.
import { execute, transaction } from '../../../db/index.ts';
import type { Ssh } from '../../../src/demo/ssh.ts';
import { SERVER_IP, type Cdn } from '../../support/cdn.ts';
import { form, request, type Answer, type Person } from '../../support/server.ts';
import { zipFile } from '../../support/zips.ts';
import { addNotice, makeOperation, makePurchase } from '../calls.ts';
import { KEPT } from './matrix-outside.ts';

/** The users, and what they reach. */
export interface Users {
  cdn: Cdn;
  ssh: Ssh;
  victim: Person;
  attacker: Person;
}

/** Ids of the victim's objects. */
export interface Kept extends KeptDomains, KeptTeam {
  deletedProject: number;
  operation: number;
  held: number;
  queued: number;
  purchase: number;
  import: number;
  record: string;
  preview: string;
}

interface KeptDomains {
  keyword: number;
  project: number;
  zone: number;
  reserve: number;
  sibling: number;
  deep: number;
  deletedDomain: number;
  notice: number;
}

interface KeptTeam {
  account: number;
  registrar: number;
  xmlriver: number;
  arsenkin: number;
  group: number;
  server: number;
  template: number;
}

/** Domain ids by their relation to the domains of the other user. */
interface Domains {
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

/** Ids of the attacker's objects. */
export interface Own extends Domains {
  project: number;
  server: number;
  reserve: number;
}

/** Makes a call as a person. */
export const ask = ({ server }: Cdn, { token }: Person, call: string, body?: unknown): Promise<Answer> =>
  request(server, call, { token, ...(body !== undefined && { body }) });

/** Makes a call that must succeed; returns the body of its answer. */
async function good(cdn: Cdn, person: Person, call: string, body?: unknown) {
  const answer = await ask(cdn, person, call, body);
  if (answer.status !== 200) throw new Error(`${call}: ${answer.status} ${answer.text}`);
  return answer.body;
}

const made = async (cdn: Cdn, person: Person, path: string, body: unknown): Promise<number> =>
  (await good(cdn, person, `POST /api/${path}`, body)).data.id as number;

/** The body that points a name at our server, as the dialog sends it. */
export const pointing = (accountId: number | undefined, domainName: string, more: object = {}) => ({
  accountId,
  domainName,
  ipAddress: SERVER_IP,
  tls: 'on',
  updateNs: 'off',
  ...more,
});

/** The form that gives a domain the site of a template, without deploying it. */
const siteOf = (template: number): FormData =>
  form({
    template_id: String(template),
    html_file: new File([`<title>x</title><body>${KEPT.page}</body>`], 'page.html', { type: 'text/html' }),
    deploy: 'off',
  });

/** Adds a server of a person, whose host key the victim's test accepts. */
async function addServer({ cdn, victim }: Users, owner: Person, fields: object): Promise<number> {
  const id = await made(cdn, owner, 'servers', { ssh_user: 'root', ...fields });
  await ask(cdn, victim, `POST /api/servers/${id}/test`, {});
  return id;
}

async function addKeptTeam(users: Users): Promise<KeptTeam> {
  const { cdn, ssh, victim } = users;
  const host = { ssh_host: `127.0.0.1:${ssh.port}`, ssh_password: KEPT.password };
  const server = await addServer(users, victim, { name: 'One', ...host });
  const template = await made(cdn, victim, 'templates', form({ name: 'Kept template', template_file: zipFile() }));
  const login = { name: 'Kept account', email: 'kept@example.net', api_key: 'kept-key-0123456789' };
  const account = await made(cdn, victim, 'cloudflare_accounts', login);
  const body = { name: 'Kept group', accounts: [account] };
  const group = (await good(cdn, victim, 'POST /api/cloudflare_groups', body)).id as number;
  const shop = { name: 'Kept registrar', type: 'porkbun.com', login: 'kept-key', password: 'kept-secret-0123' };
  const registrar = await made(cdn, victim, 'registrars', shop);
  const river = { name: 'Kept river', login: '4711', key: 'kept-river-0123' };
  const xmlriver = await made(cdn, victim, 'xmlriver', river);
  const arsenkin = await made(cdn, victim, 'arsenkin', { name: 'Kept arsenkin', token: 'kept-token-0123' });
  return { server, template, account, group, registrar, xmlriver, arsenkin };
}

async function addKeptDomains({ cdn, victim }: Users, { server, template }: KeptTeam): Promise<KeptDomains> {
  const project = await made(cdn, victim, 'projects', { name: KEPT.project });
  const add = (domain_name: string, more: object = {}) =>
    made(cdn, victim, 'domains', {
      cloudflare_account_id: cdn.accounts[0],
      project_id: project,
      domain_name,
      ...more,
    });
  const zone = await add(KEPT.zone, { server_id: server, file_path: KEPT.folder });
  await good(cdn, victim, `POST /api/domains/${zone}`, siteOf(template));
  const reserve = await add(KEPT.reserve, { type: 'transfer', server_id: server, file_path: KEPT.other });
  const sibling = await add(KEPT.sibling);
  const deep = await add(KEPT.deep);
  const deletedDomain = await made(cdn, victim, 'domains', { domain_name: 'kept-deleted.com' });
  await good(cdn, victim, `DELETE /api/domains/${deletedDomain}`);
  const { id: keyword } = await good(cdn, victim, 'POST /api/keywords', { keyword: 'kept word', project_id: project });
  const notice = await addNotice(zone);
  return { project, zone, reserve, sibling, deep, deletedDomain, notice, keyword: keyword as number };
}

/** Inserts an operation that stays queued: its lease belongs to a process that does not exist. */
async function addQueued(owner: Person): Promise<number> {
  const id = await makeOperation(owner);
  await transaction(() =>
    execute(
      `UPDATE operations SET state = 'queued', finished_at = NULL, lease_owner = 'x', lease_until = '2999' WHERE id = $id`,
      { id },
    ),
  );
  return id;
}

/** Adds the victim's objects. */
export async function addKept(users: Users): Promise<Kept> {
  const { cdn, victim } = users;
  const team = await addKeptTeam(users);
  const domains = await addKeptDomains(users, team);
  const deletedProject = await made(cdn, victim, 'projects', { name: `${KEPT.project} deleted` });
  await good(cdn, victim, `DELETE /api/projects/${deletedProject}`);
  const imported = await good(cdn, victim, 'POST /api/imports', { text: 'kept-imported.com' });
  const preview = await good(cdn, victim, 'POST /api/site_previews', {
    template_id: team.template,
    domain_name: KEPT.zone,
    domain_id: domains.zone,
  });
  const changed = await good(cdn, victim, 'POST /api/manage_dns', pointing(cdn.accounts[0], KEPT.reserve));
  await cdn.ended(changed.operation.id);
  return {
    ...team,
    ...domains,
    deletedProject,
    operation: changed.operation.id,
    held: await makeOperation(victim, { count: 9, total: 10, list_version: 'x' }),
    queued: await addQueued(victim),
    purchase: await makePurchase('unknown')(cdn, victim),
    import: imported.import.id,
    record: cdn.zone(KEPT.zone).records[0]!.id,
    preview: preview.url,
  };
}

/** Adds the attacker's objects. */
export async function addOwn(users: Users, { template }: Kept): Promise<Own> {
  const { cdn, ssh, attacker } = users;
  const host = { ssh_host: `host.example.com:${ssh.port}`, ssh_password: 'own password' };
  const server = await addServer(users, attacker, { name: 'Two', ...host });
  const project = await made(cdn, attacker, 'projects', { name: 'Own' });
  const mine = { cloudflare_account_id: cdn.accounts[0], project_id: project };
  const add = (domain_name: string, more: object = {}) =>
    made(cdn, attacker, 'domains', { ...mine, domain_name, ...more });
  const domains: Domains = {
    own: await add('own-zone.com', { server_id: server, file_path: '/srv/own-folder' }),
    child: await add(`x.${KEPT.zone}`, { type: 'transfer' }),
    sibling: await add('own.shared-zone.com'),
    parent: await add('later-zone.com'),
    sameFolder: await add('same-folder.com'),
    belowFolder: await add('below-folder.com'),
    aboveFolder: await add('above-folder.com'),
  };
  const reserve = await add('own-reserve.com', { type: 'transfer' });
  // Rows of an older version, which accepted foreign folders; the victim's claim is the earlier one.
  for (const [id, path] of [
    [domains.sameFolder, KEPT.other],
    [domains.belowFolder, `${KEPT.other}/below`],
    [domains.aboveFolder, '/srv/kept-other'],
  ] as const) {
    await good(cdn, attacker, `POST /api/domains/${id}`, siteOf(template));
    await transaction(() =>
      execute('UPDATE domains SET server_id = $server, file_path = $path WHERE id = $id', { server, path, id }),
    );
  }
  return { ...domains, project, server, reserve };
}
