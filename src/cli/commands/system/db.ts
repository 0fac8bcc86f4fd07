import type { Command } from 'commander';
import { act, later } from '../../run.ts';
import type { HelpTexts } from '../../texts/ru.ts';

const db = later(() => import('../../actions/db.ts'));

/** `db migrate|backup|restore|drill|status|copy`. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('migrate')
    .description(help['db migrate'])
    .option('--no-backup', help['db.no_backup'])
    .action(act(db('migrate')));
  noun
    .command('backup')
    .description(help['db backup'])
    .argument('<file>', help['db.file'])
    .option('--passphrase-file <file>', help['db.passphrase_file'])
    .action(act(db('backup')));
  noun
    .command('restore')
    .description(help['db restore'])
    .argument('<file>', help['db.file'])
    .option('--passphrase-file <file>', help['db.passphrase_opens'])
    .action(act(db('restore')));
  noun
    .command('drill')
    .description(help['db drill'])
    .argument('[file]', help['db.drill_file'])
    .option('--copies', help['db.drill_copies'])
    .option('--passphrase-file <file>', help['db.passphrase_opens'])
    .action(act(db('drill')));
  noun
    .command('status')
    .description(help['db status'])
    .action(act(db('status')));
  noun
    .command('copy')
    .description(help['db copy'])
    .argument('<address>', help['db.address'])
    .option('--password-stdin', help.password_stdin)
    .option('--password-file <file>', help.password_file)
    .option('--dry-run', help.dry_run)
    .action(act(later(() => import('../../actions/db-copy.ts'))('copy')));
}
