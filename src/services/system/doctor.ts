import { constants, existsSync, lstatSync, statSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { closeDatabase, openDatabase } from '../../../db/index.ts';
import { pendingMigrations } from '../../../db/migrate.ts';
import { config } from '../../lib/config.ts';
import { databaseAddress, shownAddress } from '../../lib/database-address.ts';
import { troubleOf } from '../../lib/database-trouble.ts';
import { sweepDrafts } from '../../lib/disk.ts';
import { loadKey } from '../../lib/key.ts';
import { AppError } from '../../shared/errors.ts';
import { audit } from '../../shared/audit/tables.ts';
import { checkBatches, checkDays, checks, checkSamples } from '../../shared/checks/tables.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { operationItems, operationResults, operations } from '../../shared/operations/tables.ts';
import { sites, templateArchives, templates } from '../../shared/sites/tables.ts';
import { blocklistStatus } from '../checks/blocklist.ts';
import { checkKeys } from '../access/keys.ts';
import { findInstalled } from '../access/rows.ts';
import { hasNoUsers } from '../access/users.ts';
import { backupsFolder } from './backups/files.ts';
import { examineBackups } from './backups/findings.ts';
import { listLateJobs } from './lateness.ts';
import { findCoarseDamage, findFreeBytes, findServerBytes, sumBytes } from './rows.ts';

/** The result of one check. `warn` is worth a look; with `fail` something does not work. */
export interface Finding {
  check: string;
  status: 'ok' | 'warn' | 'fail';
  said: Message;
  /** Sizes in bytes, for programs. */
  bytes?: Sizes;
}

/** The database's file and log, what is free in the file, and the tables that grow. */
interface Sizes {
  file: number;
  wal: number;
  free: number;
  history: number;
  operations: number;
  templates: number;
  audit: number;
}

const OLDEST_NODE = [20, 19];
const LEAST_FREE_BYTES = 200 * 1024 * 1024;

const fine = (check: string, params: Message['params'] = {}): Finding => ({
  check,
  status: 'ok',
  said: { key: 'doctor.ok', params: { what: '', ...params } },
});
const finding = (
  check: string,
  status: Finding['status'],
  key: Message['key'],
  params: Message['params'] = {},
): Finding => ({
  check,
  status,
  said: { key, params },
});

const NO_ACCESS = new Set(['EACCES', 'EPERM', 'EROFS']);

function failed(check: string, error: unknown): Finding {
  if (error instanceof AppError) return finding(check, 'fail', error.key, error.params);
  const { code = '', path } = error as NodeJS.ErrnoException;
  if (path !== undefined && NO_ACCESS.has(code)) return finding(check, 'fail', 'cli.no_access', { path });
  if (troubleOf(error) === 'unopened') {
    return finding(check, 'fail', 'doctor.database_unopened', { database: shownAddress(databaseAddress(config())) });
  }
  return finding(check, 'fail', 'doctor.failed', { reason: error instanceof Error ? error.message : String(error) });
}

function examineNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldMajor = 0, oldMinor = 0] = OLDEST_NODE;
  const isOld = major < oldMajor || (major === oldMajor && minor < oldMinor);
  return isOld
    ? finding('node', 'fail', 'doctor.node', { version: process.versions.node })
    : fine('node', { what: process.versions.node });
}

/** Whether there is something at a path. Throws where that can't be seen. */
const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** Returns the code of the error that a use of the folder would end with; null: it can be used. */
const faultOf = (folder: string): Promise<string | null> =>
  access(folder, constants.W_OK | constants.R_OK | constants.X_OK).then(
    () => (statSync(folder).isDirectory() ? null : 'ENOTDIR'),
    ({ code }: NodeJS.ErrnoException) => code ?? '',
  );

async function examineDirectory(): Promise<Finding[]> {
  const { dataDir } = config();
  const fault = await faultOf(dataDir);
  // A link that leads nowhere is there.
  if (fault === 'ENOENT' && lstatSync(dataDir, { throwIfNoEntry: false }) === undefined)
    return [finding('data_dir', 'warn', 'doctor.no_data_dir', { dir: dataDir })];
  if (fault !== null) return [finding('data_dir', 'fail', 'doctor.data_dir', { dir: dataDir })];
  for (const folder of [dataDir, backupsFolder(config())]) await sweepDrafts(folder).catch(() => undefined);
  const isOpen = process.platform !== 'win32' && (statSync(dataDir).mode & 0o077) !== 0;
  const { bavail, bsize } = await statfs(dataDir);
  const free = Math.floor((bavail * bsize) / 1024 / 1024);
  return [
    isOpen
      ? finding('data_dir', 'warn', 'doctor.data_dir_open', { dir: dataDir })
      : fine('data_dir', { what: dataDir }),
    bavail * bsize < LEAST_FREE_BYTES
      ? finding('disk', 'warn', 'doctor.disk', { free })
      : finding('disk', 'ok', 'doctor.free', { free }),
  ];
}

