import { existsSync } from 'node:fs';
import { access, chmod, constants, copyFile, link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { readFileContents, type Contents } from '../../../../db/beside.ts';
import { transaction } from '../../../../db/index.ts';
import { hasTable } from '../../../../db/tables.ts';
import { ownPaths, type Config } from '../../../lib/config.ts';
import { requireTarget, sweepDrafts, sweepMarkedDrafts, withDraft } from '../../../lib/disk.ts';
import { packageVersion } from '../../../lib/package.ts';
import { sealKey } from '../../../lib/sealed-key.ts';
import { isPassphrase, SHORTEST_PASSPHRASE } from '../../../shared/accounts/secrets.ts';
import { AppError } from '../../../shared/errors.ts';
import { setInstalled } from '../../access/rows.ts';
import { copyInto } from '../rows.ts';
import {
  digestFile,
  digestOf,
  keyCopy,
  manifestFile,
  readManifest,
  sealedCopy,
  sync,
  writtenBy,
  type Manifest,
} from './files.ts';

/** The database, by its file or the address of a server, and its key; with the rest of the configuration its other files are known as well. */
export type Files = Pick<Config, 'databaseFile' | 'databaseUrl' | 'keyFile'> & Partial<Config>;

/**
 * A backup: the database in one file, `.sha256` with its sum and `.json` with what it holds beside it, and in `key_file` (`.key.sealed`) the installation's key
 * under a passphrase; null: it is not in the backup and has to be kept apart.
 */
export interface BackupView {
  file: string;
  bytes: number;
  sha256: string;
  key_file: string | null;
}

/**
 * Copies the open database as it is at one moment, while others write, into one file (of a server by `pg_dump`) that appears whole or not at all.
 * With a passphrase the key comes beside it, sealed: without the key the secrets in the backup are lost. Throws `conflict`
 * where a file is there already and `overwrite` is false, `refused` where what is there is no file, `invalid` for a file of the installation and
 * for a passphrase that is too short.
 */
export async function backupDatabase(
  files: Files,
  path: string,
  overwrite: boolean,
  passphrase?: string,
): Promise<BackupView> {
  if (passphrase !== undefined && !isPassphrase(passphrase)) {
    throw new AppError('invalid', 'backup.passphrase_short', { n: SHORTEST_PASSPHRASE });
  }
  const file = resolve(path);
  if (file === resolve(files.databaseFile)) throw new AppError('invalid', 'backup.itself');
  const keyFile = resolve(files.keyFile);
  if ([file, keyCopy(file), sealedCopy(file)].includes(keyFile)) throw new AppError('invalid', 'backup.over_key');
  for (const written of writtenBy(file)) await requireTarget(written, ownPaths(files));
  if (!overwrite) await refuseOverwrite(file);
  // Throws an error with the folder and the cause: that of SQLite names neither.
  await access(dirname(file), constants.W_OK);
  await sweepDrafts(dirname(file), basename(file));
  await sweepMarkedDrafts(dirname(file));
  return withDraft(file, async (draft) => {
    const contents = await writeDraft(files, draft);
    await sync(draft);
    const { size: bytes } = await stat(draft);
    const sha256 = await digestOf(draft);
    const manifest: Manifest = {
      made_at: new Date().toISOString(),
      version: packageVersion(),
      dialect: files.databaseUrl === undefined ? 'sqlite' : 'postgres',
      bytes,
      sha256,
      ...contents,
    };
    const isSealed = passphrase !== undefined && existsSync(files.keyFile);
    // The old sum goes first: at no moment may it stand beside the new file. Where one has come meanwhile, the sum is that one's.
    if (!overwrite && existsSync(file)) throw isThere(file);
    await rm(digestFile(file), { force: true });
    if (!overwrite) await putNew(draft, file);
    try {
      if (isSealed) await sealCopy(files.keyFile, file, passphrase);
      if (overwrite) await rename(draft, file);
      // That of the backup which was here before; where the key in place is lost, it may be the last copy.
      if (!isSealed && existsSync(files.keyFile)) await rm(sealedCopy(file), { force: true });
      await writeFile(manifestFile(file), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 });
      await sync(manifestFile(file));
      await writeFile(digestFile(file), `${sha256}  ${basename(file)}\n`, { mode: 0o600 });
      await sync(digestFile(file));
      await sync(dirname(file));
    } catch (error) {
      // A file that is not whole would take the name from the next try.
      if (!overwrite) await rm(file, { force: true });
      throw error;
    }
    if (isSealed) await noteSealed();
    return { file, bytes, sha256, key_file: isSealed ? sealedCopy(file) : null };
  });
}

/** Throws `conflict` where a backup, or a file of somebody else's with the name of its manifest, is there already. */
async function refuseOverwrite(file: string): Promise<void> {
  const manifest = manifestFile(file);
  const isStrange = existsSync(manifest) && !(await readManifest(file));
  const there = existsSync(file) ? file : isStrange ? manifest : null;
  if (there !== null) throw isThere(there);
}

const isThere = (file: string): AppError => new AppError('conflict', 'backup.exists', { file });

/** Puts a draft where nothing is. Throws `conflict` where something is by now: of two backups that run at once the second one. */
async function putNew(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    // File systems without links, such as those of memory sticks, refuse it in several ways.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(file)) throw isThere(file);
    await rename(draft, file);
  }
}

/** Copies the open database into a draft, which only its owner may read, and returns what the draft holds. */
async function writeDraft({ databaseUrl }: Files, draft: string): Promise<Contents> {
  if (databaseUrl === undefined) {
    await copyInto(draft);
    await chmod(draft, 0o600);
    return readFileContents(draft);
  }
  await writeFile(draft, '', { mode: 0o600 });
  const { dumpInto } = await import('./dump.ts');
  return dumpInto(databaseUrl, draft);
}

/** Puts the sealed key beside a backup, and removes the clear one that an older version has left there. */
async function sealCopy(keyFile: string, file: string, passphrase: string): Promise<void> {
  await withDraft(sealedCopy(file), async (draft) => {
    await writeFile(draft, await sealKey(await readFile(keyFile, 'utf8'), passphrase), { mode: 0o600 });
    await sync(draft);
    await rename(draft, sealedCopy(file));
    await rm(keyCopy(file), { force: true });
  });
}

/** Notes that a sealed copy of the key was made, for `doctor`. */
async function noteSealed(): Promise<void> {
  if (!(await hasTable('installation'))) return;
  await transaction(() => setInstalled('key_sealed_at', new Date().toISOString()));
}

/** Copies a key, readable by its owner only, and syncs it. */
export async function copyKey(from: string, to: string): Promise<void> {
  await withDraft(to, async (draft) => {
    await copyFile(from, draft);
    await chmod(draft, 0o600);
    await sync(draft);
    await rename(draft, to);
  });
}
