import { select } from '../../../db/index.ts';
import { bytesOf, holds, padded, patternOf } from '../../../db/sql.ts';
import type { Order } from '../../shared/lists.ts';
import {
  DOMAIN_FIELDS,
  SITE_FIELDS,
  type DomainDetail,
  type DomainFilter,
  type DomainView,
} from '../../shared/portfolio/domains.ts';
import type { ExpiryFilter } from '../../shared/portfolio/domain-selection.ts';
import { isNumber, parseCells, type Cell } from '../../shared/portfolio/domain-cells.ts';
import { dayAfter } from '../../shared/portfolio/expiry-day.ts';
import { domains, type DomainRow } from '../../shared/portfolio/tables.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';
import { endsBefore, filters } from './filters.ts';

// `hostOf` of shared/accounts/servers.ts in SQL: the host without the port, which is for SSH only.
const SERVER_IP = `CASE WHEN s.ssh_host LIKE '[%' THEN substr(s.ssh_host, 2, instr(s.ssh_host, ']') - 2)
  WHEN length(replace(s.ssh_host, ':', '')) = length(s.ssh_host) - 1 THEN substr(s.ssh_host, 1, instr(s.ssh_host, ':') - 1)
  ELSE s.ssh_host END`;

/** The expressions of fields that are no columns of the domain's row. */
const ELSEWHERE: Record<Exclude<keyof DomainDetail, keyof DomainRow>, string> = {
  server_name: 's.name',
  server_ip: SERVER_IP,
  cloudflare_account_name: 'c.name',
  registrar_type: 'r.type',
  project_name: 'p.name',
  user_login: 'u.login',
  suspect_date: '(SELECT suspect_date FROM domain_registrations WHERE domain_id = d.id)',
  broken_layer: '(SELECT broken FROM diagnoses WHERE domain_id = d.id AND domain_name = d.domain_name)',
  html_file: `(SELECT nullif(html_name, '') FROM sites WHERE domain_id = d.id)`,
  release: '(SELECT release FROM sites WHERE domain_id = d.id)',
  deployed_at: '(SELECT deployed_at FROM sites WHERE domain_id = d.id)',
};

const isColumn = (field: string): field is keyof DomainRow => field in domains.columns;

const expressionOf = (field: keyof DomainDetail): string => (isColumn(field) ? `d.${field}` : ELSEWHERE[field]);

const isFlag = (field: keyof DomainDetail): boolean => isColumn(field) && domains.columns[field].kind === 'flag';

const JOINS: Record<string, string> = {
  p: 'LEFT JOIN projects p ON p.id = d.project_id',
  u: 'LEFT JOIN users u ON u.id = COALESCE(p.user_id, d.user_id)',
  s: 'LEFT JOIN servers s ON s.id = d.server_id',
  c: 'LEFT JOIN cloudflare_accounts c ON c.id = d.cloudflare_account_id',
  r: 'LEFT JOIN registrars r ON r.id = d.registrars_id',
};

/** Returns only the joins that an expression refers to: SQLite would look up the others as well when it counts rows. */
export function joinsFor(expression: string): string {
  const needed = new Set([...expression.matchAll(/\b([puscr])\./g)].map(([, alias = '']) => alias));
  if (needed.has('u')) needed.add('p');
  return Object.entries(JOINS)
    .filter(([alias]) => needed.has(alias))
    .map(([, join]) => join)
    .join(' ');
}

// The database builds the JSON of lists, which spares an object for each row.
const jsonObject = (fields: readonly (keyof DomainDetail)[]): string =>
  `json_object(${fields
    .map((field) =>
      isFlag(field)
        ? `'${field}', json(CASE ${expressionOf(field)} WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE 'null' END)`
        : `'${field}', ${expressionOf(field)}`,
    )
    .join(', ')})`;

const DETAIL_JSON = jsonObject([...DOMAIN_FIELDS, ...SITE_FIELDS]);

/** Filters of a list, besides the caller's visibility. */
export interface DomainSelection {
  status?: DomainFilter;
  /** The whole name, in punycode. */
  domain_name?: string | undefined;
  project_id?: number | undefined;
  server_id?: number | undefined;
  registrars_id?: number | undefined;
  type?: 'main' | 'transfer' | undefined;
  /** The first and the last day on which the registration ends. */
  expires_from?: string | undefined;
  expires_to?: string | undefined;
  expiry?: ExpiryFilter | undefined;
  /** Values of cells, of `shared/portfolio/domain-cells.ts`. */
  cells?: string | undefined;
}

