import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Config } from '../../lib/config.ts';
import { AppError } from '../../shared/errors.ts';
import { requireAdmin, requireHost, type Context } from '../context.ts';
import type { Result } from '../output.ts';
import { act } from '../run.ts';
import { canAsk, confirm } from '../secret.ts';
import type { HelpTexts } from '../texts/ru.ts';

/** `db migrate|backup|restore|status`. */
export function define(noun: Command, help: HelpTexts): void {
  noun.command('migrate').description(help['db migrate']).action(act(migrate));
  noun
    .command('backup')
    .description(help['db backup'])
    .argument('<file>', help['db.file'])
    .option('--passphrase-file <file>', help['db.passphrase_file'])
    .action(act(backup));
  noun
    .command('restore')
    .description(help['db restore'])
    .argument('<file>', help['db.file'])
    .option('--passphrase-file <file>', help['db.passphrase_file'])
    .action(act(restore));
  noun.command('status').description(help['db status']).action(act(status));
}

async function migrate(context: Context): Promise<Result> {
  const { migrated, actor } = await context.open();
  requireAdmin(actor);
  const text =
    migrated.length > 0 ? context.say('cli.migrated', { names: migrated.join(', ') }) : context.say('cli.up_to_date');
  return { data: { migrated }, text };
}

/** Opens an existing database without migrating it. Throws `forbidden` unless `--as`, if given, names an administrator. */
async function openAsItIs(context: Context): Promise<Config> {
  const config = context.config();
  if (!existsSync(config.databaseFile)) {
    throw new AppError('not_configured', 'backup.no_database', { file: config.databaseFile });
  }
  await context.openAsItIs();
  if (context.options.as !== undefined) {
    const { actorOf } = await import('../../services/access/users.ts');
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
  return (await readFile(passphraseFile, 'utf8')).replace(/\r?\n$/, '');
}

async function backup(context: Context, flags: KeyFlags, file: string): Promise<Result> {
  const config = await openAsItIs(context);
  const { backupDatabase } = await import('../../services/system/backup.ts');
  const view = await backupDatabase(config, file, context.options.yes ?? false, await givenPassphrase(context, flags));
  const { say } = context;
  const text = say('backup.done', { file: view.file, bytes: view.bytes });
  const key = view.key_file
    ? say('backup.key', { file: view.key_file })
    : say('backup.key_apart', { file: config.keyFile });
  return { data: view, text: `${text}\n${key}` };
}

async function restore(context: Context, flags: KeyFlags, file: string): Promise<Result> {
  await requireHost(context);
  const config = context.config();
  const { restoreDatabase } = await import('../../services/system/backup.ts');
  if (existsSync(config.databaseFile)) {
    await confirm(context, context.say('backup.confirm', { database: config.databaseFile, file }));
  }
  const given = await givenPassphrase(context, flags);
  const passphrase = async (): Promise<string> => {
    if (given !== undefined) return given;
    if (!canAsk(context)) throw new AppError('refused', 'backup.passphrase_needed');
    return (await import('../terminal/Ask.tsx')).askLine(context.say('cli.ask_passphrase'), true);
  };
  await context.close();
  const view = await restoreDatabase(config, file, passphrase);
  const { say } = context;
  if (view.checksum === 'missing') context.warn(say('backup.no_checksum'));
  if (view.key === 'missing') context.warn(say('backup.no_key'));
  const kept = view.kept ? [say('backup.kept', { file: view.kept })] : [];
  return { data: view, text: [say('backup.restored', { file: view.file }), ...kept].join('\n') };
}

async function status(context: Context): Promise<Result> {
  const config = await openAsItIs(context);
  const { databaseStatus } = await import('../../services/system/backup.ts');
  const view = await databaseStatus(config);
  const counts = Object.entries(view.counts).map(([table, count]) => `${table}: ${count}`);
  const lines = [
    `${view.file} (${view.bytes})`,
    `integrity: ${view.integrity}`,
    `migrations: ${view.applied.length}${view.pending.length > 0 ? `, pending: ${view.pending.join(', ')}` : ''}`,
    ...counts,
  ];
  return { data: view, text: lines.join('\n'), exit: view.integrity === 'ok' ? 0 : 1 };
}
