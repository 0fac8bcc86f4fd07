import { Option, type Command } from 'commander';
import { TRIAGE_KINDS } from '../../shared/triage/kinds.ts';
import { act, later } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const triage = later(() => import('../actions/triage/status.ts'));

/** `status`: what needs somebody. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .addOption(new Option('--fail-on <kind>', help['status.fail_on']).choices(['any', ...TRIAGE_KINDS]))
    .action(act(triage('showStatus')));
}
