import { createHash } from 'node:crypto';
import type { AuditHeadRow, AuditRow } from '../src/shared/audit/tables.ts';
import type { Connection, Transaction, Writer } from './connection.ts';
import { troubleOf } from '../src/lib/database-trouble.ts';

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

/** The hash before the first row. */
export const FIRST_HASH = '';

type Cell = string | number | null;

const cellsOf = (row: Hashed): Cell[] => HASHED.map((name) => row[name] ?? null);

const hashOfCells = (before: string, cells: readonly Cell[]): string =>
  createHash('sha256')
    .update(`${before}\n${JSON.stringify(cells)}`)
    .digest('base64url');

/** Returns the hash of a row that follows a row with the hash `before`. */
export const hashOf = (before: string, row: Hashed): string => hashOfCells(before, cellsOf(row));

/** The last row of the chain. */
type Head = Pick<AuditHeadRow, 'last_id' | 'hash'>;

// The head that this process has committed last: read again only where another process has written since. By connection,
// because another file or server has another chain.
const heads = new WeakMap<Connection, Head>();
// Where others have written since the last time, they are likely to have done so again: there the head is read first, which is one call instead
// of a commit that is refused, its return and another one, all under the lock that the others wait for.
const shared = new WeakSet<Connection>();

async function readHead(connection: Connection): Promise<Head> {
  const [head] = (await connection.all('SELECT last_id, hash FROM audit_head WHERE id = 1')) as Head[];
  return head ?? { last_id: 0, hash: FIRST_HASH };
}

// On PostgreSQL a backslash is one as well: `standard_conforming_strings` is asserted.
const literal = (value: Cell): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value ?? 'NULL');

// NULL is refused: so is a head that another process has replaced.
const setHead = (before: Head, { last_id, hash }: Head): string =>
  `INSERT INTO audit_head (id, last_id, hash)
   SELECT 1, CASE WHEN COALESCE((SELECT hash FROM audit_head WHERE id = 1), '') = ${literal(before.hash)} THEN ${last_id} END, ${literal(hash)}
   WHERE true ON CONFLICT (id) DO UPDATE SET last_id = excluded.last_id, hash = excluded.hash`;

const isStale = (error: unknown): boolean =>
  error instanceof Error && troubleOf(error) === 'constraint' && error.message.includes('audit_head');

/** Returns the new head, and the statements that append rows behind `before`. */
function chained(before: Head, rows: readonly NewAuditRow[]): { head: Head; statements: string } {
  let { last_id, hash } = before;
  const values = rows.map((row) => {
    last_id += 1;
    const cells = cellsOf({ ...row, id: last_id });
    hash = hashOfCells(hash, cells);
    return `(${[...cells, hash].map(literal).join(', ')})`;
  });
  const head = { last_id, hash };
  const insert = `INSERT INTO audit (${HASHED.join(', ')}, hash) VALUES ${values.join(', ')}`;
  return { head, statements: `${setHead(before, head)}; ${insert}` };
}

/**
 * Commits a transaction with rows that it appends to the chain, by one call of the driver: while it holds the lock of the one
 * writer, nobody else can append to the same last row. Throws with the transaction still open.
 */
export async function commitWith(
  writer: Writer,
  transaction: Transaction,
  rows: readonly NewAuditRow[],
): Promise<void> {
  if (rows.length === 0) return writer.commit(transaction);
  const { connection } = transaction;
  const known = heads.get(connection);
  heads.delete(connection);
  const commit = async (before: Head): Promise<void> => {
    const { head, statements } = chained(before, rows);
    await writer.commit(transaction, statements);
    heads.set(connection, head);
  };
  if (!known || shared.has(connection)) {
    const head = await readHead(connection);
    if (known?.hash === head.hash) shared.delete(connection);
    return commit(head);
  }
  try {
    await commit(known);
  } catch (error) {
    if (!isStale(error)) throw error;
    shared.add(connection);
    await commit(await readHead(connection));
  }
}
