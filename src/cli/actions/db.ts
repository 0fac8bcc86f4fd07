import { existsSync } from 'node:fs';
import { migrate as migrateDatabase } from '../../../db/migrate.ts';
import type { Config } from '../../lib/config.ts';
import { databaseAddress, shownAddress } from '../../lib/database-address.ts';
import { actorOf } from '../../services/access/users.ts';
import { backupDatabase } from '../../services/system/backups/backup.ts';
import { drillCopies } from '../../services/system/backups/copy-drill.ts';
import { drill as drillFile, notedDrill } from '../../services/system/backups/drill.ts';
import { restoreDatabase } from '../../services/system/backups/restore.ts';
import { databaseStatus } from '../../services/system/backups/status.ts';
import { AppError } from '../../shared/errors.ts';
import { requireAdmin, requireHost, usageError, type Context } from '../context.ts';
import type { Result } from '../output.ts';
import { canAsk, confirm, readSecretFile } from '../secret.ts';
import { askLine } from '../terminal/prompts.ts';

/** `db migrate`. */
export async function migrate(context: Context, { backup = true }: { backup?: boolean }): Promise<Result> {
  if (!backup) return migrateAlone(context);
  const { migrated, actor } = await context.open();
  requireAdmin(actor);
  const text =
    migrated.length > 0 ? context.say('cli.migrated', { names: migrated.join(', ') }) : context.say('cli.up_to_date');
  return { data: { migrated }, text };
}

/** Migrates without a backup before, where there is no room for one, or another program makes it. */
async function migrateAlone(context: Context): Promise<Result> {
  await openAsItIs(context);
  const migrated = await migrateDatabase();
  const text = context.say(migrated.length > 0 ? 'cli.migrated' : 'cli.up_to_date', { names: migrated.join(', ') });
  return { data: { migrated }, text };
}

/** Opens an existing database without migrating it. Throws `forbidden` unless `--as`, if given, names an administrator. */
async function openAsItIs(context: Context): Promise<Config> {
  const config = context.config();
  if (config.databaseUrl === undefined && !existsSync(config.databaseFile)) {
    throw new AppError('not_configured', 'backup.no_database', { file: config.databaseFile });
  }
  await context.openAsItIs();
  if (context.options.as !== undefined) {
    requireAdmin(await actorOf(context.options.as));
  }
  return config;
}

interface KeyFlags {
  passphraseFile?: string;
}

/** Returns the passphrase from the file of the flag, else from the environment. */
async function givenPassphrase(context: Context, { passphraseFile }: KeyFlags): Promise<string | undefined> {
  if (passphraseFile === undefined) return context.config().backupPassphrase;
  return readSecretFile(passphraseFile);
}

/** `db backup`. */
export async function backup(context: Context, flags: KeyFlags, file: string): Promise<Result> {
  const config = await openAsItIs(context);
  const view = await backupDatabase(config, file, context.options.yes ?? false, await givenPassphrase(context, flags));
  const { say } = context;
  const text = say('backup.done', { file: view.file, bytes: view.bytes });
  const key = view.key_file
    ? say('backup.key', { file: view.key_file })
    : say('backup.key_apart', { file: config.keyFile });
  return { data: view, text: `${text}\n${key}` };
}

/** `db restore`: replaces the database by a backup; the former one is kept beside it. */
export async function restore(context: Context, flags: KeyFlags, file: string): Promise<Result> {
  await requireHost(context);
  const config = context.config();
  if (config.databaseUrl !== undefined || existsSync(config.databaseFile)) {
    const database = shownAddress(databaseAddress(config));
    await confirm(context, context.say('backup.confirm', { database, file }));
  }
  const given = await givenPassphrase(context, flags);
  const passphrase = async (): Promise<string> => {
    if (given !== undefined) return given;
    if (!canAsk(context)) throw new AppError('refused', 'backup.passphrase_needed');
    return askLine(context.asked, context.say('cli.ask_passphrase'), true);
  };
  await context.close();
  const view = await restoreDatabase(config, file, passphrase, flags.passphraseFile === undefined ? undefined : given);
  const { say } = context;
  if (view.checksum === 'missing') context.warn(say('backup.no_checksum'));
  if (view.key === 'missing') context.warn(say('backup.no_key'));
  const kept = view.kept ? [say('backup.kept', { file: view.kept })] : [];
  return { data: view, text: [say('backup.restored', { file: view.file }), ...kept].join('\n') };
}

/** `db drill`: restores a backup beside and examines it; a backup of the schedule is noted as proved. Needs no database for a named file. */
export async function drill(context: Context, flags: KeyFlags & { copies?: boolean }, file?: string): Promise<Result> {
  const passphrase = await givenPassphrase(context, flags);
  if (flags.copies) return drillAllCopies(context, passphrase, file);
  const { databaseFile, databaseUrl } = context.config();
  const isThere = databaseUrl !== undefined || existsSync(databaseFile);
  if (isThere || file === undefined || context.options.as !== undefined) await openAsItIs(context);
  const view = await (file === undefined ? notedDrill(undefined, passphrase) : drillFile(file, passphrase));
  const { say } = context;
  const said = say(view.compared ? 'backup.proved' : 'backup.proved_old', { file: view.file, rows: view.rows });
  const key = view.key === 'none' ? [] : [say(`backup.key_${view.key}`)];
  return { data: view, text: [said, ...key].join('\n') };
}

/** `db drill --copies`: the same with the newest copy at each place, fetched back. The first failure is the command's, after all were tried. */
async function drillAllCopies(
  context: Context,
  passphrase: string | undefined,
  file: string | undefined,
): Promise<Result> {
  if (file !== undefined) throw usageError('cli.conflict', { reason: '--copies' });
  await openAsItIs(context);
  const failures: unknown[] = [];
  const copies = await drillCopies(passphrase, (error) => failures.push(error));
  const { say } = context;
  for (const { file: name, rows } of copies) context.talk(say('backup.proved', { file: name, rows }));
  if (failures.length > 0) throw failures[0];
  const places = copies.map(({ place }) => place).join(', ');
  return {
    data: { copies },
    text: copies.length > 0 ? say('backup.copies_proved', { places }) : say('backup.copies_none'),
  };
}

/** `db status`: exit 1 for a damaged database. */
export async function status(context: Context): Promise<Result> {
  const config = await openAsItIs(context);
  const view = await databaseStatus(config);
  const { say } = context;
  const { pending } = view;
  const lines = [
    say('backup.file', { file: view.file, bytes: view.bytes }),
    say('backup.integrity', { integrity: view.integrity }),
    say('backup.migrations', { n: view.applied.length }),
    ...(pending.length > 0 ? [say('backup.pending', { names: pending.join(', ') })] : []),
    ...Object.entries(view.counts).map(([table, count]) => `${table}: ${count}`),
  ];
  return { data: view, text: lines.join('\n'), exit: view.integrity === 'ok' ? 0 : 1 };
}
