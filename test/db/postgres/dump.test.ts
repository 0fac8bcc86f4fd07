// Backups of a PostgreSQL database, by the programs of PostgreSQL: what is in them, a drill, and the way back.
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, openDatabase, select } from '../../../db/index.ts';
import { addressBeside } from '../../../db/postgres-beside.ts';
import { config } from '../../../src/lib/config.ts';
import { openKeys } from '../../../src/services/access/keys.ts';
import { runDrill } from '../../../src/services/system/backups/drill-job.ts';
import { forTools } from '../../../src/services/system/backups/dump.ts';
import { digestOf } from '../../../src/services/system/backups/files.ts';
import { runBackup } from '../../../src/services/system/backups/job.ts';
import { restoreDatabase } from '../../../src/services/system/backups/restore.ts';
import { readTrial } from '../../../src/services/system/backups/state.ts';
import { addUser, startDatabase, type TestDatabase } from '../../support/database.ts';
import { dropDatabase } from '../../support/postgres/template.ts';
import { temporaryConfig } from '../../support/server.ts';

const PASSPHRASE = 'a passphrase of some length';

let database: TestDatabase;
let folder = '';
beforeEach(async () => {
  database = await startDatabase();
  folder = join(database.folder, 'backups');
  temporaryConfig({ databaseUrl: database.file, backupPassphrase: PASSPHRASE }, database.folder);
  await openKeys(config());
  await addUser('ann');
});
afterEach(() => database.close());

const newest = (): string => join(folder, readdirSync(folder).findLast((name) => name.endsWith('.dump')) ?? '');
const logins = async () =>
  (await select<{ login: string }>('SELECT login FROM users ORDER BY id')).map((row) => row.login);

/** Returns the databases beside, made by a drill or a restore. */
const beside = async (): Promise<string[]> => {
  const found = await select<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE starts_with(datname, 'seo_admin_beside_')`,
  );
  return found.map(({ name }) => name);
};

test('a dump holds what it tells, is proved beside, and comes back; the former database and nothing else stays', async () => {
  expect((await runBackup()).result).toBe('ok');
  await addUser('bob');
  expect(await runDrill()).toMatchObject({ result: 'ok' });
  expect(await readTrial('drill')).toMatchObject({ failed: null });
  expect(await beside()).toEqual([]);
  const told = JSON.parse(readFileSync(`${newest()}.json`, 'utf8')) as { dialect: string; counts: object };
  expect(told).toMatchObject({ dialect: 'postgres', counts: { users: 1 } });
  await closeDatabase();

  const other = new Client({ connectionString: database.file });
  await other.connect();
  await expect(restoreDatabase(config(), newest())).rejects.toMatchObject({ kind: 'busy', key: 'backup.in_use' });
  await other.end();
  await openDatabase(database.file);
  expect([await logins(), await beside()]).toEqual([['ann', 'bob'], []]);
  await closeDatabase();

  const restored = await restoreDatabase(config(), newest());
  expect(restored).toMatchObject({ checksum: 'right', key: 'same', pending: [] });
  const former = addressBeside(database.file, restored.kept ?? '');
  try {
    await openDatabase(former);
    expect(await logins()).toEqual(['ann', 'bob']);
    await closeDatabase();
    await openDatabase(database.file);
    await openKeys(config());
    expect([await logins(), await beside()]).toEqual([['ann'], []]);
    await addUser('carl');
  } finally {
    await closeDatabase();
    await dropDatabase(former);
    await openDatabase(database.file);
  }
});

test('of two restores at once one is made and the other one is busy; two within one second keep both former databases', async () => {
  const kept: string[] = [];
  vi.useFakeTimers({ toFake: ['Date'] });
  await runBackup();
  const dump = newest();
  try {
    await addUser('bob');
    await closeDatabase();
    const ends = await Promise.allSettled([restoreDatabase(config(), dump), restoreDatabase(config(), dump)]);
    const made = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value.kept ?? ''] : []));
    kept.push(...made);
    expect(ends.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { kind: 'busy', key: 'backup.restoring' } },
    ]);
    await openDatabase(database.file);
    await addUser('carl');
    await closeDatabase();
    kept.push((await restoreDatabase(config(), dump)).kept ?? '');
    const found = [];
    for (const name of kept) {
      await openDatabase(addressBeside(database.file, name));
      found.push(await logins());
      await closeDatabase();
    }
    expect(found).toEqual([
      ['ann', 'bob'],
      ['ann', 'carl'],
    ]);
  } finally {
    vi.useRealTimers();
    await closeDatabase();
    for (const name of kept) await dropDatabase(addressBeside(database.file, name));
    await openDatabase(database.file);
  }
});

test('a damaged dump is refused, and a backup without the programs of PostgreSQL says what to install', async () => {
  await runBackup();
  truncateSync(newest(), 20_000);
  await expect(runDrill()).rejects.toMatchObject({ key: 'backup.damaged', params: { reason: 'sha256' } });
  writeFileSync(`${newest()}.sha256`, `${await digestOf(newest())}  x\n`);
  await expect(runDrill()).rejects.toMatchObject({ key: 'backup.damaged' });
  expect(await beside()).toEqual([]);
  rmSync(folder, { recursive: true });
  const { PATH } = process.env;
  process.env['PATH'] = '/nowhere';
  try {
    await expect(runBackup()).rejects.toMatchObject({ kind: 'not_configured', key: 'backup.no_tool' });
  } finally {
    process.env['PATH'] = PATH;
  }
  expect(readdirSync(folder)).toEqual([]);
});

test('a password goes into no argument', () => {
  expect(forTools('postgres://seo:s%20cret@db.example/seo?sslmode=no-verify')).toEqual({
    address: 'postgres://seo@db.example/seo?sslmode=require',
    password: 's cret',
  });
  expect(forTools('postgres://seo@db.example/seo?options=-c%20search_path%3Down').address).toBe(
    'postgres://seo@db.example/seo?options=-c%20search_path%3Down',
  );
  const hidden = forTools('postgres://seo@db.example/seo?password=s+cret');
  expect(hidden).toEqual({ address: 'postgres://seo@db.example/seo', password: 's cret' });
});
