import { createHash, type Hash } from 'node:crypto';
import { AppError } from '../src/shared/errors.ts';
import type { Row, Table } from '../src/shared/table.ts';
import { TABLES } from '../src/shared/tables.ts';
import type { Bind, Connection } from './connection.ts';
import type { Source } from './copy-source.ts';
import { findLastId, setLastId } from './ids.ts';
import { current, dialect, executeUnaudited, select, transaction } from './index.ts';
import { memberOf } from './sql.ts';
import { tableNames } from './tables.ts';

/** A table that was copied: the number of its rows, and the sum over their contents in the order of their keys. */
export interface CopiedTable {
  table: string;
  rows: number;
  sha256: string;
}

/** Returns the tables in an order in which each stands behind those that it refers to. */
export function inOrderOfReferences(tables: readonly Table[]): Table[] {
  const ordered: Table[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const names = new Set(left.map(({ name }) => name));
    const refersToLeft = ({ name, columns }: Table): boolean =>
      Object.values(columns).some(({ references: to }) => to && to.table !== name && names.has(to.table));
    const next = left.filter((table) => !refersToLeft(table));
    if (next.length === 0) throw new Error(`Tables refer to each other: ${[...names].join(', ')}`);
    ordered.push(...next);
    left = left.filter((table) => !next.includes(table));
  }
  return ordered;
}

type AnyRow = Row<Table>;
type Reader = Pick<Connection, 'all'>;

// Texts and archives may be large: a batch grows while it is below the first size and shrinks above the second.
const SMALL_BATCH = 1_000_000;
const LARGE_BATCH = 4_000_000;
const MOST_ROWS = 2_000;

const bytesAsText = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;

/** A part of a table's rows, and each of them as a line of JSON in the order of its columns. */
interface Batch {
  rows: AnyRow[];
  lines: string[];
}

/** Returns the rows of a table in the order of its key, in batches. */
async function* batchesOf(from: Reader, { name, columns, key }: Table): AsyncGenerator<Batch> {
  const names = Object.keys(columns);
  const read = `SELECT ${names.join(', ')} FROM ${name}`;
  const order = `ORDER BY ${key.join(', ')} LIMIT $limit`;
  const after = `WHERE (${key.join(', ')}) > (${key.map((column) => `$${column}`).join(', ')})`;
  let bind: Bind | undefined;
  for (let limit = 1; ;) {
    const rows = (await from.all(`${read} ${bind ? after : ''} ${order}`, { ...bind, limit })) as AnyRow[];
    const last = rows.at(-1);
    if (!last) return;
    const lines = rows.map((row) => JSON.stringify(names.map((column) => bytesAsText(row[column]))));
    yield { rows, lines };
    if (rows.length < limit) return;
    bind = Object.fromEntries(key.map((column) => [column, last[column]]));
    const size = lines.reduce((sum, line) => sum + line.length, 0);
    if (size < SMALL_BATCH) limit = Math.min(limit * 2, MOST_ROWS);
    else if (size > LARGE_BATCH) limit = Math.max(1, Math.floor(limit / 2));
  }
}

class Sum {
  private rows = 0;
  private readonly hash: Hash = createHash('sha256');

  add(lines: readonly string[]): void {
    this.rows += lines.length;
    for (const line of lines) this.hash.update(line).update('\n');
  }

  end = (table: string): CopiedTable => ({ table, rows: this.rows, sha256: this.hash.digest('hex') });
}

/** Returns the sum over a table's rows. */
async function sumOf(from: Reader, table: Table, signal?: AbortSignal): Promise<CopiedTable> {
  const sum = new Sum();
  for await (const { lines } of batchesOf(from, table)) {
    signal?.throwIfAborted();
    sum.add(lines);
  }
  return sum.end(table.name);
}

/** PostgreSQL has no texts with a zero byte. Throws AppError `refused` for a row with one. */
function refuseZeroBytes({ name, key }: Table, rows: readonly AnyRow[]): void {
  const row = rows.find((values) =>
    Object.values(values).some((value) => typeof value === 'string' && value.includes('\0')),
  );
  if (!row) return;
  const which = key.map((column) => String(row[column])).join(', ');
  throw new AppError('refused', 'copy.zero_byte', { table: name, row: which }, { code: 'zero_byte' });
}

