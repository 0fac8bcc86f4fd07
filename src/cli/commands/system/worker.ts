import { InvalidArgumentError, type Command } from 'commander';
import { isWorkKind, WORK_KINDS, type WorkKind } from '../../../shared/system/work-kinds.ts';
import { wholeNumber } from '../../numbers.ts';
import { act, later, type Work } from '../../run.ts';
import type { HelpTexts } from '../../texts/ru.ts';

/** Parses words such as `checks,dns`, each once. Throws InvalidArgumentError with the known ones. */
function workKinds(text: string): WorkKind[] {
  const words = text.split(',').map((word) => word.trim());
  const known = words.filter(isWorkKind);
  if (known.length !== words.length) throw new InvalidArgumentError(WORK_KINDS.join(', '));
  return [...new Set(known)];
}

const work = later(() => import('../../actions/worker.ts'))('workUntilStopped');
const unit = later(() => import('../../actions/systemd.ts'))('printWorkerUnit');
const worker: Work = (context, flags: { printSystemd?: boolean }) =>
  (flags.printSystemd ? unit : work)(context, flags as never);

/** `worker`: runs the background work until it is stopped. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .option('--only <kinds>', help['worker.only'], workKinds)
    .option('--metrics-port <port>', help['worker.metrics_port'], wholeNumber(0, 65_535))
    .option('--metrics-host <host>', help['worker.metrics_host'], '127.0.0.1')
    .option('--print-systemd', help['worker.print_systemd'])
    .action(act(worker));
}
