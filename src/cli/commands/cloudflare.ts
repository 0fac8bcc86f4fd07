import type { Command } from 'commander';
import { act, later } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const cloudflare = later(() => import('../actions/cloudflare.ts'));

/** `cloudflare list|add|edit|remove|test`. An account is named by its name or its id; its key is never shown. */
export function define(noun: Command, help: HelpTexts): void {
  const withKey = (command: Command): Command =>
    command.option('--key-stdin', help.key_stdin).option('--key-file <file>', help.key_file);
  noun
    .command('list')
    .description(help['cloudflare list'])
    .action(act(cloudflare('list')));
  withKey(noun.command('add').description(help['cloudflare add']).argument('<name>', help['team.name']))
    .option('--email <email>', help['cloudflare.email'])
    .option('--account-id <id>', help['cloudflare.account_id'])
    .option('--dry-run', help.dry_run)
    .action(act(cloudflare('add')));
  withKey(noun.command('edit').description(help['cloudflare edit']).argument('<account>', help['team.which']))
    .option('--name <name>', help['team.new_name'])
    .option('--email <email>', help['cloudflare.email'])
    .option('--account-id <id>', help['cloudflare.account_id'])
    .option('--dry-run', help.dry_run)
    .action(act(cloudflare('edit')));
  noun
    .command('remove')
    .description(help['cloudflare remove'])
    .argument('<account>', help['team.which'])
    .option('--dry-run', help.dry_run)
    .action(act(cloudflare('remove')));
  noun
    .command('test')
    .description(help['cloudflare test'])
    .argument('[accounts...]', help['team.which'])
    .action(act(cloudflare('test')));
}
