import { createHash } from 'node:crypto';
import type { AuditHeadRow, AuditRow } from '../src/shared/audit/tables.ts';
import type { Connection } from './connection.ts';

/** A row before it is numbered. */
export type NewAuditRow = Omit<AuditRow, 'id' | 'hash'>;

type Hashed = Omit<AuditRow, 'hash'>;

// The columns that a hash covers, in their order: changed, every row that is stored would be called wrong.
const HASHED = [
  'id',
  'at',
  'user_id',
  'login',
  'door',
  'call',
  'address',
  'operation_id',
  'action',
  'object',
  'object_id',
  'object_ids',
  'object_name',
  'before',
  'after',
  'outcome',
] as const satisfies (keyof Hashed)[];

const NUMBERS = new Set<keyof Hashed>(['id', 'user_id', 'operation_id', 'object_id']);

/** The hash before the first row. */
export const FIRST_HASH = '';

const cellsOf = (row: Hashed): unknown[] => HASHED.map((name) => row[name] ?? null);

/** Returns the hash of a row that follows a row with the hash `before`. */
export const hashOf = (before: string, row: Hashed): string =>
  createHash('sha256')
    .update(`${before}\n${JSON.stringify(cellsOf(row))}`)
    .digest('base64url');

const cell = (name: keyof Hashed, place: number): string =>
  NUMBERS.has(name) ? `CAST(value ->> ${place} AS INTEGER)` : `value ->> ${place}`;

const INSERT = `INSERT INTO audit (${HASHED.join(', ')}, hash)
  SELECT ${HASHED.map(cell).join(', ')}, value ->> ${HASHED.length} FROM json_each($rows) ORDER BY key`;

const SET_HEAD = `INSERT INTO audit_head (id, last_id, hash) VALUES (1, $last_id, $hash)
  ON CONFLICT (id) DO UPDATE SET last_id = excluded.last_id, hash = excluded.hash`;

/**
 * Appends rows to the chain, within the running transaction: while it holds the lock of the one writer, nobody else can
 * append to the same last row.
 */
export async function appendRows(connection: Connection, rows: readonly NewAuditRow[]): Promise<void> {
  const [head] = (await connection.all('SELECT last_id, hash FROM audit_head WHERE id = 1')) as AuditHeadRow[];
  let { last_id, hash } = head ?? { last_id: 0, hash: FIRST_HASH };
  const cells = rows.map((row) => {
    last_id += 1;
    const numbered = { ...row, id: last_id };
    hash = hashOf(hash, numbered);
    return [...cellsOf(numbered), hash];
  });
  await connection.run(INSERT, { rows: JSON.stringify(cells) });
  await connection.run(SET_HEAD, { last_id, hash });
}
