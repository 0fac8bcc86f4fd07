import { Option, type Command } from 'commander';
import { wholeNumber } from '../../numbers.ts';
import { act, later } from '../../run.ts';
import type { HelpTexts } from '../../texts/ru.ts';

const tokens = later(() => import('../../actions/user/tokens.ts'));

const MOST_DAYS = 365;

/** `token list|create|revoke`: what programs call the API with. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('list')
    .description(help['token list'])
    .action(act(tokens('list')));
  noun
    .command('create')
    .description(help['token create'])
    .argument('<name>', help['token.name'])
    .addOption(new Option('--scope <scope>', help['token.scope']).choices(['read', 'write', 'admin']).default('read'))
    .option('--days <n>', help['token.days'], wholeNumber(1, MOST_DAYS), 90)
    .option('--never-expires', help['token.never'])
    .action(act(tokens('create')));
  noun
    .command('revoke')
    .description(help['token revoke'])
    .argument('<id>', help['token.id'], wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .action(act(tokens('revoke')));
}
