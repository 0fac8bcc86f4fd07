// Two restores of one database, at once and one after the other: what was there before is kept whole each time.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, openDatabase, select } from '../../../../db/index.ts';
import { loadKey } from '../../../../src/lib/key.ts';
import { openKeys } from '../../../../src/services/access/keys.ts';
import { backupDatabase } from '../../../../src/services/system/backups/backup.ts';
import { restoreDatabase } from '../../../../src/services/system/backups/restore.ts';
import { addUser, newDatabase } from '../../../support/database.ts';

const PASSPHRASE = 'a passphrase of some length';

let folder = '';
let files = { databaseFile: '', keyFile: '' };
let copy = '';

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'seo-admin-restores-'));
  files = { databaseFile: join(folder, 'seo-admin.sqlite'), keyFile: join(folder, 'key') };
  copy = join(folder, 'copy.sqlite');
  await openDatabase(await newDatabase(folder));
  await openKeys(files);
  await backupDatabase(files, copy, false, PASSPHRASE);
  await addUser('precious');
  await closeDatabase();
});
afterEach(async () => {
  vi.useRealTimers();
  await closeDatabase();
  rmSync(folder, { recursive: true });
});

async function loginsIn(file: string | null): Promise<string[]> {
  await openDatabase(file ?? '');
  const found = await select<{ login: string }>('SELECT login FROM users ORDER BY id');
  await closeDatabase();
  return found.map(({ login }) => login);
}

/** Gives the installation another key, so that a restore has to put that of the backup in its place. */
function changeKey(): Buffer {
  rmSync(files.keyFile);
  return loadKey(files.keyFile);
}

test('a restore while another one runs is busy, and changes nothing', async () => {
  changeKey();
  const seen: unknown[] = [];
  const { kept } = await restoreDatabase(files, copy, async () => {
    await restoreDatabase(files, copy, async () => PASSPHRASE).catch((error: unknown) => seen.push(error));
    return PASSPHRASE;
  });
  expect(seen).toMatchObject([{ kind: 'busy', key: 'backup.restoring' }]);
  expect(await loginsIn(kept)).toEqual(['precious']);
  expect(await loginsIn(files.databaseFile)).toEqual([]);
  expect(existsSync(`${files.databaseFile}.restore`)).toBe(false);
});

test('restores within one moment of the clock keep the former databases and keys under names of their own', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const keys = [];
  const views = [];
  for (const login of ['second', 'third']) {
    await openDatabase(files.databaseFile);
    await addUser(login);
    await closeDatabase();
    keys.push(changeKey());
    views.push(await restoreDatabase(files, copy, async () => PASSPHRASE));
  }
  const kept = [];
  for (const view of views) kept.push(await loginsIn(view.kept));
  expect(kept).toEqual([['precious', 'second'], ['third']]);
  expect(views.map((view) => readFileSync(view.kept_key ?? '', 'utf8').trim())).toEqual(
    keys.map((key) => key.toString('base64')),
  );
});
