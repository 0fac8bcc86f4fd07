import { Option, type Command } from 'commander';
// The most frequent command: in one file with this one it starts faster.
import { checkBlockedNames } from '../actions/check/blocked.ts';
import { seconds, wholeNumber } from '../numbers.ts';
import { act, later, type Work } from '../run.ts';
import { isPortfolio, withSelection, type SelectionFlags } from '../selection.ts';
import type { HelpTexts } from '../texts/ru.ts';

const http = later(() => import('../actions/check/http.ts'));
const redirects = later(() => import('../actions/check/redirects.ts'));
const portfolio = later(() => import('../actions/check/portfolio.ts'));
const portfolioRedirects = later(() => import('../actions/check/portfolio-redirects.ts'));
const expiry = later(() => import('../actions/check/expiry.ts'));
const portfolioExpiry = later(() => import('../actions/check/portfolio-expiry.ts'));
const index = later(() => import('../actions/check/index-check.ts'));
const history = later(() => import('../actions/check/history.ts'));

/** Chooses by the flags: typed names are checked without what a check of the portfolio loads. */
const either =
  (ofPortfolio: Work, ofNames: Work): Work =>
  (context, flags: SelectionFlags & { file?: string }, names: string[]) =>
    (isPortfolio(flags, names) ? ofPortfolio : ofNames)(context, flags as never, names as never);

/** `check blocked|http|redirects|expiry|index|all|history`. */
export function define(noun: Command, help: HelpTexts): void {
  const command = (name: 'blocked' | 'http' | 'redirects' | 'expiry' | 'all'): Command =>
    withSelection(noun.command(name).description(help[`check ${name}`]), help);
  const named = (name: 'blocked' | 'http' | 'redirects' | 'expiry'): Command =>
    command(name).argument('[names...]', help.names).option('-f, --file <file>', help.file);
  named('blocked')
    .option('--fail-on-blocked', help['check.fail_on_blocked'])
    .option('--accept', help['check.accept'])
    .action(act(either(portfolio('checkBlocked'), checkBlockedNames), { tidies: true }));
  named('http')
    .addOption(new Option('--scheme <scheme>', help['check.scheme']).choices(['auto', 'https', 'http']).default('auto'))
    .option('--no-follow', help['check.follow'])
    .option('--timeout <seconds>', help['check.timeout'], seconds, 10)
    .option('--concurrency <n>', help['check.concurrency'], wholeNumber(1, 5_000))
    .action(act(either(portfolio('checkHttp'), http('checkHttpNames')), { tidies: true }));
  named('redirects')
    .option('--dry-run', help['check.redirects_dry_run'])
    .action(act(either(portfolioRedirects('checkRedirects'), redirects('checkRedirects'))));
  named('expiry').action(act(either(portfolioExpiry('checkExpiry'), expiry('checkExpiryNames')), { tidies: true }));
  noun
    .command('index')
    .description(help['check index'])
    .argument('[names...]', help.names)
    .option('-f, --file <file>', help.file)
    .option('--dry-run', help['check.index_dry_run'])
    .addOption(new Option('--engine <engine>', help['position.engine']).choices(['yandex', 'google']))
    .action(act(index('checkIndex'), { tidies: true }));
  command('all')
    .option('--fail-on-blocked', help['check.fail_on_blocked'])
    .action(act(portfolio('checkAll'), { tidies: true }));
  noun
    .command('history')
    .description(help['check history'])
    .argument('<name>', help['domain.name'])
    .option('--days', help['check.days'])
    .action(act(history('checkHistory')));
}
