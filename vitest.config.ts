import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';
import { isSafeSqlite } from './db/driver.ts';
import { useMemory } from './test/support/vitest/memory.ts';
import { SlowFirst } from './test/support/vitest/slow-first.ts';
import { withoutDatabase } from './test/support/vitest/without-database.ts';

const LONG = 'test/**/*.long.test.ts';
const BROWSER = 'test/e2e/**';
const CLI = 'test/cli/**';
const DB = 'test/db/**';
const CHILDREN = 'test/support/build-children.ts';
const MIGRATED = 'test/support/vitest/migrated-file.ts';
// A process for each file would load the packages anew as well, which took a quarter of the time.
const SHARED = 'test/support/vitest/setup.ts';

// Files that run on PostgreSQL as well as on SQLite where it opens a database; the files of `test/db/postgres` are about PostgreSQL alone.
const ON_POSTGRES = [
  'test/db/audit.test.ts',
  'test/db/audit-chain.test.ts',
  'test/db/transaction.test.ts',
  'test/db/tables.test.ts',
  'test/db/readers.test.ts',
  'test/db/migrate.test.ts',
  'test/db/postgres/*.test.ts',
  'test/operations/*.test.ts',
  'test/services/**/*.test.ts',
  'test/api/**/*.test.ts',
  'test/bot/*.test.ts',
];

// Files about the file of a SQLite database: its copy, its disk, its absence, its former contents.
const ABOUT_THE_FILE = [
  'test/services/access/logins-twice.test.ts',
  'test/services/system/backup.test.ts',
  'test/services/system/backups/copies.test.ts',
  'test/services/system/backups/drill.test.ts',
  'test/services/system/backups/key-beside.test.ts',
  'test/services/system/backups/over.test.ts',
  'test/services/system/backups/restores-at-once.test.ts',
  'test/services/system/restored-audit.test.ts',
  'test/services/system/audit-disk.test.ts',
  'test/services/purchases/full-disk.test.ts',
  'test/services/dns/bulk-disk.test.ts',
  'test/api/full-disk.test.ts',
  'test/api/database-file.test.ts',
];

const canLoad = (name: string): boolean => {
  try {
    createRequire(import.meta.url)(name);
    return true;
  } catch {
    return false;
  }
};
// Every SQLite driver that this machine and this Node have.
const drivers = [
  ...(canLoad('sqlite3') ? ['sqlite3'] : []),
  ...(canLoad('@photostructure/sqlite') ? ['photostructure'] : []),
  ...(isSafeSqlite(process.versions['sqlite'] ?? '0') ? ['node'] : []),
];

useMemory();

export default defineConfig({
  test: {
    // Nets against hanging, no measures: they hold on a machine that does ten times as much beside.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // For two cores, of which Vitest would leave one free: many tests wait for processes that they have started or killed, and a
    // third worker uses that time.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [LONG, BROWSER, CLI, DB],
          globalSetup: [CHILDREN, MIGRATED],
          isolate: false,
          setupFiles: SHARED,
        },
      },
      ...drivers.map((driver) => ({
        extends: true as const,
        test: {
          name: `db ${driver}`,
          include: ['test/db/*.test.ts'],
          env: { SEO_ADMIN_SQLITE_DRIVER: driver },
          globalSetup: [CHILDREN, MIGRATED],
          isolate: false,
          setupFiles: SHARED,
        },
      })),
      // Tests that run on PostgreSQL as well, on one server for all of them.
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ON_POSTGRES,
          exclude: [
            ...ABOUT_THE_FILE,
            ...withoutDatabase(['test/operations', 'test/services', 'test/api', 'test/bot']),
          ],
          globalSetup: [CHILDREN, MIGRATED, 'test/support/postgres/server.ts'],
          isolate: false,
          setupFiles: [SHARED, 'test/support/postgres/worker.ts'],
        },
      },
      // The program that these tests run in processes of its own is built before them.
      {
        extends: true,
        test: {
          name: 'cli',
          include: [`${CLI}/*.test.{ts,tsx}`],
          globalSetup: ['test/cli/setup.ts', MIGRATED],
          isolate: false,
          setupFiles: SHARED,
        },
      },
      // The UI is built and a browser started for these alone.
      {
        extends: true,
        test: {
          name: 'browser',
          include: [`${BROWSER}/*.test.ts`],
          globalSetup: ['test/e2e/setup.ts', MIGRATED],
          isolate: false,
          setupFiles: SHARED,
        },
      },
    ],
  },
});
