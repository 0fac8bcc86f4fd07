import { Option, type Command } from 'commander';
import { OPERATION_STATES } from '../../shared/operations.ts';
import { wholeNumber } from '../numbers.ts';
import { act, later } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const operation = later(() => import('../actions/operation.ts'));

const MOST = 10_000;
const USUAL = 200;

/** `operation list|show|resume|cancel|restore`: operations of all processes and users. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('list')
    .description(help['operation list'])
    .addOption(new Option('--state <state>', help['operation.state']).choices(OPERATION_STATES))
    .option('--limit <n>', help['operation.limit'], wholeNumber(1, MOST), USUAL)
    .option('--offset <n>', help['operation.offset'], wholeNumber(0, Number.MAX_SAFE_INTEGER), 0)
    .action(act(operation('list')));
  const one = (verb: 'show' | 'resume' | 'cancel' | 'restore'): Command =>
    noun
      .command(verb)
      .description(help[`operation ${verb}`])
      .argument('<id>', help['operation.id'], wholeNumber(1, Number.MAX_SAFE_INTEGER))
      .action(act(operation(verb)));
  one('show');
  one('resume')
    .option('--dry-run', help.dry_run)
    .option('--fail-on-blocked', help['check.fail_on_blocked'])
    .option('--fail-on-drop <n>', help['position.fail_on_drop'], wholeNumber(1, 1_000));
  one('cancel');
  one('restore').option('--dry-run', help.dry_run);
}
