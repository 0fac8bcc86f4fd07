import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../../db/index.ts';
import { loadKey } from '../../../src/lib/key.ts';
import { backupDatabase } from '../../../src/services/system/backups/backup.ts';
import { restoreDatabase } from '../../../src/services/system/backups/restore.ts';
import { databaseStatus } from '../../../src/services/system/backups/status.ts';
import { openKeys } from '../../../src/services/access/keys.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { newDatabase } from '../../support/database.ts';

const PASSPHRASE = 'a passphrase of some length';
const asked = async (): Promise<string> => PASSPHRASE;

let folder = '';
let files = { databaseFile: '', keyFile: '' };
let copy = '';

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'seo-admin-backup-'));
  files = { databaseFile: join(folder, 'seo-admin.sqlite'), keyFile: join(folder, 'key') };
  copy = join(folder, 'copy.sqlite');
  loadKey(files.keyFile);
  await openDatabase(await newDatabase(folder));
});
afterEach(async () => {
  await closeDatabase();
  rmSync(folder, { recursive: true });
});

/** Writes two rows in one transaction: a consistent copy has both or none. */
const writePair = (n: number): Promise<void> =>
  transaction(async () => {
    for (const side of ['left', 'right']) {
      await execute(`INSERT INTO setup_links (token_hash, expires_at) VALUES ($hash, '2030')`, {
        hash: `${side} ${n}`,
      });
    }
  });

const hashes = async (): Promise<string[]> =>
  (await select<{ token_hash: string }>('SELECT token_hash FROM setup_links ORDER BY id')).map((row) => row.token_hash);

const kindOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof AppError) return error.kind;
    throw error;
  }
};

