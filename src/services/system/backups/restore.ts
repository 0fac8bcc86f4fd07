import { existsSync } from 'node:fs';
import { copyFile, chmod, rename, readFile, writeFile } from 'node:fs/promises';
import { resolve, dirname } from 'node:path';
import { openDatabase, closeDatabase } from '../../../../db/index.ts';
import { appliedMigrations, pendingMigrations } from '../../../../db/migrate.ts';
import { crashPoint } from '../../../lib/crash-point.ts';
import { requireTarget, sweepDrafts, withDraft } from '../../../lib/disk.ts';
import { ensureDataDir } from '../../../lib/key.ts';
import { AppError } from '../../../shared/errors.ts';
import { acceptsKey, isItsKey } from '../../access/keys.ts';
import type { Files } from './backup.ts';
import { dialectOf, digestFile, digestOf, keyCopy, readManifest, sealedCopy, sync, type Manifest } from './files.ts';
import { keepDatabase, replaceKey, restoringAlone, stampOf } from './former.ts';
import { openKeyBeside, withOpened } from './sealed.ts';
import { findDamage } from '../rows.ts';

/** The result of a restore. The former database and key are kept beside under the names given; null: none was kept. */
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
 * former one is kept beside it; at any moment there is one whole database in place. Its key comes last: after a kill in between the restore is run again. `passphrase` is asked for where the key
 * beside the backup is sealed and the one in place is another; one that is `given` has to open it in any case. Throws `refused` for a damaged backup, for one whose key is
 * not there and for a wrong passphrase, `busy` while a server or a command has the database open, or another restore runs.
 */
export async function restoreDatabase(
  files: Files,
  path: string,
  passphrase: () => Promise<string> = noPassphrase,
  given?: string,
): Promise<RestoreView> {
  const file = resolve(path);
  if (!existsSync(file)) throw new AppError('not_found', 'backup.not_found', { file });
  if (file === resolve(files.databaseFile)) throw new AppError('invalid', 'backup.itself');
  const replaced = files.databaseUrl === undefined ? [files.databaseFile, files.keyFile] : [files.keyFile];
  for (const path of replaced) await requireTarget(path);
  ensureDataDir(dirname(files.databaseFile));
  return restoringAlone(files, async () => {
    for (const folder of new Set([files.databaseFile, files.keyFile].map(dirname))) await sweepDrafts(folder);
    return withOpened(file, `${files.databaseFile}.opened`, passphrase, async (whole) => ({
      ...(await putBack(files, whole, { ask: passphrase, given })),
      file,
    }));
  });
}

async function putBack(files: Files, file: string, passphrase: Passphrase): Promise<RestoreView> {
  const checksum = await checkDigest(file);
  const wanted = files.databaseUrl === undefined ? 'sqlite' : 'postgres';
  const dialect = await dialectOf(file);
  if (dialect === null) throw strange(file);
  if (dialect !== wanted) throw new AppError('refused', 'backup.other_dialect', { file });
  return { file, checksum, ...(await (wanted === 'sqlite' ? putFile : putOnServer)(files, file, passphrase)) };
}

/** The passphrase of the sealed key beside a backup: one to `ask` for, or one that was `given`. */
interface Passphrase {
  ask: () => Promise<string>;
  given: string | undefined;
}

/** The file of the key of a backup; null: the one in place stays, and `isKnown` tells whether the backup is known to be made with it. */
type Key = { source: string } | { source: null; isKnown: boolean };

type PutBack = Omit<RestoreView, 'file' | 'checksum'>;

/** Restores a dump into a new database of the server, and puts that in the place of the former one, which stays beside it. */
async function putOnServer(files: Files, file: string, passphrase: Passphrase): Promise<PutBack> {
  const address = files.databaseUrl ?? '';
  const stamp = stampOf();
  const { swapBeside } = await import('../../../../db/postgres-beside.ts');
  const { withRestored } = await import('./dump.ts');
  try {
    return await withDraft(files.keyFile, (unsealed) =>
      withRestored(address, file, async (beside, name) => {
        const findIt = (): Promise<Key> => findKey(file, files.keyFile, unsealed, passphrase);
        const { pending, found } = await examine(beside, file, findIt);
        const kept = await swapBeside(address, name, stamp);
        crashPoint('restore:placed');
        return { kept, ...(await restoreKey(found, file, files.keyFile, stamp)), pending };
      }),
    );
  } catch (error) {
    const isItsOwn = error instanceof AppError && error.code === 'tool_failed';
    throw isItsOwn ? damaged(file, String(error.params['reason'])) : error;
  }
}

