import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { appliedMigrations, migrate, pendingMigrations } from '../../../../db/migrate.ts';
import { aloneWith } from '../../../../db/postgres-beside.ts';
import { config } from '../../../lib/config.ts';
import { sweepDrafts } from '../../../lib/disk.ts';
import { withLockFile } from '../../../lib/lock-file.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Message } from '../../../shared/i18n/index.ts';
import { backupDatabase } from './backup.ts';
import { backupsFolder, removeBackup } from './files.ts';
import { requireDatabaseRoom } from './job.ts';

type Tell = (message: Message) => void;

const ASKED_MS = 200;
// Upgrades are rare: their backups are the way back to former versions.
const KEPT = 3;

const OURS = /^before-\d{4}-[a-z-]+\.(?:sqlite|dump)$/;

async function removeOld(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => OURS.test(name));
  const ages = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })));
  for (const { name } of ages.toSorted((a, b) => b.at - a.at).slice(KEPT)) await removeBackup(join(folder, name));
}

/** Backs the database up as `before-<first migration>`. A server without `pg_dump` at hand has backups of its own: then `tell` gets why there is none. */
async function backUp(folder: string, first: string, tell: Tell): Promise<void> {
  const files = config();
  await sweepDrafts(folder);
  await requireDatabaseRoom(folder);
  const file = join(folder, `before-${first}.${files.databaseUrl === undefined ? 'sqlite' : 'dump'}`);
  await backupDatabase(files, file, true, files.backupPassphrase).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'no_tool') throw error;
    tell({ key: 'upgrade.unsaved', also: [{ key: error.key, params: error.params }] });
  });
  await removeOld(folder);
}

// Processes on several machines, or in containers, see one database, and their numbers tell nothing to each other.
const alone = <T>(work: () => Promise<T>): Promise<T | undefined> => {
  const { databaseUrl, dataDir } = config();
  return databaseUrl === undefined ? withLockFile(join(dataDir, '.upgrade'), work) : aloneWith(databaseUrl, work);
};

/**
 * Brings the open database up to date and returns the names of the migrations that ran. Unless it is new, it is backed up before, into
 * `backups` of the data directory; of processes that start at once, one does so and the others wait for it. Throws AppError
 * `not_configured` for a database that a newer version has changed, `unavailable` where the disk has no room for the backup: then nothing was changed.
 * `tell` gets why it was not backed up where it went on without.
 */
export async function upgradeDatabase(tell: Tell): Promise<string[]> {
  const told = (): void => tell({ key: 'upgrade.waits' });
  for (;;) {
    const done = await alone(async () => {
      const [first] = await pendingMigrations();
      if (first === undefined) return [];
      if ((await appliedMigrations()).length > 0) {
        const folder = backupsFolder(config());
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await backUp(folder, first, tell);
      }
      return migrate(told);
    });
    if (done) return done;
    await sleep(ASKED_MS);
  }
}
