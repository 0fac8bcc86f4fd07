import type { Command } from 'commander';
import { act, later } from '../../run.ts';
import type { HelpTexts } from '../../texts/ru.ts';

const keyword = later(() => import('../../actions/keyword.ts'));

/** `keyword list|add|remove --project P`. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('list')
    .description(help['keyword list'])
    .requiredOption('--project <project>', help['keyword.project'])
    .action(act(keyword('list')));
  noun
    .command('add')
    .description(help['keyword add'])
    .argument('[keywords...]', help['keyword.words'])
    .requiredOption('--project <project>', help['keyword.project'])
    .option('-f, --file <file>', help['keyword.file'])
    .action(act(keyword('add')));
  noun
    .command('remove')
    .description(help['keyword remove'])
    .argument('[keywords...]', help['keyword.words'])
    .requiredOption('--project <project>', help['keyword.project'])
    .option('-f, --file <file>', help['keyword.file'])
    .option('--dry-run', help.dry_run)
    .action(act(keyword('remove')));
}
