import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { copyRows, countSource, filledTables, type CopiedTable } from '../../../db/copy.ts';
import { openSource, type Source } from '../../../db/copy-source.ts';
import { closeDatabase, openDatabase } from '../../../db/index.ts';
import { appliedMigrations, migrate } from '../../../db/migrate.ts';
import { migrations } from '../../../db/migrations/index.ts';
import { tableNames } from '../../../db/tables.ts';
import { ownPaths, type Config } from '../../lib/config.ts';
import { databaseAddress, isPostgres, shownAddress } from '../../lib/database-address.ts';
import { troubleOf } from '../../lib/database-trouble.ts';
import { requireTarget } from '../../lib/disk.ts';
import { ensureDataDir } from '../../lib/key.ts';
import { AppError } from '../../shared/errors.ts';
import { requireKey } from '../access/keys.ts';
import { refuseInUse } from './backups/former.ts';

type Place = Pick<Config, 'databaseFile' | 'databaseUrl'>;
type From = Place & Partial<Config>;

interface CopyOptions {
  dryRun?: boolean;
  signal?: AbortSignal;
}

/** A copy that was made, or would be: its tables, and both places as they are shown. */
export interface CopyView {
  from: string;
  to: string;
  tables: (Pick<CopiedTable, 'table' | 'rows'> & Partial<CopiedTable>)[];
}

/** Opens the source, which nobody may use meanwhile. Throws `busy` where somebody does. */
async function openFrom({ databaseFile, databaseUrl }: Place): Promise<Source> {
  if (databaseUrl !== undefined) return openSource(databaseUrl);
  if (!existsSync(databaseFile)) throw new AppError('not_configured', 'backup.no_database', { file: databaseFile });
  await refuseInUse(databaseFile);
  return openSource(databaseFile);
}

/** A database without our tables is none of ours; one that is damaged or away is told as that. */
function emptyIfAbsent(error: unknown): [] {
  if (troubleOf(error)) throw error;
  return [];
}

/** Throws `not_configured` unless exactly the migrations of this version have changed the source. */
async function refuseOther(source: Source, address: string): Promise<void> {
  const rows = (await source.all('SELECT name FROM migrations ORDER BY name').catch(emptyIfAbsent)) as {
    name: string;
  }[];
  const applied = new Set(rows.map(({ name }) => name));
  if (applied.size === 0) throw new AppError('not_configured', 'backup.no_database', { file: shownAddress(address) });
  const known = migrations.map(({ name }) => name);
  const pending = known.filter((name) => !applied.delete(name));
  if (applied.size > 0) throw new AppError('not_configured', 'database.newer', { names: [...applied].join(', ') });
  if (pending.length > 0) throw new AppError('not_configured', 'copy.pending', { names: pending.join(', ') });
}

/** Throws `not_configured` where the key file that would stay the copy's is missing, or not the one of the source. */
async function refuseOtherKey(source: Source, { keyFile, ...place }: From): Promise<void> {
  if (keyFile === undefined) return;
  const [row] = (await source.all(`SELECT value FROM installation WHERE name = 'key_check'`)) as { value: string }[];
  if (row) requireKey(row.value, { ...place, keyFile });
}

const notEmpty = (names: readonly string[]): AppError =>
  new AppError('conflict', 'copy.not_empty', { tables: names.join(', ') });

/** Throws `conflict` unless the open database is new, or has tables of this version, whether all of them or not, without rows. */
async function refuseFilled(): Promise<void> {
  const tables = await tableNames();
  if (tables.length === 0) return;
  if (!tables.includes('migrations')) throw notEmpty(tables);
  const known = new Set(migrations.map(({ name }) => name));
  const others = (await appliedMigrations()).filter((name) => !known.has(name));
  if (others.length > 0) throw new AppError('conflict', 'copy.other_migrations', { names: others.join(', ') });
  const filled = await filledTables();
  if (filled.length > 0) throw notEmpty(filled);
}

/** Opens the target. Throws `conflict` where there is a file that is no database, or that can't be opened. */
async function openTarget(address: string): Promise<void> {
  try {
    await openDatabase(address);
    await refuseFilled();
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble !== 'damaged' && trouble !== 'unopened') throw error;
    throw new AppError('conflict', 'copy.no_database', { file: shownAddress(address) }, { cause: error });
  }
}

/** Throws as `requireTarget`, but names the target, as `openTarget` does, where it is a folder. */
async function requireFile(target: string, from: From): Promise<void> {
  try {
    await requireTarget(target, ownPaths(from));
  } catch (error) {
    if (!(error instanceof AppError) || error.key !== 'cli.is_folder') throw error;
    throw new AppError('conflict', 'copy.no_database', { file: shownAddress(target) }, { cause: error });
  }
}

/** Creates the file of a SQLite database, readable by its owner only. */
async function createFile(path: string): Promise<void> {
  ensureDataDir(dirname(path));
  await (await open(path, 'a', 0o600)).close();
}

/**
 * Copies the whole portfolio, secrets as they are sealed, into another database, which has to be empty; the key file stays the
 * one of both. No database may be open. The target is whole or, after a failure or a kill, empty. With `dryRun` nothing is
 * written. Throws `busy` while another process uses the source, `conflict` where the target is not empty, `not_configured` where `keyFile`
 * is not the source's; the reason of `signal` where that is aborted before the copy is whole.
 */
export async function copyDatabase(from: From, to: Place, options: CopyOptions = {}): Promise<CopyView> {
  const { dryRun = false, signal } = options;
  const [source, target] = [databaseAddress(from), databaseAddress(to)];
  if (source === target) throw new AppError('invalid', 'copy.itself');
  const reading = await openFrom(from);
  try {
    signal?.throwIfAborted();
    await refuseOther(reading, source);
    await refuseOtherKey(reading, from);
    if (await reading.isAt(target)) throw new AppError('invalid', 'copy.itself');
    if (!isPostgres(target)) await requireFile(target, from);
    const view = { from: shownAddress(source), to: shownAddress(target) };
    const isNewFile = !isPostgres(target) && !existsSync(target);
    if (dryRun && isNewFile) return { ...view, tables: await countSource(reading, signal) };
    if (isNewFile) await createFile(target);
    await openTarget(target);
    if (dryRun) return { ...view, tables: await countSource(reading, signal) };
    signal?.throwIfAborted();
    await migrate();
    return { ...view, tables: await copyRows(reading, signal) };
  } finally {
    await closeDatabase();
    await reading.close();
  }
}
