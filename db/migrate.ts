import { AppError } from '../src/shared/errors.ts';
import { compact, execute, select, transaction } from './index.ts';
import { portfolio } from './migrations/0001-portfolio.ts';
import { operations } from './migrations/0002-operations.ts';
import { sites } from './migrations/0003-sites.ts';
import { ownership } from './migrations/0004-ownership.ts';
import { attachments } from './migrations/0005-attachments.ts';
import { moves } from './migrations/0006-moves.ts';
import { lists } from './migrations/0007-lists.ts';
import { signInNetworks } from './migrations/0009-sign-in-networks.ts';
import { cloudflare } from './migrations/0010-cloudflare.ts';
import { history } from './migrations/0011-history.ts';

/**
 * A change of the schema: statements that run in one transaction with the note that they did. What is too much for one
 * transaction is done before them by `slice`, which is called in a transaction of its own until it returns false; it
 * must go on where it was interrupted.
 */
export interface Migration {
  name: string;
  statements: string[];
  slice?: () => Promise<boolean>;
}

/** Every migration, oldest first. A landed one is never edited: write the next. */
export const migrations: Migration[] = [
  portfolio,
  operations,
  sites,
  ownership,
  attachments,
  moves,
  lists,
  signInNetworks,
  cloudflare,
  history,
];

const LEDGER = 'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)';

/** The names that have been applied, oldest first. */
export async function appliedMigrations(): Promise<string[]> {
  const [ledger] = await select(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'`);
  if (!ledger) return [];
  const rows = await select<{ name: string }>('SELECT name FROM migrations ORDER BY name');
  return rows.map((row) => row.name);
}

/** The migrations that are still to come. Refuses a database that a newer version has changed. */
export async function pendingMigrations(): Promise<string[]> {
  const applied = await appliedMigrations();
  const known = new Set(migrations.map(({ name }) => name));
  const newer = applied.filter((name) => !known.has(name));
  if (newer.length > 0) throw new AppError('not_configured', 'database.newer', { names: newer.join(', ') });
  const done = new Set(applied);
  return migrations.map(({ name }) => name).filter((name) => !done.has(name));
}

/**
 * Brings the schema up to date and returns the names that were applied. Each migration is one transaction, so a crash
 * leaves it done or not begun; two processes that start at once apply it once. umzug is loaded only where something is
 * to be done: it costs 240 ms.
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

async function apply({ name, statements, slice }: Migration): Promise<boolean> {
  // Another process may be at it, too: each slice looks anew.
  const isLeft = (): Promise<boolean> =>
    transaction(async () => slice !== undefined && !(await isApplied(name)) && (await slice()));
  while (await isLeft()) continue;
  return transaction(async () => {
    if (await isApplied(name)) return false;
    for (const statement of statements) await execute(statement);
    await execute('INSERT INTO migrations (name, applied_at) VALUES ($name, $now)', {
      name,
      now: new Date().toISOString(),
    });
    return true;
  });
}
