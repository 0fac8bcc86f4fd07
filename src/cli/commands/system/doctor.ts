import type { Command } from 'commander';
import { act, later } from '../../run.ts';
import type { HelpTexts } from '../../texts/ru.ts';

const doctor = later(() => import('../../actions/doctor.ts'));

/** `doctor`: checks the installation; exit 1 if something does not work. */
export function define(noun: Command, _help: HelpTexts): void {
  noun.action(act(doctor('examineAll')));
}
