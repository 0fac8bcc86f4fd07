// A backup is restored beside: what is damaged, or is not what was backed up, is found, and nothing of it stays.
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { select, execute, transaction } from '../../../../db/index.ts';
import { openSqlite } from '../../../../db/sqlite.ts';
import { config } from '../../../../src/lib/config.ts';
import { loadKey } from '../../../../src/lib/key.ts';
import { pidSpace } from '../../../../src/lib/lock-file.ts';
import { createLog } from '../../../../src/lib/log.ts';
import { SYSTEM } from '../../../../src/services/access/scope.ts';
import { drill } from '../../../../src/services/system/backups/drill.ts';
import { runDrill } from '../../../../src/services/system/backups/drill-job.ts';
import { digestOf } from '../../../../src/services/system/backups/files.ts';
import { runBackup } from '../../../../src/services/system/backups/job.ts';
import { restoreDatabase } from '../../../../src/services/system/backups/restore.ts';
import { readTrial } from '../../../../src/services/system/backups/state.ts';
import { startJob } from '../../../../src/services/system/schedule-runs.ts';
import { addUser, startDatabase, type TestDatabase } from '../../../support/database.ts';
import { temporaryConfig } from '../../../support/server.ts';

let database: TestDatabase;
let folder = '';

beforeEach(async () => {
  database = await startDatabase();
  temporaryConfig({ databaseFile: database.file, backupPassphrase: 'a passphrase of some length' }, database.folder);
  loadKey(config().keyFile);
  folder = join(database.folder, 'backups');
  await addUser('ann');
});
afterEach(() => database.close());

const backups = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.sqlite'));
const newest = (): string => join(folder, backups().at(-1) ?? '');

/** Writes the sum of a file anew, as somebody who has changed it would. */
const sumAnew = async (file: string): Promise<void> => writeFileSync(`${file}.sha256`, `${await digestOf(file)}  x\n`);

test('a backup is proved, though the database has moved on, and that is noted', async () => {
  expect((await runDrill()).result).toBe('skipped');
  await runBackup();
  await addUser('bob');
  expect(await runDrill()).toMatchObject({ result: 'ok', message: { key: 'backup.proved' } });
  expect(await readTrial('drill')).toMatchObject({ failed: null, file: backups()[0] });
  expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
  const told = JSON.parse(readFileSync(`${newest()}.json`, 'utf8')) as { counts: Record<string, number> };
  expect(told.counts['users']).toBe(1);
});

test.each<[string, string, () => Promise<void>]>([
  ['a byte is missing', 'backup.damaged', async () => truncateSync(newest(), 4_096)],
  [
    'pages are missing, and its sum is right',
    'backup.damaged',
    async () => {
      truncateSync(newest(), 8 * 4_096);
      await sumAnew(newest());
    },
  ],
  [
    'a row is missing, and its sum is right',
    'backup.differs',
    async () => {
      const connection = await openSqlite(newest(), { mustExist: true });
      await connection.run('DELETE FROM users');
      await connection.close();
      await sumAnew(newest());
    },
  ],
  [
    'its key is sealed with another passphrase',
    'backup.passphrase_wrong',
    async () => void temporaryConfig({ ...config(), backupPassphrase: 'another passphrase' }, database.folder),
  ],
])(
  'where %s, the job fails with %s, people are told, and what was proved before stays',
  async (_title, key, damage) => {
    await runBackup();
    await runDrill();
    const proved = (await readTrial('drill'))?.file;
    await damage();
    const { ended } = await startJob(SYSTEM, 'drill', createLog('silent'));
    expect(await ended).toMatchObject({ result: 'failed', message: { key } });
    expect(await readTrial('drill')).toMatchObject({ failed: { key }, file: proved });
    expect(await select(`SELECT 1 FROM events WHERE kind = 'job_failed'`)).toHaveLength(1);
    expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
  },
);

test('a file that is no backup of any kind is told so, with what is needed, by a drill and by a restore', async () => {
  const file = join(database.folder, 'dump.sql');
  for (const content of ['-- PostgreSQL database dump', '']) {
    writeFileSync(file, content);
    await expect(drill(file)).rejects.toMatchObject({ key: 'backup.strange', code: 'not_a_backup' });
    await expect(restoreDatabase(config(), file)).rejects.toMatchObject({ key: 'backup.strange' });
  }
});

test('a database of another program is told to be no backup, by a drill and by a restore', async () => {
  const file = join(database.folder, 'foreign.sqlite');
  const connection = await openSqlite(file);
  await connection.run('CREATE TABLE x (a)');
  await connection.close();
  for (const work of [drill(file), restoreDatabase(config(), file)]) {
    await expect(work).rejects.toMatchObject({ key: 'backup.strange', code: 'not_a_backup' });
  }
});

test('a backup without its sum was left by a dead process: it is no backup, and goes', async () => {
  mkdirSync(folder);
  const left = join(folder, 'seo-admin-2020-01-01T02-41-00.sqlite');
  writeFileSync(left, 'half');
  writeFileSync(join(folder, `drill.999999999-${pidSpace()}-12345678.part`), 'half');
  expect((await runDrill()).result).toBe('skipped');
  await runBackup();
  expect(backups()).toHaveLength(1);
  expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
  // A backup of an older version has no description beside it.
  rmSync(`${newest()}.json`);
  await transaction(() => execute(`UPDATE users SET login = 'eve'`)).catch(() => undefined);
  expect((await runDrill()).result).toBe('ok');
});
