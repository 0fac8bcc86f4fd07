// As `restore.long.test.ts`, for a database of a PostgreSQL server that waits for its disk as in production.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, execute, executeUnaudited, openDatabase, select, transaction } from '../../db/index.ts';
import { migrate } from '../../db/migrate.ts';
import { config } from '../../src/lib/config.ts';
import { openKeys } from '../../src/services/access/keys.ts';
import { backupDatabase } from '../../src/services/system/backups/backup.ts';
import { drill } from '../../src/services/system/backups/drill.ts';
import { restoreDatabase } from '../../src/services/system/backups/restore.ts';
import { startPostgres, type PostgresServer } from '../support/postgres/cluster.ts';
import { temporaryConfig } from '../support/server.ts';

const WANTED_BYTES = 1e9;

let server: PostgresServer;
let folder: string;
beforeAll(async () => {
  server = startPostgres({ durable: true, databases: ['one'] });
  folder = mkdtempSync(join(tmpdir(), 'seo-admin-test-'));
  await openDatabase(server.address('one'));
  await migrate();
  temporaryConfig({ databaseUrl: server.address('one') }, folder);
  await openKeys(config());
});
afterAll(async () => {
  await closeDatabase();
  server.close();
  rmSync(folder, { recursive: true });
});

const number = async (sql: string): Promise<number> => Number((await select<{ n: string }>(sql))[0]!.n);
const size = (): Promise<number> => number('SELECT pg_database_size(current_database()) AS n');
const count = (): Promise<number> => number('SELECT COUNT(*) AS n FROM checks');

test('1 GB of a PostgreSQL database, most of it checks with their indexes, is backed up, proved and brought back', async () => {
  await transaction(async () => {
    await executeUnaudited(
      'demo',
      `INSERT INTO users (id, login, password, role, active, created_at) VALUES (1, 'long', '', 'admin', 1, '2026-01-01')`,
    );
    await executeUnaudited(
      'demo',
      `INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, created_at, updated_at)
       SELECT 1, 'd' || n || '.example', 'd' || n || '.example', '', 'main', 'manual', 'off', 'available', '2026-01-01', '2026-01-01'
       FROM generate_series(1, 20000) AS n`,
    );
  });
  while ((await size()) < WANTED_BYTES) {
    await transaction(() =>
      execute(
        `INSERT INTO checks (domain_id, kind, checked_at, verdict, http_status_code, detail, repeats)
         SELECT d.id, 'http', '2026-01-01T00:00:00.000Z', 'available', 200, md5(random()::text) || md5(random()::text), 1
         FROM domains d CROSS JOIN generate_series(1, 10)`,
      ),
    );
  }
  const rows = await count();
  const times: Record<string, number> = {};
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    times[name] = Math.round(performance.now() - start) / 1_000;
    return result;
  };
  const stored = await size();
  const copy = join(folder, 'copy.dump');
  const { bytes } = await timed('backup', () => backupDatabase(config(), copy, false));
  await timed('drill', () => drill(copy));
  await closeDatabase();
  await timed('restore', () => restoreDatabase(config(), copy));
  await openDatabase(server.address('one'));
  console.log(
    `restore: PostgreSQL, ${stored} bytes, ${rows} checks, a dump of ${bytes} bytes, in seconds: ${JSON.stringify(times)}`,
  );
  expect(await count()).toBe(rows);
});
