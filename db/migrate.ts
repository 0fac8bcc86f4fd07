import { setTimeout as sleep } from 'node:timers/promises';
import { crashPoint } from '../src/lib/crash-point.ts';
import { troubleOf } from '../src/lib/database-trouble.ts';
import { AppError } from '../src/shared/errors.ts';
import { compact, dialect, execute, executeUnaudited, select, transaction } from './index.ts';
import { migrations, type Migration } from './migrations/index.ts';
import { hasTable } from './tables.ts';

// A dump of a large database holds its tables for some minutes.
const GIVE_UP_MS = 15 * 60_000;
const PAUSE_MS = 1_000;

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
 * done or not begun; two processes that start at once apply them once. `onWait` is called where another process, such as a backup, holds a table
 * that one is to change. umzug is loaded only if needed: it costs 240 ms.
 */
export async function migrate(onWait: () => void = () => undefined): Promise<string[]> {
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
        if (await whenFree(() => apply(migration), onWait)) applied.push(migration.name);
      },
    })),
  });
  await umzug.up();
  if (applied.length > 0) await compact();
  return applied;
}

/** Tries again while another process holds what a try waits for, with pauses in which others are let through. */
async function whenFree<T>(work: () => Promise<T>, onWait: () => void): Promise<T> {
  for (const start = performance.now(); ; await sleep(PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (troubleOf(error) !== 'busy' || performance.now() - start > GIVE_UP_MS) throw error;
      onWait();
    }
  }
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
    crashPoint(`migration:${name}`);
    return true;
  });
}
