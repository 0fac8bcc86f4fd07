import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { execute, select, transaction } from '../../db/index.ts';
import { tableNames } from '../../db/tables.ts';
import type { Config } from '../../src/lib/config.ts';
import { dump } from '../support/database.ts';

// The header of SQLite's WAL index: every commit of any connection changes its counter and its checksums.
const HEADER_BYTES = 48;

/** Returns null for a database without such an index. */
function headerOf(databaseFile: string): string | null {
  if (!existsSync(`${databaseFile}-shm`)) return null;
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(`${databaseFile}-shm`, 'r');
  try {
    readSync(file, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(file);
  }
  return header.toString('hex');
}

/** Has a PostgreSQL database count the statements that write to it: its own version moves with what others write to the server. */
async function countWrites(): Promise<void> {
  const tables = await tableNames();
  await transaction(async () => {
    await execute('CREATE SEQUENCE writes');
    await execute(
      `CREATE FUNCTION count_write() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM nextval(''writes''); RETURN NULL; END'`,
    );
    for (const table of tables) {
      await execute(
        `CREATE TRIGGER count_writes AFTER INSERT OR UPDATE OR DELETE ON ${table} EXECUTE FUNCTION count_write()`,
      );
    }
  });
}

async function writes(): Promise<string | null> {
  const [row] = await select<{ last_value: number }>('SELECT last_value FROM writes');
  return row ? String(row.last_value) : null;
}

/** Returns a function whose result changes with every commit; null where that cannot be told. */
export function versionOf({ databaseFile, databaseUrl }: Config): () => Promise<string | null> {
  if (databaseUrl === undefined) return () => Promise.resolve(headerOf(databaseFile));
  let counting: Promise<void> | undefined;
  return async () => {
    counting ??= countWrites();
    await counting;
    return writes();
  };
}

/** Returns all stored rows as text; `leaves` are the tables to leave out. */
export type Stored = (leaves?: readonly string[]) => Promise<string>;

// A password that the caller confirms himself by is a try of his own, which counts.
const TRIES = ['sign_in_tries'];

/**
 * Returns a function like `dump`, which reads the rows again only if something was committed since its last call:
 * thousands of calls that store nothing are compared in a fraction of the time.
 */
export function storedIn(config: Config): Stored {
  const versionNow = versionOf(config);
  const read = new Map<string, { version: string | null; rows: string }>();
  return async (leaves = TRIES) => {
    const kind = leaves.join(' ');
    // Read before the rows: of a commit in between, the next call finds another version.
    const version = await versionNow();
    const last = read.get(kind);
    if (version !== null && last?.version === version) return last.rows;
    const rows = await dump(leaves);
    read.set(kind, { version, rows });
    return rows;
  };
}