const EXPIRY: Record<ExpiryFilter, string> = {
  unknown: 'd.expired_at IS NULL',
  doubted: 'EXISTS (SELECT 1 FROM domain_registrations WHERE domain_id = d.id AND suspect_date IS NOT NULL)',
};

const VALUES = ['domain_name', 'project_id', 'server_id', 'registrars_id', 'type'] as const;

/** The rows of a list and their order, in SQL. */
export interface Narrowed {
  condition: string;
  order: string;
  bind: Record<string, unknown>;
}

/** Ties are ordered by id, so that pages don't overlap. */
function orderOf(order: Order<keyof DomainView> | undefined): string {
  if (!order) return 'd.id';
  // NULL comes last in both directions: a person who sorts by expiry looks for dates.
  const column = expressionOf(order.field);
  return `${column} IS NULL, ${column} ${order.descending ? 'DESC' : 'ASC'}, d.id`;
}

/** The condition of a cell, whose value is bound under a name. A field that is not known is not that value. */
function cellCondition({ field, not, value }: Cell, name: string): string {
  const column = expressionOf(field);
  if (value === '') return `${column} IS ${not ? 'NOT ' : ''}NULL`;
  return not ? `(${column} IS NULL OR ${column} <> $${name})` : `${column} = $${name}`;
}

/** Narrows the domains that an actor may see. Without an `order` they are ordered by id. */
export function narrowDomains(
  actor: Actor,
  selection: DomainSelection,
  { search, order }: { search?: string | undefined; order?: Order<keyof DomainView> | undefined } = {},
): Narrowed {
  const conditions = [VISIBLE.domains(actor), filters()[selection.status ?? 'all']];
  const bind = bindings(actor);
  for (const field of VALUES) {
    if (selection[field] === undefined) continue;
    conditions.push(`d.${field} = $${field}`);
    bind[field] = selection[field];
  }
  const { expires_from, expires_to, expiry } = selection;
  if (expiry !== undefined) conditions.push(EXPIRY[expiry]);
  if (expires_from !== undefined) conditions.push(`d.expired_at IS NOT NULL AND NOT ${endsBefore(expires_from)}`);
  if (expires_to !== undefined) conditions.push(endsBefore(dayAfter(expires_to, 1)));
  for (const [at, cell] of parseCells(selection.cells ?? '').entries()) {
    conditions.push(cellCondition(cell, `cell${at}`));
    if (cell.value !== '') bind[`cell${at}`] = isNumber(cell.field) ? Number(cell.value) : cell.value;
  }
  if (search) {
    // An IDN is found both as people read it and in punycode, which are stored in lower case. In the list of one project
    // its name is not searched: it would match all. Projects are few, so their names are read once, not for each domain.
    const named = `SELECT q.id FROM projects q WHERE ${holds('q.name', '$text')}`;
    const ofProject = selection.project_id === undefined ? ` OR d.project_id IN (${named})` : '';
    // Few names are spelled in two ways, and to compare is quicker than to search.
    const asRead = 'd.unicode_name <> d.domain_name AND instr(d.unicode_name, $search) > 0';
    conditions.push(`(instr(d.domain_name, $search) > 0 OR ${asRead}${ofProject})`);
    bind['search'] = search.toLowerCase();
    if (ofProject !== '') bind['text'] = patternOf(search);
  }
  return { condition: conditions.join(' AND '), order: orderOf(order), bind };
}

/** A statement that makes one BLOB named `json`, and its values. */
export interface Statement {
  sql: string;
  bind: Record<string, unknown>;
}

/** The rows of a page: their ids as JSON, or so many after the first ones. */
export type Page = { ids: string } | { limit: number; offset: number };

const matching = ({ condition, order }: Narrowed): string =>
  `FROM domains d ${joinsFor(condition + order)} WHERE ${condition} ORDER BY ${order}`;

function pickRows(narrowed: Narrowed, page: Page): Statement {
  if ('ids' in page)
    return { sql: 'SELECT CAST(value AS INTEGER) AS picked FROM json_each($ids)', bind: { ids: page.ids } };
  return { sql: `SELECT d.id AS picked ${matching(narrowed)} LIMIT ${page.limit} OFFSET ${page.offset}`, bind: {} };
}

