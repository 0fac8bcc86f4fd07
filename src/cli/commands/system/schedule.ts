import { Argument, Option, type Command } from 'commander';
import { JOB_NAMES } from '../../../shared/system/job-names.ts';
import { wholeNumber } from '../../numbers.ts';
import { act, later } from '../../run.ts';
import type { HelpTexts } from '../../texts/ru.ts';

const schedule = later(() => import('../../actions/schedule.ts'));

/** `schedule list|set|run`: when the program works by itself, for administrators. */
export function define(noun: Command, help: HelpTexts): void {
  const name = (): Argument => new Argument('<name>', help['schedule.name']).choices(JOB_NAMES);
  noun
    .command('list')
    .description(help['schedule list'])
    .action(act(schedule('list')));
  noun
    .command('set')
    .description(help['schedule set'])
    .addArgument(name())
    .addOption(new Option('--state <state>', help['schedule.state']).choices(['on', 'off']))
    .option('--cron <line>', help['schedule.cron'])
    .option('--every <minutes>', help['schedule.every'], wholeNumber(1, 44_640))
    .option('--zone <zone>', help['schedule.zone'])
    .option('--jitter <seconds>', help['schedule.jitter'], wholeNumber(0, 3_600))
    .option('--quiet-times <from-until>', help['schedule.quiet_times'])
    .option('--keep <n>', help['schedule.keep'], wholeNumber(1, 36_500))
    .option('--heartbeat-file <file>', help['schedule.heartbeat_file'])
    .action(act(schedule('set')));
  noun
    .command('run')
    .description(help['schedule run'])
    .addArgument(name())
    .option('--dry-run', help.dry_run)
    .action(act(schedule('run')));
}
