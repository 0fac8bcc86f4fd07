// The key of a restore where an old clear one lies beside a backup that has replaced another: none that does not fit is taken.
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, openDatabase } from '../../../../db/index.ts';
import { loadKey } from '../../../../src/lib/key.ts';
import { openKeys } from '../../../../src/services/access/keys.ts';
import { backupDatabase } from '../../../../src/services/system/backups/backup.ts';
import { restoreDatabase } from '../../../../src/services/system/backups/restore.ts';
import { newDatabase } from '../../../support/database.ts';

const PASSPHRASE = 'a passphrase of some length';
const OLD = Buffer.alloc(32, 7).toString('base64');

let folder = '';
let files = { databaseFile: '', keyFile: '' };
let copy = '';
let made: Buffer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'seo-admin-key-'));
  files = { databaseFile: join(folder, 'seo-admin.sqlite'), keyFile: join(folder, 'key') };
  copy = join(folder, 'copy.sqlite');
  await openDatabase(await newDatabase(folder));
  made = await openKeys(files);
  await backupDatabase(files, copy, false);
  // An older version has left it with the backup that was here before.
  writeFileSync(`${copy}.key`, OLD, { mode: 0o600 });
  await backupDatabase(files, copy, true);
});
afterEach(async () => {
  await closeDatabase();
  rmSync(folder, { recursive: true });
});

test('the key in place is kept, and said to be the same, where it is the right one', async () => {
  await closeDatabase();
  expect(await restoreDatabase(files, copy)).toMatchObject({ key: 'same', kept_key: null });
  rmSync(`${copy}.key`);
  expect(await restoreDatabase(files, copy)).toMatchObject({ key: 'same', kept_key: null });
  expect(loadKey(files.keyFile)).toEqual(made);
  writeFileSync(`${copy}.key`, readFileSync(files.keyFile), { mode: 0o600 });
  expect(await restoreDatabase(files, copy)).toMatchObject({ key: 'same', kept_key: null });
});

test('without it nothing is restored, until the right one lies beside the backup', async () => {
  await closeDatabase();
  rmSync(files.keyFile);
  const before = [readFileSync(files.databaseFile), loadKey(files.keyFile)];
  const told = { kind: 'refused', key: 'backup.key_wrong', params: { file: copy, key: `${copy}.key` } };
  await expect(restoreDatabase(files, copy)).rejects.toMatchObject(told);
  expect([readFileSync(files.databaseFile), loadKey(files.keyFile)]).toEqual(before);
  writeFileSync(`${copy}.key`, made.toString('base64'), { mode: 0o600 });
  expect(await restoreDatabase(files, copy)).toMatchObject({ key: 'restored' });
  expect(loadKey(files.keyFile)).toEqual(made);
});

test('a sealed one that fits is opened though an old clear one lies there as well', async () => {
  await backupDatabase(files, copy, true, PASSPHRASE);
  await closeDatabase();
  writeFileSync(`${copy}.key`, OLD, { mode: 0o600 });
  rmSync(files.keyFile);
  expect(await restoreDatabase(files, copy, async () => PASSPHRASE)).toMatchObject({ key: 'restored' });
  expect(loadKey(files.keyFile)).toEqual(made);
});

test('a passphrase that is given has to open the sealed key, though the key in place fits', async () => {
  await backupDatabase(files, copy, true, PASSPHRASE);
  await closeDatabase();
  const before = readFileSync(files.databaseFile);
  const restore = (given: string) => restoreDatabase(files, copy, async () => given, given);
  const told = { kind: 'refused', key: 'backup.passphrase_wrong', params: { key: `${copy}.key.sealed` } };
  await expect(restore('another passphrase')).rejects.toMatchObject(told);
  const sealed = readFileSync(`${copy}.key.sealed`);
  truncateSync(`${copy}.key.sealed`, 90);
  await expect(restore(PASSPHRASE)).rejects.toMatchObject(told);
  expect(readFileSync(files.databaseFile).equals(before)).toBe(true);
  writeFileSync(`${copy}.key.sealed`, sealed);
  expect(await restore(PASSPHRASE)).toMatchObject({ key: 'same' });
});

test('no backup is written over the key of the installation, nor takes it away', async () => {
  for (const name of ['here', 'here.key']) {
    const own = { ...files, keyFile: join(folder, name) };
    writeFileSync(own.keyFile, made.toString('base64'), { mode: 0o600 });
    const told = { kind: 'invalid', key: 'backup.over_key' };
    await expect(backupDatabase(own, join(folder, 'here'), true, PASSPHRASE)).rejects.toMatchObject(told);
    expect(loadKey(own.keyFile)).toEqual(made);
    rmSync(own.keyFile);
  }
  expect(existsSync(join(folder, 'here'))).toBe(false);
});
