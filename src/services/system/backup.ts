import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { chmod, copyFile, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { transaction } from '../../../db/index.ts';
import { hasTable } from '../../../db/tables.ts';
import { appliedMigrations, pendingMigrations } from '../../../db/migrate.ts';
import type { Config } from '../../lib/config.ts';
import { databaseAddress, shownAddress } from '../../lib/database-address.ts';
import { removeDeadParts } from '../../lib/disk.ts';
import { sealKey } from '../../lib/sealed-key.ts';
import { AppError } from '../../shared/errors.ts';
import { domains, projects } from '../../shared/portfolio/tables.ts';
import { users } from '../../shared/access/tables.ts';
import { checks } from '../../shared/checks/tables.ts';
import { operations } from '../../shared/operations/tables.ts';
import { setInstalled } from '../access/rows.ts';
import { copyInto, countRows, findDamage, findServerBytes } from './rows.ts';

/** The database and its key. */
export type Files = Pick<Config, 'databaseFile' | 'keyFile'>;

/**
 * A backup: the database in one file, `.sha256` with its sum beside it, and in `key_file` (`.key.sealed`) the installation's key
 * under a passphrase; null: it is not in the backup and has to be kept apart.
 */
export interface BackupView {
  file: string;
  bytes: number;
  sha256: string;
  key_file: string | null;
}

/** Returns the path of a backup's digest. */
export const digestFile = (file: string): string => `${file}.sha256`;

// The key in clear, as backups of older versions have it.
export const keyCopy = (file: string): string => `${file}.key`;

/** Returns the path of the sealed key beside a backup. */
export const sealedCopy = (file: string): string => `${file}.key.sealed`;

const SHORTEST_PASSPHRASE = 10;

/** Returns the SHA-256 of a file, in hexadecimal. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Syncs to disk what has to outlast a power failure: a file's bytes, or a folder's entries. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Copies the open database as it is at one moment, while others write, into one file that appears whole or not at all.
 * With a passphrase the key comes beside it, sealed: without the key the secrets in the backup are lost. Throws `conflict`
 * where a file is there already and `overwrite` is false, `invalid` for a passphrase that is too short.
 */
export async function backupDatabase(
  files: Files,
  path: string,
  overwrite: boolean,
  passphrase?: string,
): Promise<BackupView> {
  if (passphrase !== undefined && passphrase.length < SHORTEST_PASSPHRASE) {
    throw new AppError('invalid', 'backup.passphrase_short', { n: SHORTEST_PASSPHRASE });
  }
  const file = resolve(path);
  if (file === resolve(files.databaseFile)) throw new AppError('invalid', 'backup.itself');
  if (existsSync(file) && !overwrite) throw new AppError('conflict', 'backup.exists', { file });
  await removeDeadParts(file);
  const draft = `${file}.${process.pid}.part`;
  try {
    await copyInto(draft);
    await chmod(draft, 0o600);
    await sync(draft);
    const sha256 = await digestOf(draft);
    // The old sum goes first: at no moment may it stand beside the new file.
    await rm(digestFile(file), { force: true });
    const isSealed = passphrase !== undefined && existsSync(files.keyFile);
    if (isSealed) await sealCopy(files.keyFile, file, passphrase);
    await rename(draft, file);
    await writeFile(digestFile(file), `${sha256}  ${basename(file)}\n`, { mode: 0o600 });
    await sync(digestFile(file));
    await sync(dirname(file));
    if (isSealed) await noteSealed();
    return { file, bytes: (await stat(file)).size, sha256, key_file: isSealed ? sealedCopy(file) : null };
  } finally {
    await rm(draft, { force: true });
  }
}

/** Puts the sealed key beside a backup, and removes the clear one that an older version has left there. */
async function sealCopy(keyFile: string, file: string, passphrase: string): Promise<void> {
  const draft = `${sealedCopy(file)}.${process.pid}.part`;
  try {
    await writeFile(draft, await sealKey(await readFile(keyFile, 'utf8'), passphrase), { mode: 0o600 });
    await sync(draft);
    await rename(draft, sealedCopy(file));
    await rm(keyCopy(file), { force: true });
  } finally {
    await rm(draft, { force: true });
  }
}

/** Notes that a sealed copy of the key was made, for `doctor`. */
async function noteSealed(): Promise<void> {
  if (!(await hasTable('installation'))) return;
  await transaction(() => setInstalled('key_sealed_at', new Date().toISOString()));
}

/** Copies a key, readable by its owner only, and syncs it. */
export async function copyKey(from: string, to: string): Promise<void> {
  const draft = `${to}.${process.pid}.part`;
  await copyFile(from, draft);
  await chmod(draft, 0o600);
  await sync(draft);
  await rename(draft, to);
}

/** The state of the open database. `integrity` is `ok` or the first fault. */
export interface DatabaseView {
  file: string;
  bytes: number;
  integrity: string;
  applied: string[];
  pending: string[];
  counts: Record<string, number>;
}

const COUNTED = [users, projects, domains, checks, operations];

/** Returns address, size, integrity, migrations and row counts of the open database. Reads the whole file. */
export async function databaseStatus(config: Files & Pick<Config, 'databaseUrl'>): Promise<DatabaseView> {
  const file = shownAddress(databaseAddress(config));
  const bytes = config.databaseUrl === undefined ? (await stat(file)).size : await findServerBytes();
  const applied = await appliedMigrations();
  const pending = await pendingMigrations();
  const counts: Record<string, number> = {};
  for (const table of applied.length > 0 ? COUNTED : []) {
    counts[table.name] = await countRows(table);
  }
  return { file, bytes, integrity: (await findDamage()) ?? 'ok', applied, pending, counts };
}
