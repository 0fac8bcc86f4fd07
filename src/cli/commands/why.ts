import type { Command } from 'commander';
import { act, later } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const why = later(() => import('../actions/why.ts'));

/** `why NAME`: asks a domain's layers up to the first broken one. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .argument('<name>', help['domain.name'])
    .option('--stored', help['why.stored'])
    .option('--fail-on-broken', help['why.fail_on_broken'])
    .action(act(why('askWhy')));
}
