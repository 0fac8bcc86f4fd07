import type { Command } from 'commander';
import { act, later } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';
import { define as defineAccount } from './account.ts';

const server = later(() => import('../actions/server.ts'));

/** The commands of an account, and `server accept-key|keep-key`. */
export function define(noun: Command, help: HelpTexts): void {
  defineAccount(noun, help);
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
