// The expected answers of each route for objects of others; a route without a line fails the test.
import { form } from '../../support/server.ts';
import { zipFile } from '../../support/zips.ts';
import { newName } from '../calls.ts';
import { peopleDecisions } from './matrix-people.ts';
import { positionDecisions } from './matrix-positions.ts';
import { KEPT, RULE } from './matrix-outside.ts';
import {
  aboutDomain,
  aboutNames,
  ABSENT,
  ADMINS,
  deploys,
  foreignDomains,
  foreignIds,
  foreignOperations,
  host,
  IMPORTS,
  list,
  login,
  moves,
  NOBODYS,
  NOT_FOUND,
  pointings,
  projects,
  record,
  references,
  renewing,
  saving,
  savings,
  team,
  type Decision,
  type Probe,
} from './matrix-probes.ts';

/** Edits that give an own domain a project that is not the caller's. */
const bulkEdits = ({ kept }: Parameters<typeof foreignDomains>[0]): Probe[] =>
  [kept.project, kept.deletedProject, ABSENT].map((project_id) => ({
    relation: 'foreign project',
    body: { selection: { names: [newName()] }, act: { kind: 'edit', fields: { project_id } } },
    status: 422,
    error: 'Unknown project_id',
  }));

/** Names are sent to a domain that is not the caller's. */
const bulkWorks = (): Probe[] =>
  [newName(), newName()].map((name) => ({
    relation: 'absent domain',
    body: { selection: { names: [name] }, work: { kind: 'attach', to: name }, expected: '0-47DEQpj8HBSa-_TImW-5JC' },
    status: 422,
    error: 'Unknown to',
  }));

/** A selection by the filter of a project that is not the caller's has nothing; without a filter it has the caller's own alone. */
const ownChosen = ({ kept }: Parameters<typeof foreignDomains>[0]): Probe[] => [
  { relation: 'everything', body: { selection: { filter: {} } }, status: 200, own: true },
  {
    relation: 'foreign project',
    body: { selection: { filter: { project_id: kept.project } } },
    status: 200,
    own: true,
  },
];

