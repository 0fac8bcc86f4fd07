// An upgrade backs up what it changes, and the backup is the way back to the former version.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, dialect, openDatabase, select } from '../../../../db/index.ts';
import { appliedMigrations, migrate, pendingMigrations } from '../../../../db/migrate.ts';
import { migrations } from '../../../../db/migrations/index.ts';
import { isPostgres } from '../../../../src/lib/database-address.ts';
import { config } from '../../../../src/lib/config.ts';
import { openKeys } from '../../../../src/services/access/keys.ts';
import { drill } from '../../../../src/services/system/backups/drill.ts';
import { readManifest } from '../../../../src/services/system/backups/files.ts';
import { restoreDatabase } from '../../../../src/services/system/backups/restore.ts';
import { upgradeDatabase } from '../../../../src/services/system/backups/upgrade.ts';
import type { Message } from '../../../../src/shared/i18n/index.ts';
import { addUser, emptyPlace } from '../../../support/database.ts';
import { dropDatabase } from '../../../support/postgres/template.ts';
import { temporaryConfig } from '../../../support/server.ts';
import { addressBeside } from '../../../../db/postgres-beside.ts';

let folder = '';
let told: Message[] = [];
const tell = (message: Message): number => told.push(message);
let address = '';
const NEWEST = migrations.at(-1)!;
const FORMER = migrations.slice(0, -1).map(({ name }) => name);

/** Works as the former version does, which does not know the newest migration. */
async function asFormer<T>(work: () => Promise<T>): Promise<T> {
  migrations.pop();
  try {
    return await work();
  } finally {
    migrations.push(NEWEST);
  }
}

beforeEach(async () => {
  told = [];
  folder = mkdtempSync(join(tmpdir(), 'seo-admin-upgrade-'));
  address = await emptyPlace(folder);
  temporaryConfig(isPostgres(address) ? { databaseUrl: address } : { databaseFile: address }, folder);
  await openDatabase(address);
  await asFormer(migrate);
  await openKeys(config());
  await addUser('ann');
});
afterEach(async () => {
  await closeDatabase();
  await dropDatabase(address);
  rmSync(folder, { recursive: true });
});

test('of two upgrades at once one backs up and migrates; the former version refuses the result, and takes the backup', async () => {
  const done = await Promise.all([upgradeDatabase(tell), upgradeDatabase(tell)]);
  expect(done.flat()).toEqual([NEWEST.name]);
  expect(told).toEqual([]);
  const before = join(folder, 'backups', `before-${NEWEST.name}.${dialect() === 'sqlite' ? 'sqlite' : 'dump'}`);
  expect((await readManifest(before))?.migrations).toEqual(FORMER);
  expect(await drill(before)).toMatchObject({ compared: true });
  await expect(asFormer(pendingMigrations)).rejects.toMatchObject({ key: 'database.newer' });
  await closeDatabase();
  const { kept } = await asFormer(() => restoreDatabase(config(), before));
  await openDatabase(address);
  expect(await appliedMigrations()).toEqual(FORMER);
  expect(await select('SELECT login FROM users')).toEqual([{ login: 'ann' }]);
  await dropDatabase(isPostgres(address) ? addressBeside(address, kept ?? '') : '');
});

test('an upgrade without a backup changes nothing, and a new database needs none', async () => {
  await closeDatabase();
  // The folder of the backups is a file.
  const other = mkdtempSync(join(folder, 'new-'));
  temporaryConfig({ ...config(), dataDir: join(folder, 'key') });
  await openDatabase(address);
  await expect(upgradeDatabase(tell)).rejects.toThrow('ENOTDIR');
  expect(await appliedMigrations()).toEqual(FORMER);
  await closeDatabase();
  const empty = await emptyPlace(other);
  temporaryConfig(isPostgres(empty) ? { databaseUrl: empty } : { databaseFile: empty }, other);
  await openDatabase(empty);
  expect(await upgradeDatabase(tell)).toContain(NEWEST.name);
  expect(existsSync(join(other, 'backups'))).toBe(false);
  expect(readdirSync(other).filter((name) => name.startsWith('before-'))).toEqual([]);
  await closeDatabase();
  await dropDatabase(empty);
});

test('who comes while another one makes the tables waits for it, and backs nothing up', async () => {
  const other = mkdtempSync(join(folder, 'new-'));
  await closeDatabase();
  const empty = await emptyPlace(other);
  temporaryConfig(isPostgres(empty) ? { databaseUrl: empty } : { databaseFile: empty }, other);
  await openDatabase(empty);
  const first = upgradeDatabase(tell);
  await expect.poll(async () => (await appliedMigrations()).length, { interval: 1 }).toBeGreaterThan(0);
  expect(await upgradeDatabase(tell)).toEqual([]);
  expect(await first).toContain(NEWEST.name);
  expect(existsSync(join(other, 'backups'))).toBe(false);
  await closeDatabase();
  await dropDatabase(empty);
});

test('a migration waits for a backup that is under way, and says so', async () => {
  if (!isPostgres(address)) return;
  const client = new Client({ connectionString: address });
  await client.connect();
  const { rows } = await client.query<{ names: string }>(
    `SELECT string_agg(quote_ident(tablename), ', ') AS names FROM pg_tables
     WHERE schemaname = 'public' AND tablename NOT IN ('migrations', 'writers')`,
  );
  await client.query(`BEGIN; LOCK TABLE ${rows[0]?.names} IN SHARE ROW EXCLUSIVE MODE`);
  const upgrading = upgradeDatabase(tell);
  await expect.poll(() => told).toContainEqual({ key: 'upgrade.waits' });
  expect(await appliedMigrations()).toEqual(FORMER);
  await client.query('COMMIT');
  expect(await upgrading).toEqual([NEWEST.name]);
  await client.end();
});

test('without pg_dump a database of a server is upgraded, and that it was not backed up is told', async () => {
  const path = process.env['PATH'];
  process.env['PATH'] = folder;
  const done = await upgradeDatabase(tell).finally(() => (process.env['PATH'] = path));
  expect(done).toEqual([NEWEST.name]);
  const lacks = { key: 'upgrade.unsaved', also: [{ key: 'backup.no_tool', params: { tool: 'pg_dump' } }] };
  expect(told).toEqual(isPostgres(address) ? [lacks] : []);
});
