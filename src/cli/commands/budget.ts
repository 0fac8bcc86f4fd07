import { Option, type Command } from 'commander';
import { CURRENCIES } from '../../shared/purchases/money.ts';
import { wholeNumber } from '../numbers.ts';
import { act, later } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const budget = later(() => import('../actions/budget.ts'));

const several = (value: string, before: string[] = []): string[] => [...before, value];

/** `budget show|set`: what may be spent, for administrators. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('show')
    .description(help['budget show'])
    .action(act(budget('show')));
  noun
    .command('set')
    .description(help['budget set'])
    .addOption(new Option('--currency <code>', help['budget.currency']).choices(CURRENCIES))
    .option('--global-day <sum>', help['budget.global_day'])
    .option('--per-domain <sum>', help['budget.per_domain'])
    .option('--registrar-day <name=sum>', help['budget.registrar_day'], several)
    .option('--project-day <name=sum>', help['budget.project_day'], several)
    .option('--user-day <login=sum>', help['budget.user_day'], several)
    .option('--approval-above <sum>', help['budget.approval_above'])
    .option('--names-day <n>', help['budget.names_day'], wholeNumber(0, 10_000))
    .option('--names-project <n>', help['budget.names_project'], wholeNumber(0, 10_000))
    .option('--pause <minutes>', help['budget.pause'], wholeNumber(0, 1_440))
    .action(act(budget('set')));
}