/**
 * Returns the statement for `{"data": […]}` of a list, or a page of it, with these fields; with a number also `total`. No JSON
 * is built for rows that are not on the page.
 */
export function listStatement(
  fields: readonly (keyof DomainView)[],
  narrowed: Narrowed,
  page: Page | null,
  total: number | null,
): Statement {
  const object = jsonObject(fields);
  const { condition, order } = narrowed;
  const picked = page && pickRows(narrowed, page);
  const from = picked ? `FROM (${picked.sql}) AS page CROSS JOIN domains d ON d.id = picked` : 'FROM domains d';
  const rows = `${from} ${joinsFor(object + condition + order)} WHERE ${condition} ORDER BY ${order}`;
  // Put together as text: json_group_array would parse the object of each row once more.
  const data = `SELECT coalesce(string_agg(CAST(line AS TEXT), ','), '') FROM (SELECT ${object} AS line ${rows}) AS lines`;
  const end = total === null ? `']}'` : `'],"total":' || $total || '}'`;
  return {
    sql: `SELECT ${bytesOf(`'{"data":[' || (${data}) || ${end}`)} AS json`,
    bind: { ...narrowed.bind, ...picked?.bind, ...(total !== null && { total }) },
  };
}

/** Width of an id with its comma in the text of `idsStatement`. */
export const ID_BYTES = 17;

/** Returns the number of ids in what `idsStatement` has read. */
export const idCount = (ids: Buffer): number => Math.ceil(ids.length / ID_BYTES);

/** Returns the statement for the ids of a list, or of a page of it, padded to one width, with commas: a page is a slice of the text. */
export function idsStatement(narrowed: Narrowed, page?: { limit: number; offset: number }): Statement {
  const text = `coalesce(string_agg(${padded('id', ID_BYTES - 1)}, ','), '')`;
  const part = page ? ` LIMIT ${page.limit} OFFSET ${page.offset}` : '';
  return {
    sql: `SELECT ${bytesOf(text)} AS json FROM (SELECT d.id AS id ${matching(narrowed)}${part}) AS ids`,
    bind: narrowed.bind,
  };
}

/** Returns the statement for the number of rows in a list. */
export const countStatement = ({ condition, bind }: Narrowed): Statement => ({
  sql: `SELECT ${bytesOf('CAST(COUNT(*) AS TEXT)')} AS json FROM domains d ${joinsFor(condition)} WHERE ${condition}`,
  bind,
});

/** Returns the BLOB that a statement makes. */
export async function readBytes({ sql, bind }: Statement): Promise<Buffer> {
  const [row] = await select<{ json: Uint8Array }>(sql, bind);
  return Buffer.from(row?.json.buffer ?? new ArrayBuffer(0), row?.json.byteOffset, row?.json.byteLength);
}

/** Returns the domain of an actor's with an id, or with a name in punycode; undefined: there is none. */
export async function findDetail(
  actor: Actor,
  by: { id: number } | { domain_name: string },
): Promise<DomainDetail | undefined> {
  const condition = 'id' in by ? 'd.id = $id' : 'd.domain_name = $domain_name';
  const visible = VISIBLE.domains(actor);
  const [row] = await select<{ json: string }>(
    `SELECT ${DETAIL_JSON} AS json FROM domains d ${joinsFor(DETAIL_JSON + visible)} WHERE ${condition} AND ${visible}`,
    { ...by, ...bindings(actor) },
  );
  return row && (JSON.parse(row.json) as DomainDetail);
}

/** Returns the domains of an actor's with one of the names in punycode, in the order of the names. */
export async function listDetails(actor: Actor, names: readonly string[]): Promise<DomainDetail[]> {
  const visible = VISIBLE.domains(actor);
  const rows = await select<{ json: string }>(
    `SELECT ${DETAIL_JSON} AS json FROM json_each($names) n CROSS JOIN domains d ON d.domain_name = n.value
     ${joinsFor(DETAIL_JSON + visible)} WHERE ${visible} ORDER BY n.key`,
    { names: JSON.stringify(names), ...bindings(actor) },
  );
  return rows.map(({ json }) => JSON.parse(json) as DomainDetail);
}
