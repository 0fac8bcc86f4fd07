import type { Command } from 'commander';
import { act, later } from '../run.ts';
import { wholeNumber } from '../numbers.ts';
import type { HelpTexts } from '../texts/ru.ts';

const MOST_NAMES = 10_000_000;

const name = later(() => import('../actions/name.ts'));

/** `name check|check-template|generate`: the domain-name helper. Needs neither database nor configuration. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('check')
    .description(help['name check'])
    .argument('[names...]', help.names)
    .option('-f, --file <file>', help.file)
    .action(act(name('check')));
  noun
    .command('check-template')
    .description(help['name check-template'])
    .argument('<template>', help['name.template'])
    .action(act(name('checkNameTemplate')));
  noun
    .command('generate')
    .description(help['name generate'])
    .argument('<template>', help['name.template'])
    .option('--count <n>', help['name.count'], wholeNumber(1, MOST_NAMES), 5)
    .option('--unique', help['name.unique'])
    .option('--seed <n>', help['name.seed'], wholeNumber(0, Number.MAX_SAFE_INTEGER))
    .action(act(name('generate')));
}
