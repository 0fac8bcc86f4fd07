import type { Command } from 'commander';
import { act, later } from '../../run.ts';
import type { HelpTexts } from '../../texts/ru.ts';

const demo = later(() => import('../../actions/demo/reset.ts'));

/** `demo reset`. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('reset')
    .description(help['demo reset'])
    .action(act(demo('reset')));
}
