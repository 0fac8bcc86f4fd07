import type { Command } from 'commander';
import { withPointing } from '../pointing.ts';
import { act, later } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const listing = later(() => import('../actions/rules/list.ts'));
const changes = later(() => import('../actions/rules/changes.ts'));

/** `rules list|attach|remove`: the rules of a zone. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('list')
    .description(help['rules list'])
    .argument('<name>', help['domain.name'])
    .action(act(listing('list')));
  withPointing(
    noun
      .command('attach')
      .description(help['rules attach'])
      .argument('<main>', help['rules.main'])
      .argument('[names...]', help.names)
      .option('-f, --file <file>', help.file),
    help,
  ).action(act(changes('attach')));
  noun
    .command('remove')
    .description(help['rules remove'])
    .argument('<name>', help['domain.name'])
    .argument('<rule>', help['rules.rule'])
    .option('--dry-run', help.dry_run)
    .action(act(changes('remove')));
}
