import { InvalidArgumentError, Option, type Command } from 'commander';
import { DOORS, type KnownRow } from '../../../shared/audit/audit.ts';
import { wholeNumber } from '../../numbers.ts';
import { act, later } from '../../run.ts';
import type { HelpTexts } from '../../texts/ru.ts';

const audit = later(() => import('../../actions/audit.ts'));

const MOST = 10_000;

/** Parses a day or a time. Throws InvalidArgumentError. */
function time(text: string): string {
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(at)) throw new InvalidArgumentError('2026-01-31, 2026-01-31T12:00Z');
  return new Date(at).toISOString();
}

/** Parses a row as `audit verify` prints it. Throws InvalidArgumentError. */
function knownRow(text: string): KnownRow {
  const [, id, hash = ''] = /^(\d{1,15}):([\w-]{43})$/.exec(text) ?? [];
  if (id === undefined) throw new InvalidArgumentError('ID:HASH');
  return { id: Number(id), hash };
}

/** `audit list|verify`: who has done what, for administrators. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('list')
    .description(help['audit list'])
    .option('--user <login>', help['audit.user'])
    .addOption(new Option('--door <door>', help['audit.door']).choices(DOORS))
    .option('--object <kind>', help['audit.object'])
    .option('--id <id>', help['audit.id'], wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--since <time>', help['audit.since'], time)
    .option('--limit <n>', help['audit.limit'], wholeNumber(1, MOST), 50)
    .option('--offset <n>', help['audit.offset'], wholeNumber(0, Number.MAX_SAFE_INTEGER), 0)
    .action(act(audit('list')));
  noun
    .command('verify')
    .description(help['audit verify'])
    .option('--known <row>', help['audit.known'], knownRow)
    .action(act(audit('verify')));
}
