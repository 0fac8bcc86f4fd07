import type { Command } from 'commander';
import { act, later } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const blocklist = later(() => import('../actions/blocklist.ts'));

/** `blocklist update|status|accept|rollback`. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('update')
    .description(help['blocklist update'])
    .option('-f, --file <file>', help['blocklist.file'])
    .option('--url <url>', help['blocklist.url'])
    .option('--accept', help['blocklist.accept'])
    .action(act(blocklist('update')));
  noun
    .command('accept')
    .description(help['blocklist accept'])
    .action(act(blocklist('accept')));
  noun
    .command('rollback')
    .description(help['blocklist rollback'])
    .action(act(blocklist('rollback')));
  noun
    .command('status')
    .description(help['blocklist status'])
    .action(act(blocklist('status')));
}
