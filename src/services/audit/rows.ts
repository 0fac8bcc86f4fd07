import { FIRST_HASH } from '../../../db/audit-chain.ts';
import { dialect, execute, select } from '../../../db/index.ts';
import { holds, isSpelled, patternOf, spellingOf } from '../../../db/sql.ts';
import { auditHead, type AuditHeadRow, type AuditRow } from '../../shared/audit/tables.ts';
import type { AuditSelection } from '../../shared/audit/audit.ts';

interface Condition {
  sql: string;
  bind: Record<string, unknown>;
}

/** A row about many objects lists their ids. */
const IS_OBJECT = `(object_id = $object_id OR (object_id IS NULL AND object_ids IS NOT NULL
  AND EXISTS (SELECT 1 FROM json_each(object_ids) one WHERE CAST(one.value AS INTEGER) = $object_id)))`;

const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * Returns the logins that are one whatever their case, as rows have them. SQLite's NOCASE knows the letters of ASCII alone, and the users are
 * few; asked for first, since the index gives the rows of one login in the order of their ids.
 */
async function spelled(user: string): Promise<string[]> {
  if (dialect() !== 'sqlite') return [user];
  const rows = await select<{ login: string }>(`SELECT login FROM users WHERE ${isSpelled('login', '$spelled')}`, {
    spelled: spellingOf(user),
  });
  return [...new Map([user, ...rows.map(({ login }) => login)].map((login) => [lowerAscii(login), login])).values()];
}

const CONDITIONS: Record<Exclude<keyof AuditSelection, 'name' | 'user'>, string> = {
  door: 'door = $door',
  object: 'object = $object',
  object_id: IS_OBJECT,
  since: 'at >= $since',
  until: 'at < $until',
};

/** Returns the condition of the rows of a part of the audit. */
export async function selected({ name, user, ...selection }: AuditSelection): Promise<Condition> {
  const given = Object.entries(selection).filter(([, value]) => value !== undefined);
  const conditions = given.map(([filter]) => CONDITIONS[filter as keyof typeof CONDITIONS]);
  if (name) conditions.push(holds('object_name', '$name'));
  const logins = user === undefined ? [] : await spelled(user);
  if (logins.length === 1) conditions.push('login = $login COLLATE NOCASE');
  if (logins.length > 1) conditions.push('login COLLATE NOCASE IN (SELECT value FROM json_each($logins))');
  const bind = {
    ...Object.fromEntries(given),
    ...(name && { name: patternOf(name) }),
    ...(logins.length === 1 && { login: logins[0] }),
    ...(logins.length > 1 && { logins: JSON.stringify(logins) }),
  };
  return { sql: conditions.join(' AND ') || 'true', bind };
}

/** Returns a part of the audit, the newest rows first. */
export async function listAuditRows(
  selection: AuditSelection,
  { limit, offset }: { limit: number; offset: number },
): Promise<AuditRow[]> {
  const { sql, bind } = await selected(selection);
  return select(`SELECT * FROM audit WHERE ${sql} ORDER BY id DESC LIMIT $limit OFFSET $offset`, {
    ...bind,
    limit,
    offset,
  });
}

/** Returns the id of the row about many domains that has just been written with a mark (`bulk`), from the newest on; null: there is none. */
export async function findBulkId(bulk: string): Promise<number | null> {
  const [row] = await select<{ id: number }>(
    `SELECT id FROM audit WHERE object = 'domains' AND object_ids IS NOT NULL AND after ->> 'bulk' = $bulk ORDER BY id DESC LIMIT 1`,
    { bulk },
  );
  return row?.id ?? null;
}

/** Counts the rows of a part of the audit. */
export async function countAuditRows(selection: AuditSelection): Promise<number> {
  const { sql, bind } = await selected(selection);
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

/** The last row that was deleted because of its age. */
export interface Anchor {
  last_id: number;
  hash: string;
}

/** Returns where the chain begins: behind this row. */
export async function findAnchor(): Promise<Anchor> {
  const [row] = await select<Anchor>('SELECT last_id, hash FROM audit_anchor');
  return row ?? { last_id: 0, hash: FIRST_HASH };
}

/** Moves the beginning of the chain on. */
export async function setAnchor({ last_id, hash }: Anchor): Promise<void> {
  await execute(
    `INSERT INTO audit_anchor (id, last_id, hash) VALUES (1, $last_id, $hash)
     ON CONFLICT (id) DO UPDATE SET last_id = excluded.last_id, hash = excluded.hash`,
    { last_id, hash },
  );
}

/** Returns the number and hash of a row; undefined: there is none. */
export async function findRowAt(id: number): Promise<Pick<AuditRow, 'id' | 'hash'> | undefined> {
  const [row] = await select<Pick<AuditRow, 'id' | 'hash'>>('SELECT id, hash FROM audit WHERE id = $id', { id });
  return row;
}

/** Returns the last of the oldest rows that are all from before a time; undefined: there is none. Reads those rows alone. */
export async function findLastBefore(before: string): Promise<Pick<AuditRow, 'id' | 'hash'> | undefined> {
  const [row] = await select<Pick<AuditRow, 'id' | 'hash'>>(
    `SELECT id, hash FROM audit
     WHERE id < COALESCE((SELECT id FROM audit WHERE at >= $before ORDER BY id LIMIT 1), (SELECT max(id) + 1 FROM audit))
     ORDER BY id DESC LIMIT 1`,
    { before },
  );
  return row;
}

/** Returns the next ids after one, up to another. */
export const listIdsAfter = (after: number, last: number, limit: number): Promise<{ id: number }[]> =>
  select('SELECT id FROM audit WHERE id > $after AND id <= $last ORDER BY id LIMIT $limit', { after, last, limit });

/** Deletes the oldest rows; a trigger refuses those behind the anchor. */
export async function deleteRowsUpTo(last: number): Promise<void> {
  await execute('DELETE FROM audit WHERE id <= $last', { last });
}

/** Returns the last decision to delete the oldest rows; undefined: there is none. `after` is JSON. */
export async function findLastPrune(): Promise<Pick<AuditRow, 'id' | 'after'> | undefined> {
  const [row] = await select<Pick<AuditRow, 'id' | 'after'>>(
    `SELECT id, after FROM audit WHERE object = 'audit' AND action = 'delete' ORDER BY id DESC LIMIT 1`,
  );
  return row;
}

/** Returns a row; undefined: there is none. */
export async function findAuditRow(id: number): Promise<AuditRow | undefined> {
  const [row] = await select<AuditRow>('SELECT * FROM audit WHERE id = $id', { id });
  return row;
}
