// Databases beside the open one: a backup that is described, or restored for a look.
import type { Connection, Dialect } from './connection.ts';
import { openSqlite } from './sqlite.ts';

/** Contents of a database, which a restored copy has to match. `audit`: the last row of its chain; null: none. */
export interface Contents {
  migrations: string[];
  counts: Record<string, number>;
  audit: { last_id: number; hash: string } | null;
}

const NAMES: Record<Dialect, string> = {
  sqlite: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  // The last commits of writers belong to their connections.
  postgres: `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'writers'
    ORDER BY tablename COLLATE "C"`,
};

/** Returns what a database holds, over a connection whose reads see one moment. Reads an index of each table. */
export async function readContents({ all }: Pick<Connection, 'all'>, dialect: Dialect): Promise<Contents> {
  const tables = ((await all(NAMES[dialect])) as { name: string }[]).map(({ name }) => name);
  const counts: Contents['counts'] = {};
  for (const table of tables) {
    const [row] = (await all(`SELECT COUNT(*) AS n FROM "${table}"`)) as { n: number }[];
    counts[table] = row?.n ?? 0;
  }
  const names = tables.includes('migrations') ? await all('SELECT name FROM migrations ORDER BY name') : [];
  const heads = tables.includes('audit_head') ? await all('SELECT last_id, hash FROM audit_head WHERE id = 1') : [];
  const [audit = null] = heads as NonNullable<Contents['audit']>[];
  return { migrations: (names as { name: string }[]).map(({ name }) => name), counts, audit };
}

/** Returns the first fault that SQLite finds in a file, references included; null: none. Reads the whole file. */
async function damageOf({ all }: Connection): Promise<string | null> {
  const [row] = (await all('PRAGMA integrity_check(1)')) as { integrity_check: string }[];
  if (row?.integrity_check !== 'ok') return row?.integrity_check ?? 'integrity_check';
  return (await all('PRAGMA foreign_key_check')).length > 0 ? 'foreign_key_check' : null;
}

async function reading<T>(path: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await openSqlite(path, { mustExist: true });
  try {
    await connection.run('PRAGMA query_only = ON');
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** Returns what a SQLite file holds, beside the open database. Throws SQLite's error for a file that is none. */
export const readFileContents = (path: string): Promise<Contents> =>
  reading(path, (connection) => readContents(connection, 'sqlite'));

/** Examines a SQLite file beside the open database: its first fault, or null, and what it holds. Throws SQLite's error for a file that is none. */
export const examineFile = (path: string): Promise<{ damage: string | null; contents: Contents }> =>
  reading(path, async (connection) => {
    const damage = await damageOf(connection);
    return { damage, contents: await readContents(connection, 'sqlite') };
  });
