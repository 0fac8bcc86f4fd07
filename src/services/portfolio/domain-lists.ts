import { dataVersion, select } from '../../../db/index.ts';
import type {
  DomainCounts,
  DomainDetail,
  DomainFilter,
  DomainView,
  UserDomain,
} from '../../shared/portfolio/domains.ts';
import type { ListOf, Paging } from '../../shared/lists.ts';
import { AppError, notFound, noSuch, unknownReference } from '../../shared/errors.ts';
import { filters } from './filters.ts';
import type { JsonText } from './json.ts';
import { keptList } from './kept-lists.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';

// `hostOf` of shared/accounts/servers.ts in SQL: the host without the port, which is for SSH only.
const SERVER_IP = `CASE WHEN s.ssh_host LIKE '[%' THEN substr(s.ssh_host, 2, instr(s.ssh_host, ']') - 2)
  WHEN length(replace(s.ssh_host, ':', '')) = length(s.ssh_host) - 1 THEN substr(s.ssh_host, 1, instr(s.ssh_host, ':') - 1)
  ELSE s.ssh_host END`;

/**
 * The SQL expression of each field of a DomainView. SQLite itself builds the JSON of lists, which spares an object for
 * each row.
 */
const VIEW = {
  id: 'd.id',
  domain_name: 'd.domain_name',
  unicode_name: 'd.unicode_name',
  file_path: 'd.file_path',
  type: 'd.type',
  transfer_type: 'd.transfer_type',
  transfer_dns: 'd.transfer_dns',
  server_id: 'd.server_id',
  server_name: 's.name',
  server_ip: SERVER_IP,
  cloudflare_account_id: 'd.cloudflare_account_id',
  cloudflare_account_name: 'c.name',
  registrars_id: 'd.registrars_id',
  registrar_type: 'r.type',
  project_id: 'd.project_id',
  project_name: 'p.name',
  user_login: 'u.login',
  template_id: 'd.template_id',
  status: 'd.status',
  block_entry: 'd.block_entry',
  last_block_check_at: 'd.last_block_check_at',
  http_status_code: 'd.http_status_code',
  http_error: 'd.http_error',
  last_http_check_at: 'd.last_http_check_at',
  google_indexation: 'd.google_indexation',
  yandex_indexation: 'd.yandex_indexation',
  last_check_indexation: 'd.last_check_indexation',
  created_at: 'd.created_at',
  updated_at: 'd.updated_at',
  expired_at: 'd.expired_at',
} satisfies Record<keyof DomainView, string>;

/** VIEW, and the fields that only a single domain is shown with. */
const DETAIL = {
  ...VIEW,
  html_file: `(SELECT nullif(html_name, '') FROM sites WHERE domain_id = d.id)`,
  release: '(SELECT release FROM sites WHERE domain_id = d.id)',
  deployed_at: '(SELECT deployed_at FROM sites WHERE domain_id = d.id)',
} satisfies Record<keyof DomainDetail, string>;

const USER_DOMAIN: (keyof UserDomain)[] = [
  'id',
  'domain_name',
  'unicode_name',
  'project_id',
  'project_name',
  'transfer_type',
  'type',
  'status',
  'last_block_check_at',
  'http_status_code',
  'http_error',
  'last_http_check_at',
  'created_at',
  'expired_at',
  'registrar_type',
];
const BOOLEANS = new Set<string>(['google_indexation', 'yandex_indexation']);

const JOINS: Record<string, string> = {
  p: 'LEFT JOIN projects p ON p.id = d.project_id',
  u: 'LEFT JOIN users u ON u.id = COALESCE(p.user_id, d.user_id)',
  s: 'LEFT JOIN servers s ON s.id = d.server_id',
  c: 'LEFT JOIN cloudflare_accounts c ON c.id = d.cloudflare_account_id',
  r: 'LEFT JOIN registrars r ON r.id = d.registrars_id',
};

/** Returns only the joins that an expression refers to: SQLite would look up the others as well when it counts rows. */
function joinsFor(expression: string): string {
  const needed = new Set([...expression.matchAll(/\b([puscr])\./g)].map(([, alias = '']) => alias));
  if (needed.has('u')) needed.add('p');
  return Object.entries(JOINS)
    .filter(([alias]) => needed.has(alias))
    .map(([, join]) => join)
    .join(' ');
}

const jsonObject = (fields: (keyof DomainDetail)[]): string =>
  `json_object(${fields
    .map((field) =>
      BOOLEANS.has(field)
        ? `'${field}', json(CASE ${DETAIL[field]} WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE 'null' END)`
        : `'${field}', ${DETAIL[field]}`,
    )
    .join(', ')})`;

