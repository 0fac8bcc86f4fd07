import { Option, type Command } from 'commander';
import { ENGINES } from '../../../shared/engines.ts';
import { wholeNumber } from '../../numbers.ts';
import { act, later } from '../../run.ts';
import type { HelpTexts } from '../../texts/ru.ts';

const position = later(() => import('../../actions/position.ts'));

/** `position fetch|show --project P`. */
export function define(noun: Command, help: HelpTexts): void {
  const command = (name: 'fetch' | 'show'): Command =>
    noun
      .command(name)
      .description(help[`position ${name}`])
      .requiredOption('--project <project>', help['keyword.project'])
      .addOption(new Option('--engine <engine>', help['position.engine']).choices(ENGINES))
      .option('--fail-on-drop <n>', help['position.fail_on_drop'], wholeNumber(1, 1_000));
  command('fetch')
    .option('--wait', help['position.wait'])
    .option('--dry-run', help['position.dry_run'])
    .action(act(position('fetch'), { tidies: true }));
  command('show')
    .option('--days <n>', help['position.days'], wholeNumber(1, 400), 30)
    .action(act(position('show')));
}