/** Whether the open database was made with the key in place. */
async function examineMatch(): Promise<Finding[]> {
  // A file without its key was reported before; a server's database may never have had one.
  if (!existsSync(config().keyFile) && config().databaseUrl === undefined) return [];
  try {
    await checkKeys(config());
    return [];
  } catch (error) {
    return [failed('key', error)];
  }
}

/** Warns where no sealed copy of the key was made with a backup: without the key no backup's secrets can be read. */
async function examineSealed(): Promise<Finding[]> {
  const isSealed = (await findInstalled('key_sealed_at')) !== null;
  return isSealed ? [] : [finding('key_backup', 'warn', 'doctor.key_unsealed')];
}

/** Warns of jobs that nobody has run for long. */
async function examineSchedule(): Promise<Finding> {
  const late = await listLateJobs();
  if (late.length === 0) return fine('schedule');
  return finding('schedule', 'warn', 'doctor.late', {
    jobs: late.map(({ name, minutes }) => `${name} ${minutes}`).join(', '),
  });
}

function examineKey(): Finding {
  const { keyFile, databaseFile, databaseUrl } = config();
  try {
    if (!isThere(keyFile)) {
      return databaseUrl === undefined && isThere(databaseFile)
        ? finding('key', 'fail', 'doctor.key_lost', { path: keyFile })
        : finding('key', 'warn', 'doctor.no_key', { path: keyFile });
    }
    loadKey(keyFile);
    return fine('key', { what: keyFile });
  } catch (error) {
    return failed('key', error);
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);

async function examineSizes(): Promise<Finding> {
  const { databaseFile, databaseUrl } = config();
  const bytes: Sizes = {
    file: databaseUrl === undefined ? sizeOf(databaseFile) : await findServerBytes(),
    wal: databaseUrl === undefined ? sizeOf(`${databaseFile}-wal`) : 0,
    free: await findFreeBytes(),
    history: await sumBytes([checks, checkDays, checkSamples, checkBatches]),
    operations: await sumBytes([operations, operationItems, operationResults]),
    templates: await sumBytes([templates, templateArchives, sites]),
    audit: await sumBytes([audit]),
  };
  const params = Object.fromEntries(Object.entries(bytes).map(([name, size]) => [name, megabytes(size)]));
  return { check: 'sizes', status: 'ok', said: { key: 'doctor.sizes', params }, bytes };
}

async function examineDatabase(): Promise<Finding[]> {
  const { databaseFile, databaseUrl } = config();
  const address = databaseAddress(config());
  try {
    if (databaseUrl === undefined && !isThere(databaseFile))
      return [finding('database', 'warn', 'doctor.no_database', { file: databaseFile })];
    await openDatabase(address);
    const damage = await findCoarseDamage();
    if (damage !== null) return [finding('database', 'fail', 'doctor.damaged', { reason: damage })];
    const pending = await pendingMigrations();
    if (pending.length > 0) {
      return [
        fine('database', { what: shownAddress(address) }),
        finding('migrations', 'warn', 'doctor.pending', { names: pending.join(', ') }),
      ];
    }
    const users = (await hasNoUsers()) ? finding('users', 'warn', 'user.none') : fine('users');
    return [
      fine('database', { what: shownAddress(address) }),
      fine('migrations'),
      await examineSizes(),
      ...(await examineMatch()),
      ...(await examineSealed()),
      ...(await examineBackups()),
      await examineSchedule(),
      users,
    ];
  } catch (error) {
    return [failed('database', error)];
  } finally {
    await closeDatabase();
  }
}

async function examineBlocklist(): Promise<Finding> {
  const { blocklistDir } = config();
  try {
    const { state, source, doubt } = await blocklistStatus(blocklistDir);
    if (doubt) return finding('blocklist', 'warn', `cli.list_${doubt.reason}`, { ...doubt });
    if (state === 'fresh') return fine('blocklist', { what: source });
    return finding('blocklist', 'warn', `check.list_${state}`);
  } catch (error) {
    return failed('blocklist', error);
  }
}

/**
 * Checks the installation and changes nothing of it, but removes the drafts that killed processes have left. No database may be open: it opens and closes the installation's.
 */
export async function examine(): Promise<Finding[]> {
  return [
    examineNode(),
    ...(await examineDirectory()),
    examineKey(),
    ...(await examineDatabase()),
    await examineBlocklist(),
  ];
}
