import { execute, select, transaction } from '../../db/index.ts';
import { routes } from '../../src/api/index.ts';
import { createPerson, form, PASSWORD, request, type Person, type TestServer } from '../support/server.ts';
import { isTurnOf } from '../support/vitest/turns.ts';
import { zipFile } from '../support/zips.ts';

/** How to make a valid call: its path and body, for an object of `owner`. */
export interface Line {
  /** Makes the object that the path names and returns its id, several as `projects/5`; absent for a path without an id. */
  object?: (server: TestServer, owner: Person) => Promise<number | string>;
  /** The object belongs to the team: others see it but may not change it. */
  team?: true;
  /** The object belongs to the team: others may make this call too. */
  shared?: true;
  /** The object is a person's alone: not even administrators may make this call for another. */
  own?: true;
  /** Returns a valid body, new at every call. */
  body?: () => unknown;
  /** The id fields of the body, each with a function that makes such an object for another person. */
  references?: Record<string, (server: TestServer, owner: Person) => Promise<number>>;
  /** The status for the owner; 200 by default. */
  answer?: number;
}

/** Waits until no operation is queued or running, as their writes would disturb comparisons of the tables. */
export async function settled(): Promise<void> {
  for (;;) {
    const rows = await select(`SELECT 1 FROM operations WHERE state IN ('queued', 'running')`);
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

let count = 0;
export const newName = (): string => `name-${++count}.example`;

async function post(server: TestServer, owner: Person, path: string, body: unknown): Promise<number> {
  const answer = await request(server, `POST /api/${path}`, { token: owner.token, body });
  return answer.body.data.id;
}

export const makeProject = (server: TestServer, owner: Person): Promise<number> =>
  post(server, owner, 'projects', { name: newName() });

export const makeDomain = (server: TestServer, owner: Person): Promise<number> =>
  post(server, owner, 'domains', { domain_name: newName() });

/** Makes a domain and returns its name. */
async function makeNamedDomain(server: TestServer, owner: Person): Promise<string> {
  const domain_name = newName();
  await post(server, owner, 'domains', { domain_name });
  return domain_name;
}

/** Inserts a notice about a domain. */
export async function addNotice(domain_id: number): Promise<number> {
  return transaction(async () => {
    const now = new Date().toISOString();
    const [made] = await select<{ id: number }>(
      `INSERT INTO notices (kind, level, cause, cause_name, subjects, open_subjects, told_at, opened_at, changed_at)
       VALUES ('domain_down', 'critical', '', '', 1, 1, $now, $now, $now) RETURNING id`,
      { now },
    );
    await execute(
      `INSERT INTO notice_subjects (notice_id, subject, domain_id, name, params, opened_at)
       VALUES ($id, 'domain', $domain_id, 'kept-notice.example', '{}', $now)`,
      { id: made!.id, domain_id, now },
    );
    return made!.id;
  });
}

const makeNotice = async (server: TestServer, owner: Person): Promise<number> =>
  addNotice(await makeDomain(server, owner));

const webhook = () => ({ name: newName(), url: 'https://hooks.example.com/a', levels: ['critical'], active: true });

// Webhooks are made by administrators alone.
const makeWebhook = (server: TestServer): Promise<number> => post(server, server.admin, 'webhooks', webhook());

const IN_DOUBT = '2040-01-01T00:00:00.000Z';

/** The row of the audit about an edit of a project. */
async function makeEdited(server: TestServer, owner: Person): Promise<number> {
  const project = await makeProject(server, owner);
  await request(server, `PUT /api/projects/${project}`, { token: owner.token, body: { name: newName() } });
  const [row] = await select<{ id: number }>('SELECT max(id) AS id FROM audit');
  return row?.id ?? 0;
}

/** A domain whose registry tells a date that a person has to look at. */
async function makeDomainInDoubt(server: TestServer, owner: Person): Promise<number> {
  const id = await makeDomain(server, owner);
  await transaction(() =>
    execute(
      `INSERT INTO domain_registrations (domain_id, looked_up_at, suspect_date, suspect_source, suspect_since)
       VALUES ($id, $now, $date, 'rdap', $now)`,
      { id, now: new Date().toISOString(), date: IN_DOUBT },
    ),
  );
  return id;
}

/** An account whose key check fails because nobody answers at the Cloudflare address. */
const cloudflareAccount = () => ({ name: newName(), email: 'a@example.com', api_key: 'key-0123456789' });
const sshServer = () => ({ name: newName(), ssh_host: '203.0.113.10', ssh_user: 'root', ssh_password: 'ssh secret' });

export const makeCloudflareAccount = (server: TestServer, owner: Person): Promise<number> =>
  post(server, owner, 'cloudflare_accounts', cloudflareAccount());

export const makeServer = (server: TestServer, owner: Person): Promise<number> =>
  post(server, owner, 'servers', sshServer());

/** A server whose port is closed, so that its test fails at once. */
const makeUnreachableServer = (server: TestServer, owner: Person): Promise<number> =>
  post(server, owner, 'servers', { ...sshServer(), ssh_host: '127.0.0.1:9' });

const registrar = () => ({ name: newName(), type: 'porkbun.com', login: 'key-1', password: 'secret-1' });

const makeRegistrar = (server: TestServer, owner: Person): Promise<number> =>
  post(server, owner, 'registrars', registrar());

const xmlriver = () => ({ name: newName(), login: '12345', key: 'key-0123456789' });
const arsenkin = () => ({ name: newName(), token: 'token-0123456789' });

const makeXmlriver = (server: TestServer, owner: Person): Promise<number> =>
  post(server, owner, 'xmlriver', xmlriver());
const makeArsenkin = (server: TestServer, owner: Person): Promise<number> =>
  post(server, owner, 'arsenkin', arsenkin());

const keywordIn = (project_id: number) => ({ keyword: newName(), project_id });

export async function makeKeyword(server: TestServer, owner: Person): Promise<number> {
  const body = keywordIn(await makeProject(server, owner));
  return (await request(server, 'POST /api/keywords', { token: owner.token, body })).body.id;
}

/** Returns the path of a call with an id in place of its first one, several as `projects/5`, and an engine. */
export function pathWith(path: string, id: number | string): string {
  const left = String(id).split('/');
  return path.replaceAll(/:\w+/g, (name) => left.shift() ?? (name === ':engine' ? 'yandex' : name));
}

const inTables = (): Promise<string> => Promise.resolve('projects');

const SETTINGS = {
  yandex_region: '213',
  google_region: '2643',
  device: 'mobile',
  depth: 30,
  daily_cap: 100,
  every_days: 1,
};

const template = (): FormData => form({ name: newName(), template_file: zipFile() });

export const makeTemplate = (server: TestServer, owner: Person): Promise<number> =>
  post(server, owner, 'templates', template());

async function makeCloudflareGroup(server: TestServer, owner: Person): Promise<number> {
  const body = { name: newName(), accounts: [await makeCloudflareAccount(server, owner)] };
  const answer = await request(server, 'POST /api/cloudflare_groups', { token: owner.token, body });
  return answer.body.id;
}

// No account has this name, so the call passes the authorization and is refused.
const pointing = () => ({
  accountId: 999_999,
  domainName: newName(),
  ipAddress: '203.0.113.10',
  tls: 'off',
  updateNs: 'off',
  plan: 'x',
});
// No domain has these ids.
const moving = () => ({ sourceDomainId: 999_998, targetDomainId: 999_999, plan: 'x', force: false });
const renewing = () => ({
  domains: [{ id: 999_999, price: '199.00', currency: 'RUB', expires_at: '2027-02-13T21:00:00.000Z' }],
});
const noRecords = () => ({ dns: [], copyOnTransfer: 'off', version: 'x', override: true });

const deleted =
  (path: string, make: (server: TestServer, owner: Person) => Promise<number>) =>
  async (server: TestServer, owner: Person): Promise<number> => {
    const id = await make(server, owner);
    await request(server, `DELETE /api/${path}/${id}`, { token: owner.token });
    return id;
  };

/** Inserts a finished check; with `held`, one that waits for a person. */
export async function makeOperation(owner: Person, held: object | null = null): Promise<number> {
  return transaction(async () => {
    const [row] = await select<{ id: number }>(
      `INSERT INTO operations (kind, subject, user_id, input, state, steps, message, held, created_at, finished_at)
       VALUES ('check', $subject, $user, '{"steps":["blocklist"]}', 'partial', '[]', '{"key":"check.started"}', $held, $now, $now) RETURNING id`,
      {
        subject: newName(),
        user: owner.id,
        held: held && JSON.stringify(held),
        now: new Date().toISOString(),
      },
    );
    return row?.id ?? 0;
  });
}

/** Inserts a transfer that has ended with one move between two names that are nobody's. */
async function makeTransfer(_: unknown, owner: Pick<Person, 'id'>): Promise<number> {
  return transaction(async () => {
    const now = new Date().toISOString();
    const [row] = await select<{ id: number }>(
      `INSERT INTO operations (kind, subject, user_id, input, state, steps, message, created_at, finished_at)
       VALUES ('transfer', $subject, $user, '{}', 'succeeded', '[]', '{"key":"transfer.started"}', $now, $now) RETURNING id`,
      { subject: newName(), user: owner.id, now },
    );
    const [source, target] = [newName(), newName()].map((name) => ({ id: 999_999, name, zone: name }));
    await execute(
      `INSERT INTO operation_items (operation_id, item, lane, data, state, acts, attempt, changed_at, lock_kind, lock_name, lock_part)
       VALUES ($id, $item, 'x', $data, 'done', '[]', 0, $now, 'transfer', $name, '')`,
      {
        id: row!.id,
        item: `transfer ${source!.name}`,
        data: JSON.stringify({ source, target }),
        name: source!.name,
        now,
      },
    );
    return row!.id;
  });
}

/** Inserts a purchase that holds nothing, in a state. */
export const makePurchase =
  (state: string) =>
  async (_: unknown, owner: Pick<Person, 'id'>): Promise<number> => {
    const [row] = await transaction(() =>
      select<{ id: number }>(
        `INSERT INTO purchases (kind, domain_name, state, registrar_type, user_id, asked_by, years, currency, price, periods, day,
           reference, created_at, changed_at)
         VALUES ('register', $name, $state, 'porkbun.com', $user, 'person', 1, 'USD', 1000, '[]', '2026-11-23', $name, $now, $now)
         RETURNING id`,
        { name: newName(), state, user: owner.id, now: new Date().toISOString() },
      ),
    );
    return row?.id ?? 0;
  };

const heldOperation = (_: TestServer, owner: Person): Promise<number> =>
  makeOperation(owner, { count: 9, total: 10, list_version: 'x' });

async function makeImport(server: TestServer, owner: Person): Promise<number> {
  const body = { text: newName() };
  const answer = await request(server, 'POST /api/imports', { token: owner.token, body });
  return answer.body.import.id;
}

// The name is nobody's: nothing changes.
const bulkEdit = () => ({
  selection: { names: [newName()] },
  act: { kind: 'edit', fields: { transfer_type: 'manual' } },
});

// The hash of no domains: src/services/portfolio/bulk.ts.
const NONE_CHOSEN = '0-47DEQpj8HBSa-_TImW-5JC';
const bulkWork = () => ({ selection: { names: [newName()] }, work: { kind: 'check' } });
const bulkChosen = () => ({ selection: { names: [newName()] } });

/** An edit of many domains, here of one, that can be taken back. */
async function makeBulk(server: TestServer, owner: Person): Promise<number> {
  const domain_name = newName();
  await request(server, 'POST /api/domains', { token: owner.token, body: { domain_name } });
  const body = { ...bulkEdit(), selection: { names: [domain_name] } };
  const answer = await request(server, 'POST /api/domains_bulk', { token: owner.token, body });
  return answer.body.data.undo;
}

/** A further session of a person, which nobody holds a token of. */
async function makeSession(_server: TestServer, owner: Person): Promise<number> {
  const now = new Date();
  const expires = new Date(now.getTime() + 3_600_000).toISOString();
  const [row] = await transaction(() =>
    select<{ id: number }>(
      `INSERT INTO sessions (user_id, sid_hash, address, created_at, last_seen_at, expires_at)
       VALUES ($user, $hash, '192.0.2.1', $now, $now, $expires) RETURNING id`,
      { user: owner.id, hash: newName(), now: now.toISOString(), expires },
    ),
  );
  return row?.id ?? 0;
}

const makeToken = (server: TestServer, owner: Person): Promise<number> =>
  post(server, owner, 'tokens', { name: newName() });

const makeView = (server: TestServer, owner: Person): Promise<number> =>
  post(server, owner, 'list_views', { list: 'sites', name: newName(), query: 'status=blocked' });

const makeUser = async (server: TestServer): Promise<number> => (await createPerson(server)).id;

async function makePasskey(_server: TestServer, owner: Person): Promise<number> {
  const [row] = await transaction(() =>
    select<{ id: number }>(
      `INSERT INTO passkeys (user_id, name, rp_id, credential_id, public_key, counter, transports, created_at)
       VALUES ($user, 'key', 'localhost', $credential, '', 0, '[]', $now) RETURNING id`,
      { user: owner.id, credential: newName(), now: new Date().toISOString() },
    ),
  );
  return row?.id ?? 0;
}

const ownPassword = () => ({ password: PASSWORD });
const noKey = () => ({ id: 'a', rawId: 'a', type: 'public-key', response: {} });

const blocklist = (): FormData => form({ blocklist_file: new File(['blocked.example\nother.example\n'], 'list.txt') });

/** Every call of the API. The authorization test fails for a route without a line and for a line without a route. */
export const CALLS: Record<string, Line> = {
  'GET /api/health': {},
  'GET /api/openapi.json': {},
  'POST /api/login': { body: () => ({ login: 'admin', password: PASSWORD }) },
  'POST /api/passkey_login/options': { body: () => ({}) },
  'POST /api/passkey_login': { body: () => ({ challenge: 'x', assertion: noKey() }), answer: 401 },
  'POST /api/logout': { body: () => ({}) },
  'GET /api/session': {},
  'GET /api/setup': { answer: 404 },
  'POST /api/setup': { body: () => ({ token: 'x', login: 'second', password: PASSWORD }), answer: 404 },
  'PUT /api/update_telegram': { body: () => ({ telegram: 'someone' }) },
  'GET /api/telegram': {},
  'POST /api/telegram': { body: () => ({}) },
  'POST /api/telegram/confirm': { body: () => ({ code: 'ABCD2345' }), answer: 422 },
  'POST /api/telegram/test': { body: () => ({}), answer: 503 },
  'POST /api/telegram/unlink': { body: ownPassword, answer: 404 },
  'GET /api/users': {},
  'POST /api/users': { body: () => ({ login: newName(), password: PASSWORD }) },
  'PUT /api/password': { body: () => ({ current: PASSWORD, password: PASSWORD, sign_out: false }) },
  'GET /api/sessions': {},
  'DELETE /api/sessions': {},
  'DELETE /api/sessions/:id': { object: makeSession, own: true },
  'GET /api/tokens': {},
  'POST /api/tokens': { body: () => ({ name: newName() }) },
  'DELETE /api/tokens/:id': { object: makeToken, own: true },
  'GET /api/list_settings/:list': { object: () => Promise.resolve('sites'), shared: true },
  'PUT /api/list_settings/:list': {
    object: () => Promise.resolve('sites'),
    shared: true,
    body: () => ({ density: 'compact' }),
  },
  'POST /api/list_views': { body: () => ({ list: 'sites', name: newName(), query: '' }) },
  'POST /api/list_views/:id': { object: makeView, own: true, body: () => ({ name: newName() }) },
  'DELETE /api/list_views/:id': { object: makeView, own: true },
  'GET /api/second_factor': {},
  'POST /api/second_factor/totp': { body: ownPassword },
  'POST /api/second_factor/totp/confirm': { body: () => ({ code: '00000' }), answer: 422 },
  'POST /api/second_factor/totp/remove': { body: ownPassword, answer: 409 },
  'POST /api/second_factor/recovery_codes': { body: ownPassword },
  'POST /api/passkeys/options': { body: ownPassword },
  'POST /api/passkeys': { body: () => ({ challenge: 'x', name: newName(), response: noKey() }), answer: 422 },
  'POST /api/passkeys/:id/remove': { object: makePasskey, own: true, body: ownPassword },
  'GET /api/second_factor/policy': {},
  'PUT /api/second_factor/policy': { body: () => ({ second_factor: 'optional' }) },
  'PUT /api/users/:id': { object: makeUser, team: true, body: () => ({ active: false }) },
  'POST /api/users/:id/password': { object: makeUser, team: true, body: () => ({}) },
  'DELETE /api/users/:id/sessions': { object: makeUser, team: true },
  'DELETE /api/users/:id/second_factor': { object: makeUser, team: true },
  'GET /api/user_projects': {},
  'GET /api/project_pages/:ref': { object: makeProject },
  'GET /api/projects/:id/timeline': { object: makeProject },
  'POST /api/projects': { body: () => ({ name: 'P' }) },
  'PUT /api/projects/:id': { object: makeProject, body: () => ({ name: 'Q' }) },
  'DELETE /api/projects/:id': { object: makeProject },
  'POST /api/projects/:id/restore': { object: deleted('projects', makeProject), body: () => ({}) },
  'GET /api/project_domains/:projectId': { object: makeProject },
  'GET /api/project_unassigned_domains/:projectId': { object: makeProject },
  'GET /api/auto_buy/:projectId': { object: makeProject },
  'POST /api/auto_buy': {
    body: () => ({ project_id: 999_999, template: '{a|b}.ru' }),
    references: { project_id: makeProject },
    answer: 422,
  },
  'POST /api/auto_buy/marks': { body: () => ({ names: ['a.ru'] }) },
  'POST /api/auto_buy/:projectId/plan': { object: makeProject, body: () => ({}) },
  'POST /api/auto_buy/:projectId/run': {
    object: makeProject,
    body: () => ({ domain_name: 'a.ru', price: '1', currency: 'RUB' }),
    answer: 422,
  },
  'GET /api/user_domains': {},
  'GET /api/dashboard': {},
  'GET /api/triage': {},
  // Nothing has this cause.
  'POST /api/triage/check': { body: () => ({ key: 'server:999999' }), answer: 422 },
  'GET /api/expiry_calendar': {},
  'GET /api/expiry_feed': {},
  'POST /api/expiry_feed': { body: () => ({}) },
  'DELETE /api/expiry_feed': {},
  'GET /api/expiry.ics': { answer: 404 },
  'GET /api/domains': {},
  'GET /api/domains/:id': { object: makeDomain },
  'GET /api/domains/:id/checks': { object: makeDomain },
  'POST /api/domains/:id/check': { object: makeDomain, body: () => ({}) },
  'GET /api/domains/:id/check_days': { object: makeDomain },
  'GET /api/domains/:id/timeline': { object: makeDomain },
  'GET /api/domain_pages/:name': { object: makeNamedDomain },
  'GET /api/domains/:id/registration': { object: makeDomain },
  'POST /api/domains/:id/registration': {
    object: makeDomainInDoubt,
    body: () => ({ decision: 'ignore', date: IN_DOUBT }),
  },
  'GET /api/domains/:id/why': { object: makeDomain },
  'POST /api/domains/:id/why': { object: makeDomain, body: () => ({}) },
  'GET /api/domains/:id/certificates': { object: makeDomain },
  'POST /api/domains': { body: () => ({ domain_name: newName() }), references: { project_id: makeProject } },
  'POST /api/domains/:id': {
    object: makeDomain,
    body: () => ({ domain_name: newName() }),
    references: { project_id: makeProject },
  },
  'DELETE /api/domains/:id': { object: makeDomain },
  'GET /api/deleted_domains': {},
  'POST /api/domains/:id/restore': { object: deleted('domains', makeDomain), body: () => ({}) },
  'GET /api/domains/:id/site': { object: makeDomain },
  // The domain has no site; sites/deployed.test covers deployments.
  'POST /api/domains/:id/deploy': { object: makeDomain, body: () => ({}), answer: 422 },
  'POST /api/domains/:id/deploy/plan': { object: makeDomain, body: () => ({}), answer: 422 },
  // There is no such template.
  'POST /api/site_previews': { body: () => ({ template_id: 999_999, domain_name: newName() }), answer: 422 },
  'GET /api/site_previews/:token/*path': { object: makeDomain, answer: 404 },
  'POST /api/imports/preview': { body: () => ({ text: newName() }) },
  'POST /api/imports': { body: () => ({ text: newName() }) },
  'GET /api/imports': {},
  'POST /api/imports/:id/undo': { object: makeImport, body: () => ({}) },
  'GET /api/domains_export': {},
  'POST /api/domains_bulk/plan': { body: bulkEdit },
  'POST /api/domains_bulk/work/plan': { body: bulkWork },
  // No domain has the name.
  'POST /api/domains_bulk/work': { body: () => ({ ...bulkWork(), expected: NONE_CHOSEN }), answer: 422 },
  'POST /api/domains_bulk/names': { body: bulkChosen },
  'POST /api/domains_bulk/export': { body: bulkChosen },
  'POST /api/domains_bulk': { body: bulkEdit },
  'POST /api/domains_bulk/:id/undo': { object: makeBulk, body: () => ({}) },
  'POST /api/trigger_background_task': { body: () => ({}) },
  'POST /api/check_domains': { body: () => ({ domains: [{ domain: 'example.com' }] }) },
  'GET /api/blocklist': {},
  'POST /api/blocklist': { body: blocklist },
  // No list is in doubt, and there is no former one.
  'POST /api/blocklist/accept': { body: () => ({}), answer: 409 },
  'POST /api/blocklist/rollback': { body: () => ({}), answer: 409 },
  'GET /api/operations': {},
  'GET /api/operations/:id': { object: (_, owner) => makeOperation(owner) },
  'POST /api/operations/:id/accept': { object: heldOperation, body: () => ({}) },
  'GET /api/operations/:id/items': { object: (_, owner) => makeOperation(owner) },
  // The operation has ended and has no items.
  'POST /api/operations/:id/cancel': { object: (_, owner) => makeOperation(owner), body: () => ({}), answer: 409 },
  'POST /api/operations/:id/retry': { object: (_, owner) => makeOperation(owner), body: () => ({}), answer: 409 },
  'POST /api/operations/:id/restore': { object: (_, owner) => makeOperation(owner), body: () => ({}), answer: 409 },
  'GET /api/events': {},
  'GET /api/cloudflare_accounts': {},
  'POST /api/cloudflare_accounts': { body: cloudflareAccount },
  'POST /api/cloudflare_accounts/:id': { object: makeCloudflareAccount, team: true, body: cloudflareAccount },
  'POST /api/cloudflare_accounts/test': { body: () => ({ email: 'a@example.com', api_key: 'key-0123456789' }) },
  'POST /api/cloudflare_accounts/:id/test': { object: makeCloudflareAccount, team: true, body: () => ({}) },
  'DELETE /api/cloudflare_accounts/:id': { object: makeCloudflareAccount, team: true },
  'GET /api/cloudflare_groups': {},
  'POST /api/cloudflare_groups': { body: () => ({ name: newName(), accounts: [] }) },
  'PUT /api/cloudflare_groups/:id': {
    object: makeCloudflareGroup,
    team: true,
    body: () => ({ name: newName(), accounts: [] }),
  },
  'DELETE /api/cloudflare_groups/:id': { object: makeCloudflareGroup, team: true },
  'GET /api/purchases': {},
  'GET /api/purchases/state': {},
  'GET /api/purchases/:id': { object: makePurchase('unknown') },
  'POST /api/purchases/state': { body: () => ({ state: 'off' }) },
  'POST /api/purchases/:id/approve': { object: makePurchase('awaiting_approval'), team: true },
  'POST /api/purchases/:id/resolve': {
    object: makePurchase('unknown'),
    team: true,
    body: () => ({ outcome: 'not_bought' }),
  },
  'GET /api/budget': {},
  'PUT /api/budget': {
    body: () => ({ caps: [{ scope: 'all', scope_id: 0, currency: 'USD', amount: '10.00' }] }),
  },
  'GET /api/registrars': {},
  'POST /api/registrars': { body: registrar },
  'POST /api/registrars/test': { body: () => ({ type: 'porkbun.com', login: 'key-1', password: 'secret-1' }) },
  'POST /api/registrars/:id/test': { object: makeRegistrar, team: true, body: () => ({}) },
  // No service answers in these tests.
  'GET /api/registrars/:id': { object: makeRegistrar, shared: true, answer: 502 },
  'PUT /api/registrars/:id': { object: makeRegistrar, team: true, body: registrar },
  'DELETE /api/registrars/:id': { object: makeRegistrar, team: true },
  // No domain has this id.
  'POST /api/check_index': { body: () => ({ domain_ids: [999_999] }), answer: 422 },
  'GET /api/domain_indexation/:domainId': { object: makeDomain },
  'GET /api/xmlriver': {},
  'POST /api/xmlriver': { body: xmlriver },
  'POST /api/xmlriver/test': { body: () => ({ login: '12345', key: 'key-0123456789' }) },
  'POST /api/xmlriver/:id/test': { object: makeXmlriver, team: true, body: () => ({}) },
  'PUT /api/xmlriver/:id': { object: makeXmlriver, team: true, body: xmlriver },
  'DELETE /api/xmlriver/:id': { object: makeXmlriver, team: true },
  'GET /api/arsenkin': {},
  'POST /api/arsenkin': { body: arsenkin },
  'POST /api/arsenkin/test': { body: () => ({ token: 'token-0123456789' }) },
  'POST /api/arsenkin/:id/test': { object: makeArsenkin, team: true, body: () => ({}) },
  'PUT /api/arsenkin/:id': { object: makeArsenkin, team: true, body: arsenkin },
  'DELETE /api/arsenkin/:id': { object: makeArsenkin, team: true },
  'GET /api/keywords/:projectId': { object: makeProject },
  // No project has this id.
  'POST /api/keywords': { body: () => keywordIn(999_999), references: { project_id: makeProject }, answer: 422 },
  'PUT /api/keywords/:id': { object: makeKeyword, body: () => ({ tags: ['main'], target_url: '', frequency: 10 }) },
  'DELETE /api/keywords/:id': { object: makeKeyword },
  'GET /api/position/:domainId/:engine': { object: makeDomain },
  'GET /api/position/:projectId/:engine/:keywordId': { object: makeProject, answer: 404 },
  'POST /api/fetch-positions': {
    body: () => ({ projectId: 999_999, keywordId: null, type: 'yandex' }),
    references: { projectId: makeProject },
    answer: 422,
  },
  'GET /api/project_positions/:projectId/:engine': { object: makeProject },
  'GET /api/position_cost/:projectId/:engine': { object: makeProject },
  'GET /api/position_caps': {},
  'GET /api/position_settings/:projectId': { object: makeProject },
  'PUT /api/position_settings/:projectId': { object: makeProject, body: () => SETTINGS },
  'GET /api/position_spending': {},
  'GET /api/position_moves': {},
  'GET /api/position_failures/:operationId': { object: (_, owner) => makeOperation(owner) },
  'GET /api/search_results/:projectId/:engine/:keywordId': { object: makeProject, answer: 404 },
  'POST /api/renewals/plan': { body: () => ({ ids: [999_999] }), answer: 422 },
  'POST /api/renewals': { body: renewing, answer: 422 },
  'GET /api/notices': {},
  'GET /api/notices/:id/subjects': { object: makeNotice },
  'POST /api/notices/:id/acknowledge': { object: makeNotice, body: () => ({}) },
  'POST /api/notices/test': { body: () => ({ channel: 'email' }), answer: 422 },
  'GET /api/notice-preferences': {},
  'PUT /api/notice-preferences': { body: () => ({ escalate_after: 20 }) },
  'POST /api/notice-preferences/email': { body: () => ({ email: 'a@example.com' }), answer: 503 },
  'POST /api/notice-preferences/email/confirm': { body: () => ({ code: '00000000' }), answer: 422 },
  'POST /api/notice-preferences/email/remove': { body: ownPassword },
  'GET /api/deliveries': {},
  'GET /api/webhooks': {},
  'POST /api/webhooks': { body: webhook },
  'PUT /api/webhooks/:id': { object: makeWebhook, team: true, body: webhook },
  'DELETE /api/webhooks/:id': { object: makeWebhook, team: true },
  'GET /api/audit': {},
  'POST /api/audit/verify': { body: () => ({}) },
  'GET /api/audit_export': {},
  'POST /api/audit/:id/give_back': { object: makeEdited, body: () => ({}), team: true },
  'GET /api/backups': {},
  'GET /api/schedules': {},
  'PUT /api/schedules/:name': {
    object: async () => 'expiry',
    body: () => ({ jitter_seconds: (count += 1) }),
    team: true,
  },
  'POST /api/schedules/:name/preview': { object: async () => 'expiry', body: () => ({}), team: true },
  'POST /api/schedules/:name/run': { object: async () => 'heartbeat', body: () => ({}), team: true },
  'GET /api/tables': {},
  'GET /api/columns/:table': { object: inTables, team: true },
  'GET /api/tables/:table': { object: inTables, team: true },
  'POST /api/tables/:table': { object: inTables, team: true, body: () => ({ name: newName() }) },
  'DELETE /api/tables/:table/:id': {
    object: async (server, owner) => `projects/${await makeProject(server, owner)}`,
    team: true,
  },
  'GET /api/servers': {},
  'POST /api/servers': { body: sshServer },
  'PUT /api/servers/:id': { object: makeServer, team: true, body: sshServer },
  'POST /api/servers/:id/test': { object: makeUnreachableServer, shared: true, body: () => ({}) },
  // The server has no new key to decide on.
  'POST /api/servers/:id/host_key': { object: makeServer, team: true, body: () => ({ dismiss: true }), answer: 409 },
  'DELETE /api/servers/:id': { object: makeServer, team: true },
  'GET /api/templates': {},
  'GET /api/templates/:id': { object: makeTemplate, shared: true },
  'POST /api/templates': { body: template },
  'POST /api/templates/:id': { object: makeTemplate, team: true, body: template },
  'DELETE /api/templates/:id': { object: makeTemplate, team: true },
  // An id is not a link; templates/links.test covers links.
  'GET /api/template_files/:token': { object: makeTemplate, answer: 404 },
  'POST /api/manage_dns': { body: pointing, answer: 422 },
  'POST /api/manage_dns/plan': { body: pointing, answer: 422 },
  // The domain has no CDN account; dns.test covers the calls outside.
  'GET /api/domain_dns/:id': { object: makeDomain, answer: 409 },
  'POST /api/domain_dns/:id': { object: makeDomain, body: noRecords, answer: 409 },
  'POST /api/domain_dns/:id/plan': { object: makeDomain, body: noRecords, answer: 409 },
  'GET /api/domain_page_rules/:id': { object: makeDomain, answer: 409 },
  'DELETE /api/domain_page_rules/:domainId/:ruleId': { object: makeDomain, answer: 409 },
  'GET /api/check_domain_redirect/:id': { object: makeDomain },
  'POST /api/trigger_auto_transfer': {
    body: () => ({ project: 999_999 }),
    references: { project: makeProject },
    answer: 422,
  },
  'POST /api/trigger_auto_transfer/plan': {
    body: () => ({ project: 999_999 }),
    references: { project: makeProject },
    answer: 422,
  },
  'POST /api/transfer_explicit': { body: moving, references: { sourceDomainId: makeDomain }, answer: 422 },
  'POST /api/transfer_explicit/plan': { body: moving, references: { sourceDomainId: makeDomain }, answer: 422 },
  'GET /api/transfer_pages/:id': { object: makeTransfer },
  'POST /api/transfer_pages/:id/look': { object: makeTransfer, body: () => ({}) },
  'GET /api/domain_transfer_history/:id': { object: makeDomain },
  'GET /api/transfer_decisions': {},
  'GET /api/domains-for-under-attack': {},
  'POST /api/manage-under-attack-mode-all': { body: () => ({ action: 'enable' }) },
  'POST /api/update-all-domains-tls': { body: () => ({ state: 'off' }) },
};

const nounOf = ({ path }: { path: string }): string => path.split('/')[2] ?? '';
const nouns = [...new Set(routes.map(nounOf))];

/** The routes that are called on the database of this project: those of a noun together, because one may need what another has made. */
export const routesInTurn = routes.filter((route) => isTurnOf(nouns.indexOf(nounOf(route))));
