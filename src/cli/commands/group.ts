import type { Command } from 'commander';
import { act, later } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const group = later(() => import('../actions/group.ts'));

/** `group list|add|edit|remove|test`: groups of CDN accounts, named by their names or ids. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('list')
    .description(help['group list'])
    .action(act(group('list')));
  noun
    .command('add')
    .description(help['group add'])
    .argument('<name>', help['team.name'])
    .option('--account <accounts...>', help['group.account'])
    .option('--dry-run', help.dry_run)
    .action(act(group('add')));
  noun
    .command('edit')
    .description(help['group edit'])
    .argument('<group>', help['team.which'])
    .option('--name <name>', help['team.new_name'])
    .option('--account <accounts...>', help['group.account'])
    .option('--dry-run', help.dry_run)
    .action(act(group('edit')));
  noun
    .command('remove')
    .description(help['group remove'])
    .argument('<group>', help['team.which'])
    .option('--dry-run', help.dry_run)
    .action(act(group('remove')));
  noun
    .command('test')
    .description(help['group test'])
    .argument('<group>', help['team.which'])
    .action(act(group('test')));
}
