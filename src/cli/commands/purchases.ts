import { Option, type Command } from 'commander';
import { PURCHASE_STATES } from '../../shared/purchases/states.ts';
import { wholeNumber } from '../numbers.ts';
import { act, later } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const purchases = later(() => import('../actions/purchases.ts'));

const MOST = 10_000;
const id = wholeNumber(1, Number.MAX_SAFE_INTEGER);

/** `purchases list|show|resolve|approve|off|on`: the ledger. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('list')
    .description(help['purchases list'])
    .addOption(new Option('--state <state>', help['purchases.state']).choices(PURCHASE_STATES))
    .option('-p, --project <name>', help['purchases.project'])
    .option('--limit <n>', help['audit.limit'], wholeNumber(1, MOST), 50)
    .option('--offset <n>', help['audit.offset'], wholeNumber(0, Number.MAX_SAFE_INTEGER), 0)
    .action(act(purchases('list')));
  noun
    .command('show')
    .description(help['purchases show'])
    .argument('<id>', help['purchases.id'], id)
    .action(act(purchases('show')));
  noun
    .command('resolve')
    .description(help['purchases resolve'])
    .argument('<id>', help['purchases.id'], id)
    .option('--bought', help['purchases.bought'])
    .option('--not-bought', help['purchases.not_bought'])
    .action(act(purchases('resolve')));
  noun
    .command('approve')
    .description(help['purchases approve'])
    .argument('<id>', help['purchases.id'], id)
    .option('--dry-run', help.dry_run)
    .action(act(purchases('approve')));
  noun
    .command('off')
    .description(help['purchases off'])
    .action(act(purchases('off')));
  noun
    .command('on')
    .description(help['purchases on'])
    .action(act(purchases('on')));
}
