// A database of 1 GB is backed up, proved and brought back; how long that takes is printed, and wanted in a minute on a machine that does nothing else.
import { rmSync, statSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../db/index.ts';
import { config } from '../../src/lib/config.ts';
import { openKeys } from '../../src/services/access/keys.ts';
import { backupDatabase } from '../../src/services/system/backups/backup.ts';
import { drill } from '../../src/services/system/backups/drill.ts';
import { restoreDatabase } from '../../src/services/system/backups/restore.ts';
import { startDatabase, type TestDatabase } from '../support/database.ts';
import { temporaryConfig } from '../support/server.ts';

const WANTED_BYTES = 1e9;

let database: TestDatabase;
beforeAll(async () => {
  database = await startDatabase();
  temporaryConfig({ databaseFile: database.file }, database.folder);
  await openKeys(config());
});
afterAll(() => database.close());

const count = async (): Promise<number> => (await select<{ n: number }>('SELECT COUNT(*) AS n FROM setup_links'))[0]!.n;

test('1 GB is backed up, proved and brought back', async () => {
  const fill = `INSERT INTO setup_links (token_hash, expires_at)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT hex(randomblob(600)), '2030' FROM n`;
  while (statSync(database.file).size < WANTED_BYTES) {
    await transaction(() => execute(fill));
    await select('PRAGMA wal_checkpoint(TRUNCATE)');
  }
  const rows = await count();
  const times: Record<string, number> = {};
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    times[name] = Math.round(performance.now() - start) / 1_000;
    return result;
  };
  const copy = `${database.file}.copy`;
  const { bytes } = await timed('backup', () => backupDatabase(config(), copy, false));
  await timed('drill', () => drill(copy));
  await closeDatabase();
  rmSync(database.file);
  await timed('restore', () => restoreDatabase(config(), copy));
  await openDatabase(database.file);
  console.log(`restore: ${bytes} bytes, ${rows} rows, in seconds: ${JSON.stringify(times)}`);
  expect(bytes).toBeGreaterThan(WANTED_BYTES * 0.9);
  expect(await count()).toBe(rows);
});
