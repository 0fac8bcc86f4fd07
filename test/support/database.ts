import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeDatabase, openDatabase, select, transaction } from '../../db/index.ts';
import { migrate } from '../../db/migrate.ts';
import { useSecretKey } from '../../src/lib/secret.ts';
import { insertUser } from '../../src/services/access/users.ts';
import type { Role } from '../../src/shared/access/users.ts';

// Migrations take longer than most tests: they run once, and every database starts as a copy.
let migrated: Buffer | undefined;

async function migratedIn(folder: string): Promise<Buffer> {
  const file = join(folder, 'migrated.sqlite');
  await openDatabase(file);
  await migrate();
  await closeDatabase();
  return readFileSync(file);
}

/** Opens a migrated database in its own file, with a key for secrets, for tests below the doors. */
export async function startDatabase(): Promise<{ file: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'seo-admin-test-'));
  const file = join(folder, 'seo-admin.sqlite');
  migrated ??= await migratedIn(folder);
  writeFileSync(file, migrated, { mode: 0o600 });
  await openDatabase(file);
  useSecretKey(randomBytes(32));
  return {
    file,
    close: async () => {
      await closeDatabase();
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

/** Returns the names of all tables. */
export async function tableNames(): Promise<string[]> {
  const rows = await select<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}

/**
 * Returns all stored rows as text for comparison, except the time of a session's last request, which any call of a
 * signed-in caller may write.
 */
export async function dump(): Promise<string> {
  const tables = await tableNames();
  const rows = await Promise.all(
    tables.map((table) => select<Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY 1`)),
  );
  return JSON.stringify(Object.fromEntries(tables.map((table, index) => [table, rows[index]])), (key, value: unknown) =>
    key === 'last_seen_at' ? undefined : value,
  );
}
