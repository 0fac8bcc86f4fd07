import { Argument, Option, type Command } from 'commander';
import { LEVELS } from '../../../shared/notices/events.ts';
import { CHANNELS } from '../../../shared/notices/notices.ts';
import { wholeNumber } from '../../numbers.ts';
import { act, later } from '../../run.ts';
import type { HelpTexts } from '../../texts/ru.ts';

const notice = later(() => import('../../actions/notice.ts'));

const MOST = 500;

/** `notice list|ack|test`: what has happened, and who was told. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('list')
    .description(help['notice list'])
    .option('--open', help['notice.open'])
    .addOption(new Option('--level <level>', help['notice.level']).choices(LEVELS))
    .option('--limit <n>', help['notice.limit'], wholeNumber(1, MOST), 50)
    .option('--offset <n>', help['notice.offset'], wholeNumber(0, Number.MAX_SAFE_INTEGER), 0)
    .action(act(notice('list')));
  noun
    .command('ack')
    .description(help['notice ack'])
    .argument('<id>', help['notice.id'], wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .action(act(notice('ack')));
  noun
    .command('test')
    .description(help['notice test'])
    .addArgument(new Argument('<channel>', help['notice.channel']).choices(CHANNELS))
    .action(act(notice('test')));
}
