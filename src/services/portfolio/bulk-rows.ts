import { execute, select } from '../../../db/index.ts';
import { memberOf } from '../../../db/sql.ts';
import { domains, type DomainRow } from '../../shared/portfolio/tables.ts';
import { bindings, OWN, VISIBLE, type Actor } from '../access/scope.ts';
import { joinsFor, narrowDomains, type DomainSelection } from './list-rows.ts';

/** The columns that work on many domains reads; `holder` is whom a domain belongs to. */
const COLUMNS = [
  'id',
  'domain_name',
  'project_id',
  'user_id',
  'transfer_type',
  'server_id',
  'cloudflare_account_id',
  'file_path',
  'type',
  'status',
] as const;
export type ChosenRow = Pick<DomainRow, (typeof COLUMNS)[number]> & { holder: number };

const CHOSEN = `SELECT ${COLUMNS.map((name) => `d.${name}`).join(', ')}, COALESCE(p.user_id, d.user_id) AS holder`;
const JOINED = 'LEFT JOIN projects p ON p.id = d.project_id';

/** Returns the domains of an actor's that a filter finds, by id. */
export function listFiltered(actor: Actor, filter: DomainSelection, search?: string): Promise<ChosenRow[]> {
  const { condition, bind } = narrowDomains(actor, filter, { search });
  return select(`${CHOSEN} FROM domains d ${joinsFor(CHOSEN + condition)} WHERE ${condition} ORDER BY d.id`, bind);
}

/** Returns the domains of an actor's that have one of the names in punycode, by id. */
export const listChosenNamed = (actor: Actor, names: readonly string[]): Promise<ChosenRow[]> =>
  select(
    `${CHOSEN} FROM json_each($names) n CROSS JOIN domains d ON d.domain_name = n.value ${JOINED}
     WHERE ${VISIBLE.domains(actor)} ORDER BY d.id`,
    { names: JSON.stringify([...new Set(names)]), ...bindings(actor) },
  );

/** Returns the domains of an actor's that have one of the ids, by id. */
export const listChosenIds = (actor: Actor, ids: readonly number[]): Promise<ChosenRow[]> =>
  select(
    `${CHOSEN} FROM json_each($ids) n CROSS JOIN domains d ON d.id = CAST(n.value AS INTEGER) ${JOINED}
     WHERE ${VISIBLE.domains(actor)} ORDER BY d.id`,
    { ids: JSON.stringify(ids), ...bindings(actor) },
  );

/** The columns that are written on many domains at once. */
export const WRITTEN = ['project_id', 'user_id', 'transfer_type', 'server_id', 'cloudflare_account_id'] as const;
export type Written = Pick<DomainRow, (typeof WRITTEN)[number]>;

// Cells are found by their place: by name takes twice the time.
const CELLS = ['id', ...WRITTEN] as const;
const cell = (name: (typeof CELLS)[number]): string => memberOf('n.value', CELLS.indexOf(name), domains.columns[name]);

/** Writes columns of many domains, by one statement. Returns their number. */
export const updateMany = (rows: readonly (Written & { id: number })[], now: string): Promise<number> =>
  execute(
    `UPDATE domains SET ${WRITTEN.map((name) => `${name} = ${cell(name)}`).join(', ')}, updated_at = $now
     FROM json_each($rows) n WHERE domains.id = ${cell('id')} AND domains.deleted_at IS NULL`,
    { rows: JSON.stringify(rows.map((row) => CELLS.map((name) => row[name]))), now },
  );

const AMONG = 'id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))';

/** Takes many domains out of the portfolio. Returns their number. */
export const deleteMany = (ids: readonly number[], now: string): Promise<number> =>
  execute(`UPDATE domains SET deleted_at = $now WHERE deleted_at IS NULL AND ${AMONG}`, {
    ids: JSON.stringify(ids),
    now,
  });

/** Returns those of the domains of an actor's that were deleted at a time, and whose name nobody has taken since. */
export const listRestorable = (actor: Actor, ids: readonly number[], at: string): Promise<{ id: number }[]> =>
  select(
    `SELECT d.id FROM domains d ${JOINED} WHERE d.${AMONG} AND d.deleted_at = $at AND ${OWN.domains(actor)}
       AND NOT EXISTS (SELECT 1 FROM domains o WHERE o.domain_name = d.domain_name AND o.deleted_at IS NULL) ORDER BY d.id`,
    { ids: JSON.stringify(ids), at, ...bindings(actor) },
  );

/** Brings many deleted domains back. */
export const undeleteMany = (ids: readonly number[]): Promise<number> =>
  execute(`UPDATE domains SET deleted_at = NULL WHERE deleted_at IS NOT NULL AND ${AMONG}`, {
    ids: JSON.stringify(ids),
  });

/** Returns those of the ids that rows of these tables have; a deleted project, and one that is not the actor's, has none. */
export async function listReferable(
  actor: Actor,
  table: 'projects' | 'servers' | 'cloudflare_accounts',
  ids: readonly number[],
): Promise<{ id: number }[]> {
  const condition = table === 'projects' ? ` AND ${VISIBLE.projects(actor)}` : '';
  return select(`SELECT p.id FROM ${table} p WHERE p.${AMONG}${condition}`, {
    ids: JSON.stringify(ids),
    ...(condition !== '' && bindings(actor)),
  });
}
