import { AppError } from '../src/shared/errors.ts';
import { compact, dialect, execute, executeUnaudited, select, transaction } from './index.ts';
import { hasTable } from './tables.ts';
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
import { locks } from './migrations/0012-locks.ts';
import { operationFacts } from './migrations/0013-operation-facts.ts';
import { audit } from './migrations/0014-audit.ts';
import { registrars } from './migrations/0016-registrars.ts';
import { registrations } from './migrations/0017-registrations.ts';
import { purchases } from './migrations/0018-purchases.ts';
import { autoBuy } from './migrations/0019-auto-buy.ts';
import { expiryFeeds } from './migrations/0020-expiry-feeds.ts';
import { renewedOnce } from './migrations/0021-renewed-once.ts';
import { searchAccounts } from './migrations/0025-search-accounts.ts';
import { positions } from './migrations/0026-positions.ts';
import { searchTasks } from './migrations/0027-search-tasks.ts';
import { schedules } from './migrations/0030-schedules.ts';
import { auditAnchor } from './migrations/0031-audit-anchor.ts';
import { notices } from './migrations/0032-notices.ts';
import { noticeAcknowledgements } from './migrations/0033-notice-acknowledgements.ts';
import { telegram } from './migrations/0034-telegram.ts';
import { why } from './migrations/0035-why.ts';
import { people } from './migrations/0036-people.ts';
import { secondFactor } from './migrations/0037-second-factor.ts';

/**
 * A change of the schema: statements that run in one transaction together with the note that they did. Work too large for
 * one transaction is done before them by `slice`, which is called in a transaction of its own until it returns false; after
 * an interruption it must continue where it stopped. `postgres` stands for both where PostgreSQL needs other statements than
 * those that `postgres-statement.ts` translates.
 */
export interface Migration {
  name: string;
  statements: string[];
  slice?: () => Promise<boolean>;
  postgres?: string[];
}

/** Every migration, oldest first; one of a statement or two stands here itself. Never edit one that has landed: write a new one. */
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
  locks,
  operationFacts,
  audit,
  // PostgreSQL expects a thousand members otherwise, and reads a whole table where a few rows are found by an index.
  { name: '0015-few-members', statements: [], postgres: ['ALTER FUNCTION json_each(text) ROWS 10'] },
  registrars,
  registrations,
  purchases,
  autoBuy,
  expiryFeeds,
  renewedOnce,
  {
    name: '0022-purchases-switch',
    statements: ['switched_at', 'switched_by'].map((column) => `ALTER TABLE budget_settings ADD COLUMN ${column} TEXT`),
  },
  {
    name: '0023-tries',
    statements: ['ALTER TABLE operations ADD COLUMN tries INTEGER NOT NULL DEFAULT 0'],
  },
  {
    name: '0024-registry-turns',
    statements: [
      'CREATE TABLE registry_turns (server TEXT PRIMARY KEY, period_at TEXT NOT NULL, calls INTEGER NOT NULL)',
    ],
  },
  searchAccounts,
  positions,
  {
    name: '0027-indexation',
    statements: [
      `CREATE TABLE indexation_spans (
        domain_id INTEGER NOT NULL REFERENCES domains(id) ON DELETE CASCADE,
        engine TEXT NOT NULL,
        since TEXT NOT NULL,
        indexed INTEGER NOT NULL,
        last_checked_at TEXT NOT NULL,
        doubted_at TEXT,
        PRIMARY KEY (domain_id, engine, since)
      )`,
    ],
  },
  searchTasks,
  {
    name: '0028-pages-read',
    statements: [`ALTER TABLE search_pages ADD COLUMN read_at TEXT NOT NULL DEFAULT ''`],
  },
  {
    name: '0029-moves-of-gone',
    statements: ['main', 'transfer'].map((side) => `ALTER TABLE transfer_history ADD COLUMN gone_${side}_id INTEGER`),
  },
  schedules,
  auditAnchor,
  notices,
  noticeAcknowledgements,
  telegram,
  why,
  people,
  secondFactor,
  {
    name: '0038-triage',
    statements: [
      'CREATE INDEX events_kind ON events (kind, at)',
      'CREATE INDEX notice_subjects_closed ON notice_subjects (closed_at) WHERE closed_at IS NOT NULL',
    ],
  },
  {
    // What operations have done to a name, for its page: the other index begins with the operation.
    name: '0039-work-by-name',
    statements: ['CREATE INDEX operation_items_name ON operation_items (lock_name)'],
  },
  {
    name: '0040-budgets',
    statements: [
      `CREATE TABLE call_budgets (
        key TEXT PRIMARY KEY,
        service TEXT NOT NULL,
        calls INTEGER NOT NULL,
        seconds INTEGER NOT NULL,
        slices TEXT NOT NULL,
        blocked_until TEXT,
        changed_at TEXT NOT NULL
      )`,
    ],
  },
  {
    name: '0041-reserve-looks',
    statements: [
      'CREATE TABLE reserve_looks (project_id INTEGER PRIMARY KEY REFERENCES projects(id) ON DELETE CASCADE, ready INTEGER NOT NULL)',
      // What was told of a project lasts from now on, whatever its name.
      `UPDATE notice_subjects SET subject = 'project:' || project_id WHERE project_id IS NOT NULL
         AND notice_id IN (SELECT id FROM notices WHERE kind = 'no_reserve')`,
    ],
  },
  { name: '0042-requests', statements: ['ALTER TABLE operations ADD COLUMN request_id TEXT'] },
  {
    name: '0044-sign-in-tries',
    statements: [
      'CREATE TABLE sign_in_tries (key TEXT PRIMARY KEY, book TEXT NOT NULL, expires_at TEXT NOT NULL)',
      'CREATE INDEX sign_in_tries_expires ON sign_in_tries (expires_at)',
    ],
  },
  { name: '0045-traces', statements: ['ALTER TABLE operations ADD COLUMN trace TEXT'] },
  {
    name: '0047-list-views',
    statements: [
      `CREATE TABLE list_settings (
        user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
        list TEXT NOT NULL,
        columns TEXT,
        density TEXT NOT NULL,
        PRIMARY KEY (user_id, list)
      )`,
      `CREATE TABLE list_views (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
        list TEXT NOT NULL,
        name TEXT NOT NULL,
        query TEXT NOT NULL,
        created_at TEXT NOT NULL
      )`,
      'CREATE UNIQUE INDEX list_views_name ON list_views (user_id, list, name)',
    ],
  },
  {
    // What does not answer, in the words of `filters().broken`. Its first column is one that each read asks for: by that alone SQLite takes it. The
    // time of the check, which each check changes, stays out: PostgreSQL would write all indexes of the row anew.
    name: '0048-silent-names',
    statements: [
      `CREATE INDEX domains_silent ON domains (deleted_at, server_id, cloudflare_account_id)
         WHERE deleted_at IS NULL AND NOT COALESCE(http_status_code BETWEEN 200 AND 299, 1=0)`,
    ],
  },
];

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
