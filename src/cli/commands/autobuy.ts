import { type Command, Option } from 'commander';
import { act, later } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const autobuy = later(() => import('../actions/autobuy.ts'));

/** `autobuy show|set|run --project P`. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('show')
    .description(help['autobuy show'])
    .requiredOption('--project <project>', help['autobuy.project'])
    .action(act(autobuy('show')));
  noun
    .command('set')
    .description(help['autobuy set'])
    .requiredOption('--project <project>', help['autobuy.project'])
    .option('--template <template>', help['autobuy.template'])
    .option('--registrar <registrar>', help['autobuy.registrar'])
    .option('--group <group>', help['autobuy.group'])
    .addOption(new Option('--state <state>', help['autobuy.state']).choices(['on', 'off']))
    .option('--reserves <n>', help['autobuy.reserves'])
    .action(act(autobuy('set')));
  noun
    .command('run')
    .description(help['autobuy run'])
    .requiredOption('--project <project>', help['autobuy.project'])
    .option('--dry-run', help.dry_run)
    .action(act(autobuy('run')));
}