describe('a backup', () => {
  test('is a consistent snapshot during writes, and is restored completely', async () => {
    await Promise.all([0, 1, 2, 3].map(writePair));
    const later = Array.from({ length: 60 }, (_, index) => writePair(index + 4));
    const view = await backupDatabase(files, copy, false);
    await Promise.all(later);
    await closeDatabase();
    expect(statSync(view.file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${copy}.key`)).toBe(false);

    const restored = await restoreDatabase(files, copy);
    expect(restored).toMatchObject({ checksum: 'right', key: 'missing', pending: [] });
    await openDatabase(files.databaseFile);
    const found = await hashes();
    expect(found.length).toBeGreaterThanOrEqual(8);
    expect(found).toEqual(found.map((_, index) => `${index % 2 ? 'right' : 'left'} ${Math.floor(index / 2)}`));
    await closeDatabase();

    await openDatabase(restored.kept ?? '');
    expect((await hashes()).length).toBe(128);
  });

  test('overwrites a file only if asked to, and never the database itself', async () => {
    await backupDatabase(files, copy, false);
    expect(await kindOf(backupDatabase(files, copy, false))).toBe('conflict');
    expect(await kindOf(backupDatabase(files, files.databaseFile, true))).toBe('invalid');
    expect(await kindOf(backupDatabase(files, copy, true))).toBe('done');
  });

  test("that can't be written leaves nothing behind", async () => {
    const failed = { code: 'ENOENT', path: join(folder, 'nowhere') };
    await expect(backupDatabase(files, join(folder, 'nowhere', 'copy.sqlite'), false)).rejects.toMatchObject(failed);
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });

  test('without a passphrase removes the sealed key of the one that it replaces, unless that is the last copy of a lost key', async () => {
    await openKeys(files);
    const { key_file } = await backupDatabase(files, copy, false, PASSPHRASE);
    rmSync(files.keyFile);
    await backupDatabase(files, copy, true);
    expect(existsSync(key_file ?? '')).toBe(true);
    loadKey(files.keyFile);
    expect(await backupDatabase(files, copy, true)).toMatchObject({ key_file: null });
    expect(existsSync(key_file ?? '')).toBe(false);
  });
});

describe('a restore', () => {
  test.each([
    ['a byte too few', () => truncateSync(copy, statSync(copy).size - 1)],
    ['a byte too many', () => appendFileSync(copy, 'x')],
    ['another sum', () => writeFileSync(`${copy}.sha256`, 'nonsense')],
    [
      'no database, and no sum',
      () => {
        rmSync(`${copy}.sha256`);
        writeFileSync(copy, 'no database at all');
      },
    ],
    [
      'half of it, and no sum',
      () => {
        rmSync(`${copy}.sha256`);
        truncateSync(copy, Math.floor(statSync(copy).size / 2 / 4096) * 4096);
      },
    ],
  ])('refuses %s and touches nothing', async (_title, damage) => {
    await writePair(1);
    await backupDatabase(files, copy, false);
    await closeDatabase();
    damage();
    const before = readFileSync(files.databaseFile);
    expect(await kindOf(restoreDatabase(files, copy))).toBe('refused');
    expect(readFileSync(files.databaseFile)).toEqual(before);
  });

  test('refuses a database of a newer version or of another program', async () => {
    await transaction(() => execute(`INSERT INTO migrations (name, applied_at) VALUES ('9999-later', '2030')`));
    await backupDatabase(files, copy, false);
    await closeDatabase();
    expect(await kindOf(restoreDatabase(files, copy))).toBe('not_configured');
    const strange = join(folder, 'strange.sqlite');
    await openDatabase(strange);
    await transaction(() => execute('CREATE TABLE t (a)'));
    await closeDatabase();
    expect(await kindOf(restoreDatabase(files, strange))).toBe('refused');
  });

  test('replaces a damaged database and a missing one', async () => {
    await writePair(1);
    await backupDatabase(files, copy, false);
    await closeDatabase();
    writeFileSync(files.databaseFile, 'nothing that SQLite knows');
    const { kept } = await restoreDatabase(files, copy);
    expect(readFileSync(kept ?? '', 'utf8')).toBe('nothing that SQLite knows');
    rmSync(files.databaseFile);
    expect((await restoreDatabase(files, copy)).kept).toBeNull();
    await openDatabase(files.databaseFile);
    expect(await hashes()).toEqual(['left 1', 'right 1']);
  });

  test('brings the sealed key back and keeps the present one aside; the backup removes a clear key of an older version', async () => {
    const made = await openKeys(files);
    writeFileSync(`${copy}.key`, 'clear');
    const { key_file } = await backupDatabase(files, copy, true, PASSPHRASE);
    expect(existsSync(`${copy}.key`)).toBe(false);
    expect(statSync(key_file ?? '').mode & 0o777).toBe(0o600);
    expect(readFileSync(key_file ?? '', 'utf8')).not.toContain(readFileSync(files.keyFile, 'utf8').trim());
    expect(await select(`SELECT 1 FROM installation WHERE name = 'key_sealed_at'`)).toHaveLength(1);
    await closeDatabase();
    rmSync(files.keyFile);
    const other = loadKey(files.keyFile);
    const { key, kept_key } = await restoreDatabase(files, copy, asked);
    expect(key).toBe('restored');
    expect(loadKey(kept_key ?? '')).toEqual(other);
    expect(loadKey(files.keyFile)).toEqual(made);
    expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
  });

  test('cannot be prepared with a short passphrase: the backup refuses it', async () => {
    await expect(backupDatabase(files, copy, false, 'short')).rejects.toMatchObject({ key: 'backup.passphrase_short' });
    expect(existsSync(copy)).toBe(false);
  });
});

describe('a restore of a database with a key', () => {
  let made: Buffer;
  beforeEach(async () => {
    made = await openKeys(files);
    await backupDatabase(files, copy, false, PASSPHRASE);
    await closeDatabase();
  });
  const loseKey = (): Buffer => {
    rmSync(files.keyFile);
    return loadKey(files.keyFile);
  };
  const inPlace = (): Buffer[] => [files.databaseFile, files.keyFile].map((file) => readFileSync(file));

  test('brings the key back and can be opened', async () => {
    loseKey();
    expect(await restoreDatabase(files, copy, asked)).toMatchObject({ key: 'restored' });
    await openDatabase(files.databaseFile);
    expect(await openKeys(files)).toEqual(made);
  });

  test('needs no copy of the key where the right one is in place', async () => {
    expect(await restoreDatabase(files, copy)).toMatchObject({ key: 'same' });
    await openDatabase(files.databaseFile);
    await openKeys(files);
  });

  test('is refused without the key or its passphrase, and with a wrong one', async () => {
    loseKey();
    const before = inPlace();
    await expect(restoreDatabase(files, copy)).rejects.toMatchObject({ key: 'backup.passphrase_needed' });
    for (const damage of [false, true]) {
      if (damage) truncateSync(`${copy}.key.sealed`, 90);
      const wrong = async () => (damage ? PASSPHRASE : 'another passphrase');
      await expect(restoreDatabase(files, copy, wrong)).rejects.toMatchObject({ key: 'backup.passphrase_wrong' });
    }
    rmSync(`${copy}.key.sealed`);
    await expect(restoreDatabase(files, copy)).rejects.toMatchObject({ kind: 'refused', key: 'backup.key_needed' });
    writeFileSync(`${copy}.key`, Buffer.alloc(32, 7).toString('base64'), { mode: 0o644 });
    await expect(restoreDatabase(files, copy)).rejects.toMatchObject({ kind: 'refused', key: 'backup.key_wrong' });
    expect(inPlace()).toEqual(before);
  });
});

test('the status reports the file, its integrity, pending migrations and counts', async () => {
  expect(await databaseStatus(files)).toMatchObject({
    file: files.databaseFile,
    integrity: 'ok',
    pending: [],
    counts: { users: 0, projects: 0, domains: 0 },
  });
});