/** PostgreSQL knows the case of all letters, SQLite that of ASCII alone. Throws AppError `refused` for logins that are one there. */
async function refuseSameLogins(source: Source): Promise<void> {
  const rows = (await source.all('SELECT login FROM users ORDER BY id')) as { login: string }[];
  const logins = rows.map(({ login }) => login);
  const same = await select<{ one: string; other: string }>(
    `SELECT a.value AS one, b.value AS other FROM json_each($logins) a JOIN json_each($logins) b
     ON a.value = b.value COLLATE NOCASE AND a.value < b.value ORDER BY 1, 2`,
    { logins: JSON.stringify(logins) },
  );
  if (same.length === 0) return;
  const pairs = same.map(({ one, other }) => `${one} – ${other}`).join(', ');
  throw new AppError('refused', 'copy.same_logins', { logins: pairs }, { code: 'same_logins' });
}

async function insertBatch({ name, columns }: Table, { rows, lines }: Batch): Promise<void> {
  const names = Object.keys(columns);
  if (Object.values(columns).some(({ kind }) => kind === 'bytes')) {
    const values = names.map((column) => `$${column}`).join(', ');
    const insert = `INSERT INTO ${name} (${names.join(', ')}) VALUES (${values})`;
    for (const row of rows) await executeUnaudited('copy', insert, row);
    return;
  }
  const members = Object.values(columns).map((column, place) => memberOf('value', place, column));
  const insert = `INSERT INTO ${name} (${names.join(', ')}) SELECT ${members.join(', ')} FROM json_each($rows)`;
  await executeUnaudited('copy', insert, { rows: `[${lines.join(',')}]` });
}

async function copyTable(source: Source, table: Table, signal?: AbortSignal): Promise<CopiedTable> {
  const sum = new Sum();
  for await (const batch of batchesOf(source, table)) {
    signal?.throwIfAborted();
    if (dialect() === 'postgres') refuseZeroBytes(table, batch.rows);
    await insertBatch(table, batch);
    sum.add(batch.lines);
  }
  if (table.columns['id']?.kind === 'id') {
    await setLastId(table.name, await findLastId(source, source.dialect, table.name));
  }
  return sum.end(table.name);
}

// Their ledger, and what one of them notes for its next slice: a kill between two leaves it.
const OF_MIGRATIONS: ReadonlySet<string> = new Set(['migrations', 'checks_fold']);

/** Returns the tables of the open database that have rows, but for those that migrations write for themselves. */
export async function filledTables(): Promise<string[]> {
  const filled: string[] = [];
  for (const name of await tableNames()) {
    if (OF_MIGRATIONS.has(name)) continue;
    if ((await select(`SELECT 1 FROM ${name} LIMIT 1`)).length > 0) filled.push(name);
  }
  return filled;
}

/** Returns the number of rows of each table of a source, in the order in which they are copied. Throws the reason of `signal` where that is aborted meanwhile. */
export async function countSource(
  source: Source,
  signal?: AbortSignal,
): Promise<Pick<CopiedTable, 'table' | 'rows'>[]> {
  const counts: Pick<CopiedTable, 'table' | 'rows'>[] = [];
  for (const { name } of inOrderOfReferences([...TABLES.values()])) {
    signal?.throwIfAborted();
    const [row] = (await source.all(`SELECT count(*) AS n FROM ${name}`)) as { n: number }[];
    counts.push({ table: name, rows: row?.n ?? 0 });
  }
  return counts;
}

/**
 * Copies every row of a source, of the same migrations, into the open database: all of them, in one transaction, or none. Then
 * reads them back and compares the sums. Throws AppError `conflict` where the open database has rows, `refused` for a row that
 * it can't take or that came out differently; the reason of `signal` where that is aborted before the copy is whole.
 */
export const copyRows = (source: Source, signal?: AbortSignal): Promise<CopiedTable[]> =>
  transaction(async () => {
    const filled = await filledTables();
    if (filled.length > 0) throw new AppError('conflict', 'copy.not_empty', { tables: filled.join(', ') });
    if (dialect() === 'postgres') await refuseSameLogins(source);
    const tables = inOrderOfReferences([...TABLES.values()]);
    const copied: CopiedTable[] = [];
    for (const table of tables) copied.push(await copyTable(source, table, signal));
    const target = current()!.connection;
    for (const [index, table] of tables.entries()) {
      const { rows, sha256 } = await sumOf(target, table, signal);
      const expected = copied[index];
      if (rows === expected?.rows && sha256 === expected.sha256) continue;
      throw new AppError('refused', 'copy.differs', { table: table.name }, { code: 'copy_differs' });
    }
    return copied;
  });
