import { select } from '../../../db/index.ts';
import { holds, patternOf } from '../../../db/sql.ts';
import { auditHead, type AuditHeadRow, type AuditRow } from '../../shared/audit/tables.ts';
import type { AuditSelection } from '../../shared/audit/audit.ts';

interface Condition {
  sql: string;
  bind: Record<string, unknown>;
}

/** A row about many objects lists their ids. */
const IS_OBJECT = `(object_id = $object_id OR (object_id IS NULL AND object_ids IS NOT NULL
  AND EXISTS (SELECT 1 FROM json_each(object_ids) one WHERE CAST(one.value AS INTEGER) = $object_id)))`;

const CONDITIONS: Record<Exclude<keyof AuditSelection, 'name'>, string> = {
  user: 'login = $user COLLATE NOCASE',
  door: 'door = $door',
  object: 'object = $object',
  object_id: IS_OBJECT,
  since: 'at >= $since',
  until: 'at < $until',
};

function selected({ name, ...selection }: AuditSelection): Condition {
  const given = Object.entries(selection).filter(([, value]) => value !== undefined);
  const conditions = given.map(([filter]) => CONDITIONS[filter as keyof typeof CONDITIONS]);
  if (name) conditions.push(holds('object_name', '$name'));
  const bind = { ...Object.fromEntries(given), ...(name && { name: patternOf(name) }) };
  return { sql: conditions.join(' AND ') || 'true', bind };
}

/** Returns a part of the audit, the newest rows first. */
export function listAuditRows(
  selection: AuditSelection,
  { limit, offset }: { limit: number; offset: number },
): Promise<AuditRow[]> {
  const { sql, bind } = selected(selection);
  return select(`SELECT * FROM audit WHERE ${sql} ORDER BY id DESC LIMIT $limit OFFSET $offset`, {
    ...bind,
    limit,
    offset,
  });
}

/** Counts the rows of a part of the audit. */
export async function countAuditRows(selection: AuditSelection): Promise<number> {
  const { sql, bind } = selected(selection);
  const [row] = await select<{ n: number }>(`SELECT count(*) AS n FROM audit WHERE ${sql}`, bind);
  return row?.n ?? 0;
}

/** Returns the next rows after an id, the oldest first. */
export const listRowsAfter = (id: number, limit: number): Promise<AuditRow[]> =>
  select('SELECT * FROM audit WHERE id > $id ORDER BY id LIMIT $limit', { id, limit });

/** Returns the head of the chain; undefined: nothing was audited yet. */
export async function findHead(): Promise<AuditHeadRow | undefined> {
  const [row] = await select<AuditHeadRow>(`SELECT * FROM ${auditHead.name}`);
  return row;
}
