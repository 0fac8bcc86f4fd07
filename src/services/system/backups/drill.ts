import { existsSync } from 'node:fs';
import { chmod, copyFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { examineFile, type Contents } from '../../../../db/beside.ts';
import { config } from '../../../lib/config.ts';
import { crashPoint } from '../../../lib/crash-point.ts';
import { sweepDrafts, withDraft } from '../../../lib/disk.ts';
import { messageFor } from '../../../operations/failure.ts';
import { AppError } from '../../../shared/errors.ts';
import { backupsFolder, dialectOf, listBackups, readManifest, sealedCopy, type Manifest } from './files.ts';
import { checkDigest, damaged, strange, withoutMigrations } from './restore.ts';
import { requireRoom } from './room.ts';
import { openKeyBeside, withOpened } from './sealed.ts';
import { noteFailed, noteGood } from './state.ts';

/**
 * A backup that was restored beside and examined. `compared` is false for one of an older version, which does not tell what it holds; `key`
 * tells whether the sealed key beside it was opened: `none` is there, or it is `untried` without a passphrase.
 */
export interface DrillView {
  file: string;
  made_at: string | null;
  bytes: number;
  tables: number;
  rows: number;
  compared: boolean;
  /** A sealed copy has the key in it. */
  key: 'opened' | 'untried' | 'none';
}

/** Returns the newest whole backup of the schedule. Throws AppError `not_found` where there is none. */
async function newestBackup(): Promise<string> {
  const folder = backupsFolder(config());
  const newest = (await listBackups(folder)).findLast(({ whole }) => whole);
  if (!newest) throw new AppError('not_found', 'backup.none', { folder }, { code: 'no_backup' });
  return join(folder, newest.name);
}

/** Returns what of the restored database differs from what the backup tells of itself, such as `domains 3 <> 4`; null: nothing. */
export function differenceOf(told: Contents, found: Contents): string | null {
  for (const table of new Set([...Object.keys(told.counts), ...Object.keys(found.counts)])) {
    const [wanted, seen] = [told.counts[table], found.counts[table]];
    if (wanted !== seen) return `${table} ${wanted ?? '-'} <> ${seen ?? '-'}`;
  }
  if (told.migrations.join() !== found.migrations.join()) return 'migrations';
  const isSame = told.audit?.last_id === found.audit?.last_id && told.audit?.hash === found.audit?.hash;
  return isSame ? null : 'audit';
}

/** Throws AppError `refused` where what was restored is not what the backup tells of itself. */
function compare(file: string, manifest: Manifest | null, found: Contents): void {
  if (found.migrations.length === 0) throw withoutMigrations(file, manifest);
  const what = manifest && differenceOf(manifest, found);
  if (what) throw new AppError('refused', 'backup.differs', { file, what }, { code: 'backup_differs' });
}

/** Returns the folder for drafts, without those that dead processes have left: that of the backups, or the backup's own where there is none. */
export async function drillFolder(file: string): Promise<string> {
  const folder = existsSync(backupsFolder(config())) ? backupsFolder(config()) : dirname(file);
  await sweepDrafts(folder);
  return folder;
}

/** Restores a backup beside, by what it is of. Throws AppError `refused` for a damaged one, for what is none, and for a dump where there is no server. */
async function restoreAnyBeside(file: string, place: string): Promise<Contents> {
  const dialect = await dialectOf(file);
  if (dialect === null) throw strange(file);
  if (dialect === 'sqlite') return restoreBeside(file, place);
  const { databaseUrl } = config();
  if (databaseUrl === undefined) throw new AppError('refused', 'backup.other_dialect', { file });
  const { withRestored } = await import('./dump.ts');
  const { readServerContents } = await import('../../../../db/postgres-beside.ts');
  return withRestored(databaseUrl, file, (beside) => {
    crashPoint('drill:restored');
    return readServerContents(beside);
  }).catch((error: unknown) => {
    const isItsOwn = error instanceof AppError && error.code === 'tool_failed';
    throw isItsOwn ? damaged(file, String(error.params['reason'])) : error;
  });
}

/** Restores a file of SQLite beside, examines it and removes it. A draft of a process that was killed goes with the next drill or backup. */
const restoreBeside = (file: string, place: string): Promise<Contents> =>
  withDraft(place, async (draft) => {
    await requireRoom(dirname(place), (await stat(file)).size);
    await copyFile(file, draft);
    await chmod(draft, 0o600);
    crashPoint('drill:restored');
    const { damage, contents } = await examineFile(draft).catch((error: Error) => {
      throw damaged(file, error.message);
    });
    if (damage !== null) throw damaged(file, damage);
    return contents;
  });

async function tryKey(file: string, passphrase: string | undefined): Promise<DrillView['key']> {
  const key = sealedCopy(file);
  if (!existsSync(key)) return 'none';
  if (passphrase === undefined) return 'untried';
  await openKeyBeside(key, passphrase);
  return 'opened';
}

/**
 * Restores a backup beside the database, the newest one of the schedule where none is named, and compares its integrity, its rows and the end
 * of its log with what it tells of itself. Nothing of it stays. Needs no open database. Throws AppError `not_found`, `refused` for a damaged
 * backup, one that differs and a passphrase that does not open its key, `unavailable` where the disk has too little room.
 */
export async function drill(path?: string, passphrase?: string): Promise<DrillView> {
  const file = path === undefined ? await newestBackup() : resolve(path);
  if (!existsSync(file)) throw new AppError('not_found', 'backup.not_found', { file });
  const folder = await drillFolder(file);
  const asked = async (): Promise<string> => {
    if (passphrase === undefined) throw new AppError('refused', 'backup.sealed');
    return passphrase;
  };
  return withOpened(file, join(folder, 'opened'), asked, (whole) => prove(file, whole, folder, passphrase));
}

async function prove(file: string, whole: string, folder: string, passphrase: string | undefined): Promise<DrillView> {
  await checkDigest(whole);
  const manifest = await readManifest(whole);
  const found = await restoreAnyBeside(whole, join(folder, 'drill'));
  compare(file, manifest, found);
  const key = whole === file ? await tryKey(file, passphrase) : 'opened';
  const counts = Object.values(found.counts);
  return {
    file,
    made_at: manifest?.made_at ?? null,
    bytes: (await stat(file)).size,
    tables: counts.length,
    rows: counts.reduce((sum, n) => sum + n, 0),
    compared: manifest !== null,
    key,
  };
}

/** As `drill`, and notes in the open database how it ended. */
export async function notedDrill(path?: string, passphrase?: string): Promise<DrillView> {
  try {
    const view = await drill(path, passphrase);
    await noteGood('drill', basename(view.file));
    return view;
  } catch (error) {
    const said = messageFor(error);
    // Without a backup nothing was tried.
    const isTried = said && !(error instanceof AppError && error.kind === 'not_found');
    if (isTried) await noteFailed('drill', said);
    throw error;
  }
}
