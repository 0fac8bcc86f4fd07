import type { Command } from 'commander';
import { act, later } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const server = later(() => import('../actions/server.ts'));

/** `server list|add|edit|remove|test|accept-key|keep-key`. A server is named by its name or its id; its password is never shown. */
export function define(noun: Command, help: HelpTexts): void {
  const withPassword = (command: Command): Command =>
    command.option('--password-stdin', help.password_stdin).option('--password-file <file>', help.password_file);
  noun
    .command('list')
    .description(help['server list'])
    .action(act(server('list')));
  withPassword(noun.command('add').description(help['server add']).argument('<name>', help['team.name']))
    .requiredOption('--host <host>', help['server.host'])
    .requiredOption('--user <user>', help['server.user'])
    .option('--dry-run', help.dry_run)
    .action(act(server('add')));
  withPassword(noun.command('edit').description(help['server edit']).argument('<server>', help['team.which']))
    .option('--name <name>', help['team.new_name'])
    .option('--host <host>', help['server.host'])
    .option('--user <user>', help['server.user'])
    .option('--dry-run', help.dry_run)
    .action(act(server('edit')));
  noun
    .command('remove')
    .description(help['server remove'])
    .argument('<server>', help['team.which'])
    .option('--dry-run', help.dry_run)
    .action(act(server('remove')));
  noun
    .command('test')
    .description(help['server test'])
    .argument('[servers...]', help['team.which'])
    .option('--all', help['server.all'])
    .action(act(server('test')));
  noun
    .command('accept-key')
    .description(help['server accept-key'])
    .argument('<server>', help['team.which'])
    .requiredOption('--key <key>', help['server.key'])
    .action(act(server('acceptKey')));
  noun
    .command('keep-key')
    .description(help['server keep-key'])
    .argument('<server>', help['team.which'])
    .action(act(server('keepKey')));
}
