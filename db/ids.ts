import type { Connection, Dialect } from './connection.ts';
import { dialect, execute, select } from './index.ts';

const LAST = {
  sqlite: 'SELECT max(seq) AS last FROM sqlite_sequence WHERE name = $table',
  postgres: `SELECT pg_sequence_last_value(pg_get_serial_sequence($table, 'id')::regclass) AS last`,
};

/** Returns the last id that a table has given, that of a deleted row as well; 0: none. */
export async function findLastId(connection: Pick<Connection, 'all'>, of: Dialect, table: string): Promise<number> {
  const [row] = (await connection.all(LAST[of], { table })) as { last: number | null }[];
  return row?.last ?? 0;
}

/** Lets the ids of a table go on after `last`, such as after rows were inserted with theirs. Call in a transaction. */
export async function setLastId(table: string, last: number): Promise<void> {
  if (last === 0) return;
  if (dialect() === 'postgres') {
    await select(`SELECT setval(pg_get_serial_sequence($table, 'id'), $last)`, { table, last });
    return;
  }
  const changed = await execute('UPDATE sqlite_sequence SET seq = $last WHERE name = $table', { table, last });
  if (changed === 0) await execute('INSERT INTO sqlite_sequence (name, seq) VALUES ($table, $last)', { table, last });
}
