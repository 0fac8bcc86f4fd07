import type { Command } from 'commander';
import { wholeNumber } from '../../numbers.ts';
import { act, later } from '../../run.ts';
import type { HelpTexts } from '../../texts/ru.ts';

/** `worker`: runs the background work until it is stopped. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .option('--metrics-port <port>', help['worker.metrics_port'], wholeNumber(0, 65_535))
    .option('--metrics-host <host>', help['worker.metrics_host'], '127.0.0.1')
    .action(act(later(() => import('../../actions/worker.ts'))('workUntilStopped')));
}
