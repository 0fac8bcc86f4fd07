import type { Command } from 'commander';
import { act, later } from '../../run.ts';
import type { HelpTexts } from '../../texts/ru.ts';

const setupLink = later(() => import('../../actions/setup-link.ts'));

/** `setup-link`: creates a new one-time link for the first administrator and revokes the former one. */
export function define(noun: Command, help: HelpTexts): void {
  noun.option('--url <address>', help['setup-link.url']).action(act(setupLink('makeLink')));
}
