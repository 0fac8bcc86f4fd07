import { Option, type Command } from 'commander';
import { seconds, wholeNumber } from '../../numbers.ts';
import { act, later } from '../../run.ts';
import { withSelection } from '../../selection.ts';
import type { HelpTexts } from '../../texts/ru.ts';
import { checkBlocked } from './blocked.ts';

/** `check blocked|http|redirects|all|history`. */
export function define(noun: Command, help: HelpTexts): void {
  const command = (name: 'blocked' | 'http' | 'redirects' | 'all'): Command =>
    withSelection(noun.command(name).description(help[`check ${name}`]), help);
  const named = (name: 'blocked' | 'http' | 'redirects'): Command =>
    command(name).argument('[names...]', help.names).option('-f, --file <file>', help.file);
  named('blocked')
    .option('--fail-on-blocked', help['check.fail_on_blocked'])
    .option('--accept', help['check.accept'])
    .action(act(checkBlocked, { tidies: true }));
  named('http')
    .addOption(new Option('--scheme <scheme>', help['check.scheme']).choices(['auto', 'https', 'http']).default('auto'))
    .option('--no-follow', help['check.follow'])
    .option('--timeout <seconds>', help['check.timeout'], seconds, 10)
    .option('--concurrency <n>', help['check.concurrency'], wholeNumber(1, 5_000))
    .action(
      act(
        later(async () => (await import('./http.ts')).checkHttp),
        { tidies: true },
      ),
    );
  named('redirects')
    .option('--dry-run', help['check.redirects_dry_run'])
    .action(act(later(async () => (await import('./redirects.ts')).checkRedirects)));
  command('all')
    .option('--fail-on-blocked', help['check.fail_on_blocked'])
    .action(
      act(
        later(async () => (await import('./all.ts')).checkAll),
        { tidies: true },
      ),
    );
  noun
    .command('history')
    .description(help['check history'])
    .argument('<name>', help['domain.name'])
    .option('--days', help['check.days'])
    .action(act(later(async () => (await import('./history.ts')).checkHistory)));
}
