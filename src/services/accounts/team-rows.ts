import { executeUnaudited, select } from '../../../db/index.ts';
import { isSpelled, spellingOf } from '../../../db/sql.ts';
import type { Table } from '../../shared/table.ts';
import { referencesTo, TABLES } from '../../shared/tables.ts';
import { bindings, OWN, VISIBLE, type Actor } from '../access/scope.ts';

interface NamedRow {
  id: number;
  user_id: number | null;
  name: string;
}

/** Returns the rows of a table with a name, whatever its case, and the one with an id, which comes first. */
export const findNamedRows = (table: Table, name: string, id: number | null): Promise<NamedRow[]> =>
  select(
    `SELECT id, user_id, name FROM ${table.name} WHERE ${isSpelled('name', '$name')} OR id = $id
     ORDER BY CASE WHEN id = $id THEN 0 ELSE 1 END`,
    { name: spellingOf(name), id },
  );

/** A column by which domains refer to a row: their own, or that of a table with a row for each domain. */
interface Use {
  table: Table;
  column: string;
}

const usesOf = ({ name }: Table): Use[] =>
  referencesTo(name).flatMap(({ table: from, column }) => {
    const table = TABLES.get(from);
    if (!table || table.columns[column]?.references?.onDelete !== 'RESTRICT') return [];
    const owner = table.columns['domain_id']?.references;
    // A row that is deleted with its domain, such as its site; never a row that outlives it.
    const isPartOfDomain = owner?.table === 'domains' && owner.onDelete === 'CASCADE';
    return from === 'domains' || isPartOfDomain ? [{ table, column }] : [];
  });

const isUsing = ({ table: { name }, column }: Use): string =>
  name === 'domains'
    ? `d.${column} = $id`
    : `EXISTS (SELECT 1 FROM ${name} u WHERE u.domain_id = d.id AND u.${column} = $id)`;

/** The condition that a domain `d` uses the row `$id` of a table; null: no domain can. */
const usedBy = (table: Table): string | null => {
  const uses = usesOf(table).map(isUsing);
  return uses.length === 0 ? null : `(${uses.join(' OR ')})`;
};

/** Returns the number of domains that use a row, whoever they belong to. */
export async function countDomainsUsing(table: Table, id: number): Promise<number> {
  const condition = usedBy(table);
  if (condition === null) return 0;
  const [row] = await select<{ total: number }>(
    `SELECT COUNT(*) AS total FROM domains d WHERE ${condition} AND d.deleted_at IS NULL`,
    { id },
  );
  return row?.total ?? 0;
}

/** Returns the first names of the domains that use a row and that the actor may see. */
export async function listDomainsUsing(actor: Actor, table: Table, id: number, limit: number): Promise<string[]> {
  const condition = usedBy(table);
  if (condition === null) return [];
  const rows = await select<{ name: string }>(
    `SELECT d.domain_name AS name FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE ${condition} AND ${VISIBLE.domains(actor)} ORDER BY d.domain_name LIMIT $limit`,
    { id, limit, ...bindings(actor) },
  );
  return rows.map(({ name }) => name);
}

/** Returns the names of the actor's projects whose settings name a row of a table, and how many projects do in all. */
export async function listProjectsUsing(
  actor: Actor,
  { name }: Table,
  id: number,
): Promise<{ names: string[]; total: number }> {
  const settings = referencesTo(name).filter(({ table: from }) => TABLES.get(from)?.key[0] === 'project_id');
  if (settings.length === 0) return { names: [], total: 0 };
  const uses = settings.map(
    ({ table: from, column }) => `p.id IN (SELECT project_id FROM ${from} WHERE ${column} = $id)`,
  );
  const rows = await select<{ name: string; visible: number }>(
    `SELECT p.name, CASE WHEN ${VISIBLE.projects(actor)} THEN 1 ELSE 0 END AS visible FROM projects p
     WHERE p.deleted_at IS NULL AND (${uses.join(' OR ')}) ORDER BY p.name`,
    { id, ...bindings(actor) },
  );
  return { names: rows.filter(({ visible }) => visible === 1).map((row) => row.name), total: rows.length };
}

/** Removes what domains, deleted ones included, refer to a row with: the reference, or the row that can't be without it. */
export async function clearDomainUses(table: Table, id: number): Promise<void> {
  for (const { table: from, column } of usesOf(table)) {
    const isOptional = from.columns[column]?.nullable;
    const clear = isOptional ? `UPDATE ${from.name} SET ${column} = NULL` : `DELETE FROM ${from.name}`;
    await executeUnaudited('lost_reference', `${clear} WHERE ${column} = $id`, { id });
  }
}

/** Returns the unfinished operations that use a row of a table. */
export async function listOperationsUsing(kind: string, id: number): Promise<number[]> {
  const rows = await select<{ id: number }>(
    `SELECT o.id FROM operation_uses u JOIN operations o ON o.id = u.operation_id
     WHERE u.kind = $kind AND u.used_id = $id AND o.state IN ('queued', 'running') ORDER BY o.id`,
    { kind, id },
  );
  return rows.map((operation) => operation.id);
}

/**
 * Returns the names whose purchases at a registrar have not ended and that the actor may see, and how many there are in
 * all.
 */
export async function listNamesBoughtAt(actor: Actor, id: number): Promise<{ names: string[]; total: number }> {
  const rows = await select<{ name: string; visible: number }>(
    `SELECT x.domain_name AS name, CASE WHEN ${OWN.purchases(actor)} THEN 1 ELSE 0 END AS visible
     FROM purchases x LEFT JOIN projects p ON p.id = x.project_id
     WHERE x.registrar_id = $id AND x.state NOT IN ('committed', 'released', 'simulated') ORDER BY x.domain_name`,
    { id, ...bindings(actor) },
  );
  return { names: rows.filter(({ visible }) => visible === 1).map((row) => row.name), total: rows.length };
}
