import { AppError } from '../src/shared/errors.ts';
import { compact, dialect, execute, executeUnaudited, select, transaction } from './index.ts';
import { migrations, type Migration } from './migrations/index.ts';
import { hasTable } from './tables.ts';

const LEDGER = 'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)';

/** Returns the names of applied migrations, oldest first. */
export async function appliedMigrations(): Promise<string[]> {
  if (!(await hasTable('migrations'))) return [];
  const rows = await select<{ name: string }>('SELECT name FROM migrations ORDER BY name');
  return rows.map((row) => row.name);
}

const newerOf = (applied: readonly string[]): string[] => {
  const known = new Set(migrations.map(({ name }) => name));
  return applied.filter((name) => !known.has(name));
};

/** Returns the names of applied migrations that this version does not know: a newer one has changed the database. */
export const newerMigrations = async (): Promise<string[]> => newerOf(await appliedMigrations());

/** Returns the names of migrations not yet applied. Throws `not_configured` if a newer version has changed the database. */
export async function pendingMigrations(): Promise<string[]> {
  const applied = await appliedMigrations();
  const newer = newerOf(applied);
  if (newer.length > 0) throw new AppError('not_configured', 'database.newer', { names: newer.join(', ') });
  const done = new Set(applied);
  return migrations.map(({ name }) => name).filter((name) => !done.has(name));
}

/**
 * Applies pending migrations and returns their names. The statements of each run in one transaction, so a crash leaves them
 * done or not begun; two processes that start at once apply them once. umzug is loaded only if needed: it costs 240 ms.
 */
export async function migrate(): Promise<string[]> {
  if ((await pendingMigrations()).length === 0) return [];
  const { Umzug } = await import('umzug');
  await transaction(() => execute(LEDGER));
  const applied: string[] = [];
  const umzug = new Umzug({
    logger: undefined,
    storage: {
      executed: appliedMigrations,
      logMigration: async () => undefined,
      unlogMigration: async () => undefined,
    },
    migrations: migrations.map((migration) => ({
      name: migration.name,
      up: async () => {
        if (await apply(migration)) applied.push(migration.name);
      },
    })),
  });
  await umzug.up();
  if (applied.length > 0) await compact();
  return applied;
}

const isApplied = async (name: string): Promise<boolean> => (await appliedMigrations()).includes(name);

async function apply(migration: Migration): Promise<boolean> {
  const { name } = migration;
  const ofPostgres = dialect() === 'postgres' ? migration.postgres : undefined;
  const { statements, slice } = ofPostgres ? { statements: ofPostgres } : migration;
  // Another process may apply it at the same time: each slice checks again.
  const isLeft = (): Promise<boolean> =>
    transaction(async () => slice !== undefined && !(await isApplied(name)) && (await slice()));
  while (await isLeft()) continue;
  return transaction(async () => {
    if (await isApplied(name)) return false;
    for (const statement of statements) await executeUnaudited('migration', statement);
    await execute('INSERT INTO migrations (name, applied_at) VALUES ($name, $now)', {
      name,
      now: new Date().toISOString(),
    });
    return true;
  });
}
