import type { Command } from 'commander';
import { act, later } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const plans = later(() => import('../actions/transfer/plan.ts'));
const running = later(() => import('../actions/transfer/run.ts'));
const auto = later(() => import('../actions/transfer/auto.ts'));

/** `transfer plan|run|history|auto`: moves sites to reserve domains. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('plan')
    .description(help['transfer plan'])
    .argument('<source>', help['transfer.source'])
    .argument('[target]', help['transfer.picked'])
    .action(act(plans('plan')));
  noun
    .command('run')
    .description(help['transfer run'])
    .argument('<source>', help['transfer.source'])
    .argument('<target>', help['transfer.target'])
    .option('--force', help['transfer.force'])
    .option('--confirm-site <print>', help['transfer.confirm_site'])
    .option('--dry-run', help.dry_run)
    .action(act(running('run')));
  noun
    .command('history')
    .description(help['transfer history'])
    .argument('<name>', help['domain.name'])
    .action(act(plans('history')));
  noun
    .command('auto')
    .description(help['transfer auto'])
    .option('-p, --project <name>', help['transfer.auto_project'])
    .option('--all', help['transfer.auto_all'])
    .option('--use-last-reserve', help['transfer.auto_last'])
    .option('--dry-run', help.dry_run)
    .action(act(auto('transferAuto'), { tidies: true }));
}
