import { Option, type Command } from 'commander';
import { wholeNumber } from '../numbers.ts';
import { act, later } from '../run.ts';
import { withSelection } from '../selection.ts';
import type { HelpTexts } from '../texts/ru.ts';

const rows = later(() => import('../actions/domain/rows.ts'));
const changes = later(() => import('../actions/domain/changes.ts'));
const many = later(() => import('../actions/domain/many.ts'));
const renewing = later(() => import('../actions/domain/renew.ts'));
const importing = later(() => import('../actions/domain/import.ts'));
const exporting = later(() => import('../actions/domain/export.ts'));

/** `domain list|add|show|set|remove|undo|renew|import|export`: the portfolio. */
export function define(noun: Command, help: HelpTexts): void {
  const command = (
    name: 'list' | 'add' | 'show' | 'set' | 'remove' | 'undo' | 'renew' | 'import' | 'export',
  ): Command => noun.command(name).description(help[`domain ${name}`]);
  const type = (): Option => new Option('--type <type>', help['domain.type']).choices(['main', 'transfer']);
  withSelection(command('list'), help)
    .addOption(type())
    .option('--search <text>', help['domain.search'])
    .action(act(rows('list')));
  command('add')
    .argument('[names...]', help.names)
    .option('-f, --file <file>', help.file)
    .option('-p, --project <name>', help['domain.into'])
    .addOption(type())
    .action(act(changes('add')));
  command('show')
    .argument('<name>', help['domain.name'])
    .action(act(rows('show')));
  const chosen = (command: Command): Command =>
    command
      .argument('[names...]', help.names)
      .option('-f, --file <file>', help.file)
      .option('--names <names>', help['domain.names'])
      .option('--filter <filter>', help['domain.filter'])
      .option('--dry-run', help.dry_run);
  chosen(command('set'))
    .option('-p, --project <name>', help['domain.set_project'])
    .addOption(new Option('--mode <mode>', help['domain.set_mode']).choices(['auto', 'manual']))
    .option('--server <server>', help['domain.set_server'])
    .option('--cdn-account <account>', help['domain.set_account'])
    .action(act(many('set')));
  chosen(command('remove')).action(act(changes('remove')));
  command('undo')
    .argument('<id>', help['domain.undo_id'], wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .action(act(many('undo')));
  command('renew')
    .argument('[names...]', help.names)
    .option('-f, --file <file>', help.file)
    .option('--dry-run', help.dry_run)
    .action(act(renewing('renew')));
  command('import')
    .argument('<file>', help['domain.import_file'])
    .addOption(new Option('--mode <mode>', help['domain.mode']).choices(['skip', 'fill', 'overwrite']).default('skip'))
    .option('-p, --project <name>', help['domain.into'])
    .addOption(type())
    .option('--dry-run', help.dry_run)
    .action(act(importing('importFile')));
  withSelection(command('export'), help)
    .addOption(
      new Option('--delimiter <kind>', help['domain.delimiter']).choices(['comma', 'semicolon']).default('comma'),
    )
    .option('--bom', help['domain.bom'])
    .action(act(exporting('exportPortfolio')));
}