/** The decision of every route by its name. */
export const DECISIONS: Record<string, Decision> = {
  'GET /api/health': NOBODYS,
  'GET /api/openapi.json': NOBODYS,
  'POST /api/login': NOBODYS,
  'POST /api/passkey_login/options': NOBODYS,
  'POST /api/passkey_login': NOBODYS,
  'POST /api/logout': NOBODYS,
  'GET /api/session': NOBODYS,
  'GET /api/setup': NOBODYS,
  'POST /api/setup': NOBODYS,
  'PUT /api/update_telegram': { none: 'it is about the caller alone' },
  'GET /api/telegram': { none: 'it is about the caller alone' },
  'POST /api/telegram': { none: 'it is about the caller alone' },
  'POST /api/telegram/confirm': { none: 'it is about the caller alone: codes of others in test/bot/linking.test.ts' },
  'POST /api/telegram/test': { none: 'it is about the caller alone' },
  'POST /api/telegram/unlink': { none: 'it is about the caller alone' },
  'GET /api/users': ADMINS,
  'POST /api/users': ADMINS,
  ...peopleDecisions,
  'GET /api/user_projects': list,
  'GET /api/project_pages/:ref': ({ kept, own }) => [
    ...foreignIds({ 'foreign project': kept.project, deleted: kept.deletedProject }),
    Object.assign({ relation: 'name of a foreign project', path: [encodeURIComponent(KEPT.project)] }, NOT_FOUND),
    { relation: 'own', path: [own.project], status: 200, own: true },
  ],
  'GET /api/projects/:id/timeline': ({ kept, own }) => [
    ...foreignIds({ 'foreign project': kept.project, deleted: kept.deletedProject }),
    { relation: 'own', path: [own.project], status: 200, own: true },
  ],
  'POST /api/projects': NOBODYS,
  'PUT /api/projects/:id': ({ kept }) =>
    foreignIds({ 'foreign project': kept.project, deleted: kept.deletedProject }, { name: 'Mine' }),
  'DELETE /api/projects/:id': ({ kept }) =>
    foreignIds({ 'foreign project': kept.project, deleted: kept.deletedProject }),
  'POST /api/projects/:id/restore': ({ kept }) =>
    foreignIds({ 'foreign project': kept.project, deleted: kept.deletedProject }, {}),
  'GET /api/project_domains/:projectId': ({ kept, own }) => [
    ...foreignIds({ 'foreign project': kept.project, deleted: kept.deletedProject }),
    { relation: 'own', path: [own.project], status: 200, own: true },
  ],
  'GET /api/auto_buy/:projectId': ({ kept, own }) => [
    ...foreignIds({ 'foreign project': kept.project, deleted: kept.deletedProject }),
    { relation: 'own', path: [own.project], status: 200, own: true },
  ],
  'POST /api/auto_buy/:projectId/plan': ({ kept, own }) => [
    ...foreignIds({ 'foreign project': kept.project, deleted: kept.deletedProject }, {}),
    { relation: 'own', path: [own.project], body: {}, status: 200, own: true },
  ],
  'POST /api/auto_buy/:projectId/run': ({ kept }) =>
    foreignIds(
      { 'foreign project': kept.project, deleted: kept.deletedProject },
      { domain_name: 'a.ru', price: '1', currency: 'RUB' },
    ),
  'POST /api/auto_buy': ({ kept, own }) => [
    ...Object.entries({ 'foreign project': kept.project, deleted: kept.deletedProject, absent: ABSENT }).map(
      ([relation, project_id]): Probe => ({ relation, body: { project_id, template: '{a|b}.ru' }, status: 422 }),
    ),
    { relation: 'own', body: { project_id: own.project, template: '{a|b}.ru' }, status: 200, own: true },
  ],
  'POST /api/auto_buy/marks': {
    none: 'a name that anybody has can’t be added either: it says that, and not whose it is',
  },
  'GET /api/project_unassigned_domains/:projectId': ({ kept, own }) => [
    ...foreignIds({ 'foreign project': kept.project, deleted: kept.deletedProject }),
    { relation: 'own', path: [own.project], status: 200, own: true },
  ],
  'GET /api/user_domains': list,
  'GET /api/dashboard': list,
  'GET /api/triage': list,
  'POST /api/triage/check': (world) =>
    Object.entries({ ...foreignDomains(world), absent: ABSENT }).map(([relation, id]): Probe => ({
      relation,
      body: { key: `domain:${id}` },
      status: 422,
    })),
  'GET /api/expiry_feed': NOBODYS,
  'POST /api/expiry_feed': NOBODYS,
  'DELETE /api/expiry_feed': NOBODYS,
  'GET /api/expiry.ics': {
    none: 'it gives the own domains of the user whose token it is: test/api/domains/expiry-feed',
  },
  'GET /api/expiry_calendar': { none: 'numbers of the caller’s own domains alone' },
  'GET /api/domains': ({ kept }) => [
    { relation: 'list', status: 200, own: true },
    { relation: 'foreign project', query: `?project_id=${kept.project}`, status: 200, own: true },
    { relation: 'foreign server', query: `?server_id=${kept.server}`, status: 200, own: true },
    { relation: 'search', query: '?search=kept&limit=50', status: 200, own: true },
  ],
  'GET /api/domains/:id': aboutDomain(),
  'GET /api/domains/:id/checks': aboutDomain(),
  'POST /api/domains/:id/check': (world) =>
    foreignIds({ ...foreignDomains(world), deleted: world.kept.deletedDomain }, {}),
  'GET /api/domains/:id/check_days': aboutDomain(),
  'GET /api/domains/:id/timeline': aboutDomain(),
  'GET /api/domain_pages/:name': () =>
    [KEPT.zone, 'nobody-has-it.example', 'no%20name'].map((name) =>
      Object.assign({ relation: 'foreign name', path: [name] }, NOT_FOUND),
    ),
  'GET /api/domains/:id/registration': aboutDomain(),
  'POST /api/domains/:id/registration': (world) =>
    foreignIds(foreignDomains(world), { decision: 'accept', date: '2040-01-01T00:00:00.000Z' }),
  'GET /api/domains/:id/why': aboutDomain(),
  'POST /api/domains/:id/why': (world) => foreignIds(foreignDomains(world), {}),
  'GET /api/domains/:id/certificates': aboutDomain(),
  'POST /api/domains': (world) => references(world, () => ({ domain_name: newName() })),
  'POST /api/domains/:id': (world) => [
    ...foreignIds({ ...foreignDomains(world), deleted: world.kept.deletedDomain }, { transfer_type: 'manual' }),
    ...references(world, () => ({}), [world.own.own]),
  ],
  'DELETE /api/domains/:id': (world) => foreignIds({ ...foreignDomains(world), deleted: world.kept.deletedDomain }),
  'GET /api/deleted_domains': () =>
    ['kept-deleted.com', KEPT.zone, 'nobody-has-it.example'].map((name) => ({
      relation: 'foreign name',
      query: `?domain_name=${name}`,
      status: 200,
      own: true,
    })),
  'POST /api/domains/:id/restore': (world) =>
    foreignIds({ ...foreignDomains(world), deleted: world.kept.deletedDomain }, {}),
  // A name of somebody else's is one that is not there: test/api/domains/bulk.test.ts.
  'POST /api/domains_bulk/plan': bulkEdits,
  'POST /api/domains_bulk': bulkEdits,
  'POST /api/domains_bulk/work/plan': bulkWorks,
  'POST /api/domains_bulk/work': bulkWorks,
  'POST /api/domains_bulk/names': ownChosen,
  'POST /api/domains_bulk/export': ownChosen,
  // Numbers of the audit: its first row is an administrator's. Edits of others in test/api/domains/bulk.test.ts.
  'POST /api/domains_bulk/:id/undo': () => foreignIds({ 'foreign decision': 1, absent: ABSENT }, {}),
  'GET /api/domains/:id/site': aboutDomain(),
  'POST /api/domains/:id/deploy': deploys,
  'POST /api/domains/:id/deploy/plan': deploys,
  'POST /api/site_previews': ({ kept }) =>
    [kept.zone, kept.reserve, kept.deletedDomain, ABSENT].map((domain_id) => ({
      relation: 'foreign domain',
      body: { template_id: kept.template, domain_name: newName(), domain_id },
      status: 422,
      error: 'Unknown domain_id',
    })),
  'GET /api/site_previews/:token/*path': ({ kept }) =>
    [String(kept.zone), kept.preview.split('/')[3]!.slice(0, -1), 'A'.repeat(22)].map((token) => ({
      relation: 'token that is not the victim’s',
      path: [token, 'index.html'],
      status: 404,
      code: 'not_found',
    })),
  'POST /api/imports/preview': () => [
    ...IMPORTS,
    // The name of a foreign project reveals nothing: the import would make a project of the caller's own.
    {
      relation: 'name of a foreign project',
      body: { text: `domain;project\n${newName()};${KEPT.project}` },
      status: 200,
      own: true,
      counts: { create: 1 },
    },
  ],
  'POST /api/imports': () => IMPORTS,
  'GET /api/imports': list,
  'POST /api/imports/:id/undo': ({ kept }) => foreignIds({ 'foreign import': kept.import }, {}),
  'GET /api/domains_export': ({ kept }) => [
    { relation: 'list', status: 200, own: true },
    { relation: 'foreign project', query: `?project_id=${kept.project}`, status: 200, own: true },
  ],
  'POST /api/trigger_background_task': () => [{ relation: 'own domains alone', body: {}, status: 200, own: true }],
  'POST /api/check_domains': { none: 'it looks names up in the public list, and keeps nothing' },
  'GET /api/blocklist': { none: 'the list is public' },
  'POST /api/blocklist': ADMINS,
  'POST /api/blocklist/accept': ADMINS,
  'POST /api/blocklist/rollback': ADMINS,
  'GET /api/operations': list,
  'GET /api/operations/:id': foreignOperations(),
  'GET /api/operations/:id/items': foreignOperations(),
  'POST /api/operations/:id/accept': foreignOperations({}),
  'POST /api/operations/:id/cancel': foreignOperations({}),
  'POST /api/operations/:id/retry': foreignOperations({}),
  'POST /api/operations/:id/restore': foreignOperations({}),
  'GET /api/events': { none: 'a stream of the caller’s own rows: events.test' },
  'GET /api/cloudflare_accounts': list,
  'POST /api/cloudflare_accounts': NOBODYS,
  'POST /api/cloudflare_accounts/test': NOBODYS,
  'POST /api/cloudflare_accounts/:id': team(({ kept }) => kept.account, login),
  'POST /api/cloudflare_accounts/:id/test': team(
    ({ kept }) => kept.account,
    () => ({}),
  ),
  'DELETE /api/cloudflare_accounts/:id': team(({ kept }) => kept.account),
  'GET /api/cloudflare_groups': list,
  'POST /api/cloudflare_groups': NOBODYS,
  'PUT /api/cloudflare_groups/:id': team(
    ({ kept }) => kept.group,
    () => ({ name: newName(), accounts: [] }),
  ),
  'DELETE /api/cloudflare_groups/:id': team(({ kept }) => kept.group),
  'GET /api/purchases': list,
  'GET /api/purchases/state': { none: 'whether anything is bought is every user’s to know' },
  'GET /api/purchases/:id': ({ kept }) => foreignIds({ 'foreign purchase': kept.purchase }),
  'POST /api/purchases/state': ADMINS,
  'POST /api/purchases/:id/approve': ADMINS,
  'POST /api/purchases/:id/resolve': ADMINS,
  'GET /api/budget': ADMINS,
  'PUT /api/budget': ADMINS,
  'GET /api/registrars': list,
  'POST /api/registrars': NOBODYS,
  'POST /api/registrars/test': NOBODYS,
  'POST /api/registrars/:id/test': team(
    ({ kept }) => kept.registrar,
    () => ({}),
  ),
  'GET /api/registrars/:id': ({ kept }) => [
    { relation: 'another’s, of which only one’s own domains are shown', path: [kept.registrar], status: 502 },
    { relation: 'nobody’s', path: [ABSENT], ...NOT_FOUND },
  ],
  'PUT /api/registrars/:id': team(
    ({ kept }) => kept.registrar,
    () => ({ name: newName() }),
  ),
  'DELETE /api/registrars/:id': team(({ kept }) => kept.registrar),
  'POST /api/check_index': ({ kept, own }) => [
    {
      relation: 'foreign domain beside one’s own',
      body: { domain_ids: [own.own, kept.zone] },
      status: 422,
      field: 'domain_ids',
    },
  ],
  'GET /api/domain_indexation/:domainId': aboutDomain(),
  'GET /api/xmlriver': list,
  'POST /api/xmlriver': NOBODYS,
  'POST /api/xmlriver/test': NOBODYS,
  'POST /api/xmlriver/:id/test': team(
    ({ kept }) => kept.xmlriver,
    () => ({}),
  ),
  'PUT /api/xmlriver/:id': team(
    ({ kept }) => kept.xmlriver,
    () => ({ name: newName() }),
  ),
  'DELETE /api/xmlriver/:id': team(({ kept }) => kept.xmlriver),
  'GET /api/arsenkin': list,
  'POST /api/arsenkin': NOBODYS,
  'POST /api/arsenkin/test': NOBODYS,
  'POST /api/arsenkin/:id/test': team(
    ({ kept }) => kept.arsenkin,
    () => ({}),
  ),
  'PUT /api/arsenkin/:id': team(
    ({ kept }) => kept.arsenkin,
    () => ({ name: newName() }),
  ),
  'DELETE /api/arsenkin/:id': team(({ kept }) => kept.arsenkin),
  ...positionDecisions,
  'GET /api/notices': list,
  'GET /api/notices/:id/subjects': ({ kept }) => foreignIds({ 'foreign notice': kept.notice }),
  'POST /api/notices/:id/acknowledge': ({ kept }) => foreignIds({ 'foreign notice': kept.notice }, {}),
  'POST /api/notices/test': NOBODYS,
  'GET /api/notice-preferences': NOBODYS,
  'PUT /api/notice-preferences': NOBODYS,
  'POST /api/notice-preferences/email': NOBODYS,
  'POST /api/notice-preferences/email/confirm': NOBODYS,
  'POST /api/notice-preferences/email/remove': NOBODYS,
  'GET /api/deliveries': ADMINS,
  'GET /api/webhooks': ADMINS,
  'POST /api/webhooks': ADMINS,
  'PUT /api/webhooks/:id': ADMINS,
  'DELETE /api/webhooks/:id': ADMINS,
  'GET /api/audit': ADMINS,
  'POST /api/audit/verify': ADMINS,
  'GET /api/audit_export': ADMINS,
  'POST /api/audit/:id/give_back': ADMINS,
  'GET /api/backups': ADMINS,
  'GET /api/schedules': ADMINS,
  'PUT /api/schedules/:name': ADMINS,
  'POST /api/schedules/:name/preview': ADMINS,
  'POST /api/schedules/:name/run': ADMINS,
  'GET /api/tables': ADMINS,
  'GET /api/columns/:table': ADMINS,
  'GET /api/tables/:table': ADMINS,
  'POST /api/tables/:table': ADMINS,
  'DELETE /api/tables/:table/:id': ADMINS,
  'POST /api/renewals/plan': renewing('ids', (ids) => ({ ids })),
  'POST /api/renewals': renewing('domains', (ids) => ({
    domains: ids.map((id) => ({ id, price: '1', currency: 'RUB', expires_at: '2027-02-13T21:00:00.000Z' })),
  })),
  'GET /api/servers': list,
  'POST /api/servers': NOBODYS,
  'PUT /api/servers/:id': team(({ kept }) => kept.server, host),
  'POST /api/servers/:id/test': ({ kept }) => [
    { relation: 'another’s, which the whole team may look at', path: [kept.server], body: {}, status: 200, own: true },
    { relation: 'nobody’s', path: [ABSENT], body: {}, ...NOT_FOUND },
  ],
  'POST /api/servers/:id/host_key': ({ kept }) =>
    [kept.server, ABSENT].map((id) => ({
      relation: 'any, for admins alone',
      path: [id],
      body: { dismiss: true },
      status: 403,
      code: 'forbidden',
    })),
  'DELETE /api/servers/:id': team(({ kept }) => kept.server),
  'GET /api/templates': list,
  'GET /api/templates/:id': ({ kept }) => [
    { relation: 'another’s, which the whole team uses', path: [kept.template], status: 200, own: true },
    { relation: 'nobody’s', path: [ABSENT], ...NOT_FOUND },
  ],
  'POST /api/templates': NOBODYS,
  'POST /api/templates/:id': team(
    ({ kept }) => kept.template,
    () => form({ name: newName(), template_file: zipFile() }),
  ),
  'DELETE /api/templates/:id': team(({ kept }) => kept.template),
  'GET /api/template_files/:token': ({ kept }) => [
    { relation: 'id instead of a link', path: [kept.template], ...NOT_FOUND },
    { relation: 'link that nobody has', path: ['A'.repeat(43)], ...NOT_FOUND },
  ],
  'POST /api/manage_dns': pointings,
  'POST /api/manage_dns/plan': pointings,
  'GET /api/domain_dns/:id': aboutNames(),
  'POST /api/domain_dns/:id': (world) => [
    ...foreignIds(foreignDomains(world), saving()),
    { relation: 'child', path: [world.own.child], body: saving(), status: 404, says: KEPT.zone },
    ...savings(world),
    {
      relation: 'record id of a foreign zone',
      asks: true,
      path: [world.own.own],
      body: saving(record('@', { id: world.kept.record })),
      status: 422,
      code: 'refused',
    },
  ],
  'POST /api/domain_dns/:id/plan': (world) => [
    ...foreignIds(foreignDomains(world), saving()),
    { relation: 'child', path: [world.own.child], body: saving(), status: 404, says: KEPT.zone },
    ...savings(world),
    { relation: 'all records of a parent', path: [world.own.parent], body: saving(), status: 200, own: true },
  ],
  'GET /api/domain_page_rules/:id': (world) => [
    ...foreignIds(foreignDomains(world)),
    ...[world.own.child, world.own.sibling, world.own.parent].map((id): Probe => ({
      relation: 'zone that is not the caller’s as a whole',
      asks: true,
      path: [id],
      status: 404,
      says: KEPT.zone,
    })),
    { relation: 'own', path: [world.own.own], status: 200, own: true },
  ],
  'DELETE /api/domain_page_rules/:domainId/:ruleId': (world) => [
    ...Object.values(foreignDomains(world)).map((id): Probe => ({
      relation: 'foreign domain',
      path: [id, RULE],
      status: 404,
      code: 'not_found',
    })),
    ...[world.own.child, world.own.sibling, world.own.parent, world.own.own].map((id): Probe => ({
      relation: 'rule of a foreign zone by a domain of one’s own',
      asks: true,
      path: [id, RULE],
      status: 404,
      says: KEPT.zone,
    })),
    { relation: 'id that is none', asks: true, path: [world.own.own, '..%2F..%2Fzones'], status: 404 },
  ],
  'GET /api/check_domain_redirect/:id': aboutDomain(),
  'POST /api/trigger_auto_transfer': projects,
  'POST /api/trigger_auto_transfer/plan': (world) => [
    ...projects(world),
    { relation: 'own', body: { project: world.own.project }, status: 200, own: true },
  ],
  'POST /api/transfer_explicit': moves,
  'POST /api/transfer_explicit/plan': moves,
  'GET /api/transfer_pages/:id': foreignOperations(),
  'POST /api/transfer_pages/:id/look': foreignOperations({}),
  'GET /api/domain_transfer_history/:id': aboutDomain(),
  'GET /api/transfer_decisions': ({ kept }) => [
    { relation: 'list', status: 200, own: true },
    { relation: 'foreign project', query: `?project=${kept.project}`, status: 200, own: true },
  ],
  'GET /api/domains-for-under-attack': list,
  'POST /api/manage-under-attack-mode-all': () => [
    { relation: 'own zones alone', body: { action: 'enable' }, status: 200, own: true },
    { relation: 'own zones alone', body: { action: 'disable' }, status: 200, own: true },
  ],
  'POST /api/update-all-domains-tls': () => [
    { relation: 'own zones alone', body: { state: 'off' }, status: 200, own: true },
  ],
};
