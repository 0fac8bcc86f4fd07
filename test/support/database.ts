import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeDatabase, openDatabase, select, transaction } from '../../db/index.ts';
import { openSqlite } from '../../db/sqlite.ts';
import { tableNames } from '../../db/tables.ts';
import { useSecretKey } from '../../src/lib/secret.ts';
import { insertUser } from '../../src/services/access/users.ts';
import type { Role } from '../../src/shared/access/users.ts';
import { MIGRATED, migrateFile } from './vitest/migrated-file.ts';
import { copyOfTemplate, dropDatabase, emptyDatabase } from './postgres/template.ts';

// Migrations take longer than most tests: they run once, and every database starts as a copy.
let migrated: Buffer | undefined;

async function migratedIn(folder: string): Promise<Buffer> {
  const made = process.env[MIGRATED];
  if (made !== undefined) return readFileSync(made);
  const file = join(folder, 'migrated.sqlite');
  await migrateFile(file);
  return readFileSync(file);
}

/** Returns the address of a new migrated database: of PostgreSQL in its projects, else a SQLite file in the folder. */
export async function newDatabase(folder: string): Promise<string> {
  const server = process.env['TEST_POSTGRES'];
  if (server) return copyOfTemplate(server);
  const file = join(folder, 'seo-admin.sqlite');
  migrated ??= await migratedIn(folder);
  writeFileSync(file, migrated, { mode: 0o600 });
  return file;
}

/** Returns the address of a new database without tables; a SQLite file does not exist yet. */
export const emptyPlace = async (folder: string): Promise<string> => {
  const server = process.env['TEST_POSTGRES'];
  return server ? emptyDatabase(server) : join(folder, 'empty.sqlite');
};

/** A database that is open, the address to open it by, and a folder that is deleted with it. */
export interface TestDatabase {
  file: string;
  folder: string;
  close: () => Promise<void>;
}

/** Opens a migrated database of its own, with a key for secrets, for tests below the doors. */
export async function startDatabase(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'seo-admin-test-'));
  const file = await newDatabase(folder);
  await openDatabase(file);
  useSecretKey(randomBytes(32));
  return {
    file,
    folder,
    close: async () => {
      await closeDatabase();
      await dropDatabase(file);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Adds a user who never signs in: no password is hashed. */
export const addUser = async (login: string, role: Role = 'user') => ({
  id: await transaction(() => insertUser({ login, role }, 'no hash')),
  login,
  role,
});

/**
 * Returns all stored rows as text for comparison, those of a table in the order of their texts, except what any call may write: the
 * time of a session's last request, and the counts of outside calls. `leaves` are the tables, `without` further columns to leave out.
 */
export async function dump(
  leaves: readonly string[] = ['call_budgets'],
  without: readonly string[] = [],
): Promise<string> {
  const tables = (await tableNames()).filter((name) => !leaves.includes(name));
  const rows = await Promise.all(tables.map((table) => select<Record<string, unknown>>(`SELECT * FROM ${table}`)));
  const left = new Set(['last_seen_at', ...without]);
  const texts = (table: readonly Record<string, unknown>[]): string =>
    table
      .map((row) => JSON.stringify(row, (key, value: unknown) => (left.has(key) ? undefined : value)))
      .toSorted()
      .join(',');
  return `{${tables.map((table, index) => `${JSON.stringify(table)}:[${texts(rows[index] ?? [])}]`).join(',')}}`;
}

// A call has looked at what it needs by then, and waits for its turn to write.
const LOOKED_MS = 500;

/** Begins a call while all writers wait, does something in the transaction before it, and returns what it answers. */
export async function whileWaiting<T>(call: () => Promise<T>, between: () => Promise<unknown>): Promise<T> {
  const writes = new EventEmitter();
  const begun = once(writes, 'begun');
  const writer = transaction(async () => {
    writes.emit('begun');
    await once(writes, 'go on');
    await between();
  });
  await begun;
  const answer = call();
  await new Promise((resolve) => setTimeout(resolve, LOOKED_MS));
  writes.emit('go on');
  await writer;
  return answer;
}

/** Takes the write lock of a SQLite file over a connection of its own, as another process does, and keeps it until the returned function is called. */
export async function holdWriteLock(file: string): Promise<() => Promise<void>> {
  const connection = await openSqlite(file, { mustExist: true });
  await connection.script('BEGIN IMMEDIATE');
  return async () => {
    await connection.run('ROLLBACK');
    await connection.close();
  };
}
