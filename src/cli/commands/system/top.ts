import type { Command } from 'commander';
import { act, later } from '../../run.ts';
import type { HelpTexts } from '../../texts/ru.ts';

const tops = later(() => import('../../actions/triage/top.ts'));

/** `top`: the work that is under way. */
export function define(noun: Command, help: HelpTexts): void {
  noun.option('--once', help['top.once']).action(act(tops('showTop')));
}