function putFile(files: Files, file: string, passphrase: Passphrase): Promise<PutBack> {
  const stamp = stampOf();
  return withDraft(files.databaseFile, async (draft) => {
    await copyFile(file, draft);
    await chmod(draft, 0o600);
    const unsealed = `${draft}.key`;
    const { pending, found } = await examine(draft, file, () => findKey(file, files.keyFile, unsealed, passphrase));
    await sync(draft);
    const kept = await keepDatabase(files.databaseFile, stamp);
    await rename(draft, files.databaseFile);
    crashPoint('restore:placed');
    const key = await restoreKey(found, file, files.keyFile, stamp);
    await sync(dirname(files.databaseFile));
    return { kept, ...key, pending };
  });
}

/** Makes the error for a backup that is not what was written. */
export const damaged = (file: string, reason: string): AppError =>
  new AppError('refused', 'backup.damaged', { file, reason }, { code: 'backup_damaged' });

/** Makes the error for a file that is no backup of any kind. */
export const strange = (file: string): AppError =>
  new AppError('refused', 'backup.strange', { file }, { code: 'not_a_backup' });

/** Makes the error for a database without migrations: it is none of ours, unless it tells what it holds. */
export const withoutMigrations = (file: string, manifest: Manifest | null): AppError =>
  manifest ? damaged(file, 'migrations') : strange(file);

/** Compares a backup with the sum beside it. Throws AppError `refused` where it is another. */
export async function checkDigest(file: string): Promise<'right' | 'missing'> {
  if (!existsSync(digestFile(file))) return 'missing';
  const expected = (await readFile(digestFile(file), 'utf8')).split(/\s/)[0];
  if (expected !== (await digestOf(file))) throw damaged(file, 'sha256');
  return 'right';
}

const noPassphrase = (): Promise<string> => Promise.reject(new AppError('refused', 'backup.passphrase_needed'));

/**
 * Returns the key that a backup was made with: that in place where it is the one, whatever lies beside the backup, which may be of a
 * former one of the same name. A sealed one is opened into `unsealed`. Throws AppError `refused` where the key is not found:
 * without it the backup's secrets are lost.
 */
async function findKey(file: string, keyFile: string, unsealed: string, { ask, given }: Passphrase): Promise<Key> {
  const [beside, sealed] = [keyCopy(file), sealedCopy(file)];
  const isInPlace = existsSync(keyFile) ? await isItsKey(keyFile) : false;
  if (isInPlace !== false) {
    if (given !== undefined && existsSync(sealed)) await openKeyBeside(sealed, given);
    return { source: null, isKnown: isInPlace === true };
  }
  if (existsSync(beside) && (await acceptsKey(beside))) return { source: beside };
  if (existsSync(sealed)) {
    await writeFile(unsealed, await openKeyBeside(sealed, given ?? (await ask())), { mode: 0o600 });
    if (await acceptsKey(unsealed)) return { source: unsealed };
    throw new AppError('refused', 'backup.key_wrong', { file, key: sealed });
  }
  if (existsSync(beside)) throw new AppError('refused', 'backup.key_wrong', { file, key: beside });
  if (!(await acceptsKey(keyFile))) throw new AppError('refused', 'backup.key_needed', { file, key: beside });
  return { source: null, isKnown: false };
}

/**
 * Checks a copy, and returns its pending migrations and what `findIt` finds. Throws AppError `refused` for a
 * damaged one.
 */
async function examine(
  copy: string,
  file: string,
  findIt: () => Promise<Key>,
): Promise<{ pending: string[]; found: Key }> {
  try {
    await openDatabase(copy);
    const damage = await findDamage();
    if (damage !== null) throw damaged(file, damage);
    if ((await appliedMigrations()).length === 0) throw withoutMigrations(file, await readManifest(file));
    const pending = await pendingMigrations();
    return { pending, found: await findIt() };
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw damaged(file, error instanceof Error ? error.message : String(error));
  } finally {
    await closeDatabase();
  }
}

async function restoreKey(
  found: Key,
  file: string,
  keyFile: string,
  stamp: string,
): Promise<Pick<RestoreView, 'key' | 'kept_key'>> {
  const current = existsSync(keyFile) ? await readFile(keyFile) : null;
  const beside = existsSync(keyCopy(file)) ? await readFile(keyCopy(file)) : null;
  const { source } = found;
  if (source === null) {
    if (found.isKnown) return { key: 'same', kept_key: null };
    const isBeside = existsSync(sealedCopy(file)) || (current !== null && beside?.equals(current));
    return { key: isBeside ? 'same' : 'missing', kept_key: null };
  }
  const { changed, kept } = await replaceKey(source, keyFile, stamp);
  return { key: changed ? 'restored' : 'same', kept_key: kept };
}
