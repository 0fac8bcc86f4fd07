import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeDatabase, openDatabase } from '../../../db/index.ts';
import { migrate } from '../../../db/migrate.ts';

/** The environment variable that names a migrated SQLite file, if there is one. */
export const MIGRATED = 'TEST_MIGRATED';

/** Migrates a SQLite file: a database that starts as its copy has nothing left to migrate. */
export async function migrateFile(file: string): Promise<void> {
  await openDatabase(file);
  await migrate();
  await closeDatabase();
}

/** Runs before the tests of a project: migrates a file once, whose copies the databases of all its test files start as. */
export default async function setup(): Promise<(() => void) | undefined> {
  // Another project of the same run has made it.
  if (process.env[MIGRATED] !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'seo-admin-migrated-'));
  const file = join(folder, 'migrated.sqlite');
  await migrateFile(file);
  process.env[MIGRATED] = file;
  return () => {
    delete process.env[MIGRATED];
    rmSync(folder, { recursive: true, force: true });
  };
}
