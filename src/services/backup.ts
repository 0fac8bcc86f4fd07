import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { chmod, copyFile, link, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { closeDatabase, openDatabase, select } from '../../db/index.ts';
import { appliedMigrations, pendingMigrations } from '../../db/migrate.ts';
import type { Config } from '../lib/config.ts';
import { AppError } from '../shared/errors.ts';
import { acceptsKey } from './keys.ts';

type Files = Pick<Config, 'databaseFile' | 'keyFile'>;

/** A backup: the database in one file, `.sha256` with its sum and `.key` with the installation's key beside it. */
export interface BackupView {
  file: string;
  bytes: number;
  sha256: string;
  key_file: string | null;
}

const digestFile = (file: string): string => `${file}.sha256`;
const keyCopy = (file: string): string => `${file}.key`;

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Makes what was written outlast a power failure: a file's bytes, a folder's names. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Copies the open database as it is at one moment, while others write, into one file that appears whole or not at all.
 * The key is copied with it: without it the secrets in the backup are lost. Throws `conflict` where a file is there
 * already and `overwrite` is false.
 */
export async function backupDatabase(files: Files, path: string, overwrite: boolean): Promise<BackupView> {
  const file = resolve(path);
  if (file === resolve(files.databaseFile)) throw new AppError('invalid', 'backup.itself');
  if (existsSync(file) && !overwrite) throw new AppError('conflict', 'backup.exists', { file });
  const draft = `${file}.${process.pid}.part`;
  try {
    await select('VACUUM INTO $draft', { draft });
    await chmod(draft, 0o600);
    await sync(draft);
    const sha256 = await digestOf(draft);
    // From here to the end the old sum does not speak for the new file.
    await rm(digestFile(file), { force: true });
    const hasKey = existsSync(files.keyFile);
    if (hasKey) await copyKey(files.keyFile, keyCopy(file));
    await rename(draft, file);
    await writeFile(digestFile(file), `${sha256}  ${basename(file)}\n`, { mode: 0o600 });
    await sync(digestFile(file));
    await sync(dirname(file));
    return { file, bytes: (await stat(file)).size, sha256, key_file: hasKey ? keyCopy(file) : null };
  } finally {
    await rm(draft, { force: true });
  }
}

async function copyKey(from: string, to: string): Promise<void> {
  const draft = `${to}.${process.pid}.part`;
  await copyFile(from, draft);
  await chmod(draft, 0o600);
  await sync(draft);
  await rename(draft, to);
}

/** What a restore has done. The former database and key are kept beside under the names given; null: there was none. */
export interface RestoreView {
  file: string;
  checksum: 'right' | 'missing';
  kept: string | null;
  kept_key: string | null;
  key: 'restored' | 'same' | 'missing';
  pending: string[];
}

/**
 * Puts a backup in the place of the database. It is checked first (sum, integrity, references, migrations) and the
 * former one is kept beside it; at any moment there is one whole database in place. Throws `refused` for a damaged
 * backup and for one whose key is not there, `busy` while a server or a command has the database open.
 */
export async function restoreDatabase(files: Files, path: string): Promise<RestoreView> {
  const file = resolve(path);
  if (!existsSync(file)) throw new AppError('not_found', 'backup.not_found', { file });
  if (file === resolve(files.databaseFile)) throw new AppError('invalid', 'backup.itself');
  const checksum = await checkDigest(file);
  const draft = `${files.databaseFile}.${process.pid}.part`;
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  try {
    await copyFile(file, draft);
    await chmod(draft, 0o600);
    const pending = await examine(draft, file, files.keyFile);
    await sync(draft);
    const kept = await keepDatabase(files.databaseFile, stamp);
    await rename(draft, files.databaseFile);
    const key = await restoreKey(file, files.keyFile, stamp);
    await sync(dirname(files.databaseFile));
    return { file, checksum, kept, ...key, pending };
  } finally {
    for (const suffix of ['', '-wal', '-shm']) await rm(`${draft}${suffix}`, { force: true });
  }
}

const damaged = (file: string, reason: string): AppError =>
  new AppError('refused', 'backup.damaged', { file, reason }, { code: 'backup_damaged' });

async function checkDigest(file: string): Promise<'right' | 'missing'> {
  if (!existsSync(digestFile(file))) return 'missing';
  const expected = (await readFile(digestFile(file), 'utf8')).split(/\s/)[0];
  if (expected !== (await digestOf(file))) throw damaged(file, 'sha256');
  return 'right';
}

/** What is wrong with the open database, by SQLite's own checks; null: nothing. */
async function findDamage(): Promise<string | null> {
  const rows = await select<{ integrity_check: string }>('PRAGMA integrity_check(1)');
  if (rows[0]?.integrity_check !== 'ok') return rows[0]?.integrity_check ?? 'integrity_check';
  return (await select('PRAGMA foreign_key_check')).length > 0 ? 'foreign_key_check' : null;
}

/** Without the key it was made with a backup has lost its secrets: the one beside it, or else the one in use, must be it. */
async function requireKey(file: string, keyFile: string): Promise<void> {
  const beside = keyCopy(file);
  if (existsSync(beside)) {
    if (!(await acceptsKey(beside))) throw new AppError('refused', 'backup.key_wrong', { file, key: beside });
  } else if (!(await acceptsKey(keyFile))) {
    throw new AppError('refused', 'backup.key_needed', { file, key: beside });
  }
}

/** Looks a copy over and returns the migrations that it still lacks. */
async function examine(copy: string, file: string, keyFile: string): Promise<string[]> {
  try {
    await openDatabase(copy);
    const damage = await findDamage();
    if (damage !== null) throw damaged(file, damage);
    if ((await appliedMigrations()).length === 0) throw damaged(file, 'migrations');
    const pending = await pendingMigrations();
    await requireKey(file, keyFile);
    return pending;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw damaged(file, error instanceof Error ? error.message : String(error));
  } finally {
    await closeDatabase();
  }
}

/** Keeps the former database under another name, one that nobody has open. Null where there is none. */
async function keepDatabase(databaseFile: string, stamp: string): Promise<string | null> {
  if (!existsSync(databaseFile)) return null;
  await refuseInUse(databaseFile);
  const kept = `${databaseFile}.before-${stamp}`;
  await link(databaseFile, kept).catch(() => copyFile(databaseFile, kept));
  // A log that stayed would be played into the restored file.
  for (const suffix of ['-wal', '-shm']) {
    if (existsSync(databaseFile + suffix)) await rename(databaseFile + suffix, kept + suffix);
  }
  return kept;
}

const SQLITE_CODE = (error: unknown): string | undefined => (error as { original?: { code?: string } }).original?.code;

/**
 * Throws `busy` where a database is in use. Every process that has a WAL database open holds a shared lock on it, which
 * the system takes back when it dies. To leave WAL SQLite needs that lock for itself: it gets it only where nobody else
 * has the file open.
 */
export async function refuseInUse(databaseFile: string): Promise<void> {
  try {
    await openDatabase(databaseFile);
    await select('PRAGMA journal_mode = DELETE');
  } catch (error) {
    const code = SQLITE_CODE(error);
    if (code === 'SQLITE_BUSY') throw new AppError('busy', 'backup.in_use', {}, { cause: error });
    // A database that can't be read is what a restore is for.
    if (code !== 'SQLITE_CORRUPT' && code !== 'SQLITE_NOTADB') throw error;
  } finally {
    await closeDatabase();
  }
}

async function restoreKey(
  file: string,
  keyFile: string,
  stamp: string,
): Promise<Pick<RestoreView, 'key' | 'kept_key'>> {
  if (!existsSync(keyCopy(file))) return { key: 'missing', kept_key: null };
  const current = existsSync(keyFile) ? await readFile(keyFile) : null;
  if (current?.equals(await readFile(keyCopy(file)))) return { key: 'same', kept_key: null };
  const kept_key = current ? `${keyFile}.before-${stamp}` : null;
  if (kept_key) await copyKey(keyFile, kept_key);
  await copyKey(keyCopy(file), keyFile);
  return { key: 'restored', kept_key };
}

/** How the open database stands. `integrity` is `ok`, or what is wrong. */
export interface DatabaseView {
  file: string;
  bytes: number;
  integrity: string;
  applied: string[];
  pending: string[];
  counts: Record<string, number>;
}

const COUNTED = ['users', 'projects', 'domains', 'checks', 'operations'];

/** Size, integrity, migrations and row counts of the open database. Reads the whole file. */
export async function databaseStatus({ databaseFile: file }: Files): Promise<DatabaseView> {
  const applied = await appliedMigrations();
  const pending = await pendingMigrations();
  const counts: Record<string, number> = {};
  for (const table of applied.length > 0 ? COUNTED : []) {
    const [row] = await select<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table}`);
    counts[table] = row?.count ?? 0;
  }
  return { file, bytes: (await stat(file)).size, integrity: (await findDamage()) ?? 'ok', applied, pending, counts };
}
