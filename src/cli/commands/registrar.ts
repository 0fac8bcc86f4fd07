import type { Command } from 'commander';
import { act, later } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';
import { define as defineAccount } from './account.ts';

const registrar = later(() => import('../actions/registrar.ts'));

/** The commands of an account, and `registrar domains`. */
export function define(noun: Command, help: HelpTexts): void {
  defineAccount(noun, help);
  noun
    .command('domains')
    .description(help['registrar domains'])
    .argument('<registrar>', help['team.which'])
    .action(act(registrar('domains')));
}