/** Filters of a list, besides the caller's visibility. */
export interface DomainSelection {
  status?: DomainFilter;
  project_id?: number;
  server_id?: number;
  type?: 'main' | 'transfer';
}

interface Where {
  sql: string;
  bind: Record<string, unknown>;
}

function where(actor: Actor, selection: DomainSelection, search?: string): Where {
  const conditions = [VISIBLE.domains(actor), filters()[selection.status ?? 'all']];
  const bind = bindings(actor);
  if (selection.project_id !== undefined) {
    conditions.push('d.project_id = $project');
    bind['project'] = selection.project_id;
  }
  if (selection.server_id !== undefined) {
    conditions.push('d.server_id = $server');
    bind['server'] = selection.server_id;
  }
  if (selection.type) {
    conditions.push('d.type = $type');
    bind['type'] = selection.type;
  }
  if (search) {
    // An IDN is found both as people read it and in punycode; SQLite ignores the case of Latin letters only. In the
    // list of one project its name is not searched: it would match all.
    const ofProject = selection.project_id === undefined ? ` OR p.name LIKE $text ESCAPE '\\'` : '';
    conditions.push(`(d.domain_name LIKE $search ESCAPE '\\' OR d.unicode_name LIKE $search ESCAPE '\\'${ofProject})`);
    bind['search'] = `%${escapeLike(search.toLowerCase())}%`;
    if (ofProject !== '') bind['text'] = `%${escapeLike(search)}%`;
  }
  return { sql: conditions.join(' AND '), bind };
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** ORDER BY of a `sort` parameter, a field or `-field`; ties by id, so that pages don't overlap. */
function order(sort: string | undefined): string {
  if (!sort) return 'd.id';
  const descending = sort.startsWith('-');
  const field = descending ? sort.slice(1) : sort;
  if (!Object.hasOwn(VIEW, field)) {
    throw new AppError('invalid', 'error.invalid', { fields: 'sort' }, { fields: { sort: 'error.invalid_value' } });
  }
  // NULL comes last in both directions: a person who sorts by expiry looks for dates.
  const column = VIEW[field as keyof DomainView];
  return `${column} IS NULL, ${column} ${descending ? 'DESC' : 'ASC'}, d.id`;
}

/** Whether no paging was asked for: then the list is complete and needs no `total`. */
const isWhole = (paging: Paging): boolean => Object.values(paging).every((value) => value === undefined);

async function listFields<T>(
  actor: Actor,
  fields: (keyof DomainView)[],
  selection: DomainSelection,
  paging: Paging,
): Promise<JsonText<ListOf<T>>> {
  const { sql, bind } = where(actor, selection, paging.search);
  const sorted = order(paging.sort);
  const object = jsonObject(fields);
  const version = await dataVersion();
  const { picked, bind: pick } = await pickRows(version, { sql, bind }, sorted, paging);
  const from = picked === null ? `FROM domains d` : `FROM (${picked}) CROSS JOIN domains d ON d.id = picked`;
  const rows = `${from} ${joinsFor(object + sql + sorted)} WHERE ${sql} ORDER BY ${sorted}`;
  // Put together as text: json_group_array would parse the object of each row once more.
  const data = `SELECT coalesce(group_concat(row, ','), '') FROM (SELECT ${object} AS row ${rows})`;
  const end = isWhole(paging) ? `']}'` : `'],"total":' || $total || '}'`;
  return keptList(version, `SELECT CAST('{"data":[' || (${data}) || ${end} AS BLOB) AS json`, { ...bind, ...pick });
}

/**
 * Returns the statement for the ids of a page (`picked`), so that no JSON is built for skipped rows; null for the whole
 * list. `bind` has its values, and the `total` where it is asked for.
 */
async function pickRows(
  version: string | null,
  { sql, bind }: Where,
  sorted: string,
  paging: Paging,
): Promise<{ picked: string | null; bind: Record<string, unknown> }> {
  if (isWhole(paging)) return { picked: null, bind: {} };
  const { limit = -1, offset = 0 } = paging;
  const matching = `FROM domains d ${joinsFor(sql + sorted)} WHERE ${sql}`;
  if (version !== null && limit !== -1 && offset >= FAR) {
    const ids = await keptIds(version, `SELECT d.id AS id ${matching} ORDER BY ${sorted}`, bind);
    const page = ids.subarray(offset * ID_BYTES, (offset + limit) * ID_BYTES - 1);
    const total = Math.ceil(ids.length / ID_BYTES);
    return { picked: 'SELECT value AS picked FROM json_each($ids)', bind: { ids: `[${page.toString()}]`, total } };
  }
  const total = await countRows(version, sql, bind);
  if (limit === -1 && offset === 0) return { picked: null, bind: { total } };
  const picked = `SELECT d.id AS picked ${matching} ORDER BY ${sorted} LIMIT ${limit} OFFSET ${offset}`;
  return { picked, bind: { total } };
}

/** From this offset on a page is cut out of the cached ids: SQLite would walk over all rows before it. */
const FAR = 200;
/** Width of an id with its comma. */
const ID_BYTES = 17;

/**
 * Returns all ids of a selection in their order, each padded to one width and separated by commas, so that a page is a
 * slice of the text.
 */
async function keptIds(version: string, ids: string, bind: Record<string, unknown>): Promise<Buffer> {
  const text = `coalesce(group_concat(printf('%${ID_BYTES - 1}d', id), ','), '')`;
  return (await keptList(version, `SELECT CAST(${text} AS BLOB) AS json FROM (${ids})`, bind)).bytes;
}

async function countRows(version: string | null, condition: string, bind: Record<string, unknown>): Promise<number> {
  const { bytes } = await keptList(
    version,
    `SELECT CAST(COUNT(*) AS BLOB) AS json FROM domains d ${joinsFor(condition)} WHERE ${condition}`,
    bind,
  );
  return Number(bytes.toString());
}

/**
 * Returns the caller's domains as JSON text: everything, or the part that is asked for and the `total`. Throws AppError
 * `invalid` for an unknown `sort`.
 */
export const listDomains = (
  actor: Actor,
  selection: DomainSelection = {},
  paging: Paging = {},
): Promise<JsonText<ListOf<DomainView>>> =>
  listFields(actor, Object.keys(VIEW) as (keyof DomainView)[], selection, paging);

/** Returns the dashboard's shorter records, otherwise as `listDomains`. */
export const listUserDomains = (
  actor: Actor,
  status: DomainFilter,
  paging: Paging = {},
): Promise<JsonText<ListOf<UserDomain>>> => listFields(actor, USER_DOMAIN, { status }, paging);

/** Returns the number of rows in each list of the dashboard. */
export async function countDomains(actor: Actor): Promise<DomainCounts> {
  const columns = Object.entries(filters()).map(
    ([name, condition]) => `COUNT(*) FILTER (WHERE ${condition}) AS "${name}"`,
  );
  const { sql, bind } = where(actor, {});
  const [counts] = await select<DomainCounts>(
    `SELECT ${columns.join(', ')} FROM domains d LEFT JOIN projects p ON p.id = d.project_id WHERE ${sql}`,
    bind,
  );
  return counts ?? { all: 0, active: 0, blocked: 0, broken: 0, expired: 0 };
}

async function findView(
  actor: Actor,
  condition: string,
  bind: Record<string, unknown>,
  unknown = notFound(),
): Promise<DomainDetail> {
  const object = jsonObject(Object.keys(DETAIL) as (keyof DomainDetail)[]);
  const [row] = await select<{ json: string }>(
    `SELECT ${object} AS json FROM domains d ${joinsFor(object + VISIBLE.domains(actor))} WHERE ${condition} AND ${VISIBLE.domains(actor)}`,
    { ...bind, ...bindings(actor) },
  );
  if (!row) throw unknown;
  return JSON.parse(row.json) as DomainDetail;
}

/** Returns a domain of the caller's, by id. Throws AppError `not_found`. */
export const findDomain = (actor: Actor, id: number): Promise<DomainDetail> => findView(actor, 'd.id = $id', { id });

/**
 * Returns a domain that a body names by id. Throws AppError `refused` alike for an unknown domain and for another
 * user's.
 */
export async function refersToDomain(actor: Actor, id: number, field = 'domain_id'): Promise<DomainDetail> {
  return findDomain(actor, id).catch((error: unknown) => {
    throw error instanceof AppError && error.kind === 'not_found' ? unknownReference(field) : error;
  });
}

/** Returns a domain of the caller's, by its name in punycode. Throws AppError `not_found`. */
export const findDomainByName = (actor: Actor, name: string): Promise<DomainDetail> =>
  findView(actor, 'd.domain_name = $name', { name }, noSuch('domain', name));

/** Returns those of the caller's domains that have one of the names, in the order of the names. */
export async function findDomainsNamed(actor: Actor, names: readonly string[]): Promise<DomainDetail[]> {
  const object = jsonObject(Object.keys(DETAIL) as (keyof DomainDetail)[]);
  const rows = await select<{ json: string }>(
    `SELECT ${object} AS json FROM json_each($names) n CROSS JOIN domains d ON d.domain_name = n.value
     ${joinsFor(object + VISIBLE.domains(actor))} WHERE ${VISIBLE.domains(actor)} ORDER BY n.key`,
    { names: JSON.stringify(names), ...bindings(actor) },
  );
  return rows.map(({ json }) => JSON.parse(json) as DomainDetail);
}
