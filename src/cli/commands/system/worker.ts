import type { Command } from 'commander';
import { act, later } from '../../run.ts';

/** `worker`: runs the background work until it is stopped. */
export function define(noun: Command): void {
  noun.action(act(later(() => import('../../actions/worker.ts'))('workUntilStopped')));
}
