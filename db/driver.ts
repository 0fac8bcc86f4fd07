import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { AppError } from '../src/shared/errors.ts';
import { adaptSyncSqlite, type DatabaseSyncClass } from './sync-driver.ts';

// Older libraries can corrupt a WAL database when two processes checkpoint at once, as server and CLI do.
const OLDEST_SQLITE = [3, 51, 3];

/** Whether a version of the SQLite library is free of the bug that corrupts WAL databases of several processes. */
export function isSafeSqlite(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, wanted] of OLDEST_SQLITE.entries()) {
    const difference = (parts[index] ?? 0) - wanted;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

const load = createRequire(import.meta.url);

/** Loads `node:sqlite` without its warning on stderr, which every command would print. */
function loadNodeSqlite(): { DatabaseSync: DatabaseSyncClass } {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return load('node:sqlite') as { DatabaseSync: DatabaseSyncClass };
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * Collects garbage, and lets the finalizers run. `@photostructure/sqlite` finalizes a statement only when it is
 * collected; with one left, the connection stays open after `close()`, and the WAL remains.
 */
async function collectStatements(): Promise<void> {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  await new Promise((resolve) => setImmediate(resolve));
}

// In order of preference: the first does not block the process, the second needs no package, the third needs no compiler and
// runs on every Node.
const DRIVERS: Record<string, () => object> = {
  sqlite3: () => load('sqlite3') as object,
  node: () => {
    if (!isSafeSqlite(process.versions['sqlite'] ?? '0')) throw new Error("Node's SQLite is missing or too old");
    return adaptSyncSqlite(loadNodeSqlite().DatabaseSync);
  },
  photostructure: () =>
    adaptSyncSqlite(
      (load('@photostructure/sqlite') as { DatabaseSync: DatabaseSyncClass }).DatabaseSync,
      collectStatements,
    ),
};

/**
 * Loads the SQLite driver for Sequelize's `dialectModule`: the sqlite3 package if its binding was built, else Node's own
 * SQLite if that is new enough, else the package that ships its binaries. `SEO_ADMIN_SQLITE_DRIVER` picks one. Throws
 * `not_configured` with the command to run if none, or not the one asked for, can be loaded.
 */
export function sqliteDriver(): object {
  const asked = process.env['SEO_ADMIN_SQLITE_DRIVER'] || undefined;
  if (asked !== undefined && !Object.hasOwn(DRIVERS, asked)) {
    const params = { name: 'SEO_ADMIN_SQLITE_DRIVER', where: 'env', value: asked };
    throw new AppError('not_configured', 'config.bad_value', params, { code: 'bad_configuration' });
  }
  const failures: unknown[] = [];
  for (const name of asked === undefined ? Object.keys(DRIVERS) : [asked]) {
    try {
      const driver = DRIVERS[name]?.();
      if (driver) return driver;
    } catch (error) {
      failures.push(error);
    }
  }
  throw new AppError('not_configured', 'database.no_driver', {}, { cause: new AggregateError(failures) });
}
