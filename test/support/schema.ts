// A database's description of its tables, in the same words for SQLite and PostgreSQL.
import { dialect, select, transaction, execute } from '../../db/index.ts';
import type { Kind } from '../../src/shared/table.ts';

const isSqlite = (): boolean => dialect() === 'sqlite';

/** Returns everything that the schema consists of, for comparison. */
export const storedSchema = (): Promise<object[]> =>
  isSqlite()
    ? select('SELECT name, sql FROM sqlite_master ORDER BY name, sql')
    : select(
        `SELECT 'column' AS kind, table_name || '.' || column_name AS name, data_type || is_nullable AS text
         FROM information_schema.columns WHERE table_schema = current_schema()
         UNION ALL SELECT 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) FROM pg_constraint
           WHERE connamespace = current_schema()::regnamespace
         UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema()
         UNION ALL SELECT 'function', proname, prosrc FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
         UNION ALL SELECT 'trigger', tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2, 3`,
      );

/** A column as a database has it. `to` is the table and column that it refers to, and what becomes of the row. */
export interface StoredColumn {
  name: string;
  type: string;
  required: boolean;
  isKey: boolean;
  to: string | null;
}

/** Returns the type of a column's kind. */
export function storedType(kind: Kind): string {
  const [integer, bytes, text] = isSqlite() ? ['INTEGER', 'BLOB', 'TEXT'] : ['bigint', 'bytea', 'text'];
  if (['id', 'integer', 'flag', 'reference'].includes(kind)) return integer;
  return kind === 'bytes' ? bytes : text;
}

async function sqliteColumns(table: string): Promise<StoredColumn[]> {
  const info = await select<{ name: string; type: string; notnull: number; pk: number }>(`PRAGMA table_info(${table})`);
  const references = await select<{ from: string; table: string; to: string; on_delete: string }>(
    `PRAGMA foreign_key_list(${table})`,
  );
  return info.map(({ name, type, notnull, pk }) => {
    const reference = references.find(({ from }) => from === name);
    const to = reference ? `${reference.table}.${reference.to} ${reference.on_delete}` : null;
    return { name, type, required: notnull === 1 || pk > 0, isKey: pk > 0, to };
  });
}

async function postgresColumns(table: string): Promise<StoredColumn[]> {
  const rows = await select<{ name: string; type: string; required: number; is_key: number; to: string | null }>(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS required,
       EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conrelid = a.attrelid AND k.contype = 'p' AND a.attnum = ANY (k.conkey)) AS is_key,
       (SELECT f.confrelid::regclass || '.' || (SELECT attname FROM pg_attribute WHERE attrelid = f.confrelid AND attnum = f.confkey[1])
          || ' ' || CASE f.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' WHEN 'r' THEN 'RESTRICT' ELSE '?' END
        FROM pg_constraint f WHERE f.conrelid = a.attrelid AND f.contype = 'f' AND f.conkey = ARRAY[a.attnum]) AS "to"
     FROM pg_attribute a WHERE a.attrelid = $table::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    { table },
  );
  return rows.map(({ name, type, required, is_key, to }) => ({
    name,
    type,
    required: required === 1,
    isKey: is_key === 1,
    to,
  }));
}

/** Returns the columns of a table in their order. */
export const storedColumns = (table: string): Promise<StoredColumn[]> =>
  isSqlite() ? sqliteColumns(table) : postgresColumns(table);

/** Returns how the database would find the rows of a query, in its own words. */
export async function planOf(sql: string): Promise<string> {
  if (isSqlite()) {
    const [row] = await select<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
    return row?.detail ?? '';
  }
  // Small tables are read whole, unless that is forbidden.
  return transaction(async () => {
    await execute('SET LOCAL enable_seqscan = off');
    const rows = await select<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

/** Has the database refuse new rows of a table, those alone of which a condition on `NEW` is true, until the returned function is called. */
export async function refuseRows(table: string, message: string, condition = '1 = 1'): Promise<() => Promise<void>> {
  const when = `TRIGGER refused BEFORE INSERT ON ${table} FOR EACH ROW WHEN (${condition})`;
  await transaction(async () => {
    if (isSqlite()) {
      await execute(`CREATE ${when} BEGIN SELECT RAISE(ABORT, '${message}'); END`);
      return;
    }
    await execute(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''${message}''; END'`,
    );
    await execute(`CREATE ${when} EXECUTE FUNCTION refuse()`);
  });
  return async () => {
    await transaction(() => execute(isSqlite() ? 'DROP TRIGGER refused' : 'DROP FUNCTION refuse CASCADE'));
  };
}
