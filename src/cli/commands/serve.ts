import type { Command } from 'commander';
import { wholeNumber } from '../numbers.ts';
import { act, later, type Work } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const LARGEST_DEMO = 100_000;

const plain = later(() => import('../actions/serve.ts'))('serveUntilStopped');
const demo = later(() => import('../actions/demo/serve.ts'))('serveDemo');
const unit = later(() => import('../actions/systemd.ts'))('printServeUnit');
const serve: Work = (context, flags: { demo?: boolean; printSystemd?: boolean }) =>
  (flags.printSystemd ? unit : flags.demo ? demo : plain)(context, flags as never);

/** `serve`: runs UI, API, scheduler and worker until it is stopped. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .option('--host <host>', help['serve.host'], '127.0.0.1')
    .option('--port <port>', help['serve.port'], wholeNumber(0, 65_535), 4180)
    .option('--no-scheduler', help['serve.scheduler'])
    .option('--open', help['serve.open'])
    .option('--demo', help['serve.demo'])
    .option('--demo-size <n>', help['serve.demo_size'], wholeNumber(1, LARGEST_DEMO))
    .option('--demo-freeze', help['serve.demo_freeze'])
    .option('--print-systemd', help['serve.print_systemd'])
    .action(act(serve));
}
