import { checkPortfolio, FOUND_COLUMNS } from '../../check-portfolio.ts';
import type { Context } from '../../context.ts';
import type { Result } from '../../output.ts';
import type { SelectionFlags } from '../../selection.ts';
import { blockedSummary, withFindings } from '../../blocked-names.ts';
import { httpSummary } from './http.ts';

/** `check all`: every check of the portfolio, one after the other, as the scheduler does it. */
export async function checkAll(context: Context, flags: SelectionFlags & { failOnBlocked?: boolean }): Promise<Result> {
  const title = context.say('cli.checking_all');
  const result = await checkPortfolio(context, {
    command: 'check all',
    title,
    steps: ['http', 'blocklist'],
    flags,
  });
  const summary = { ...httpSummary(result.items), ...blockedSummary(result.items) };
  const note = (): string =>
    `${context.say('cli.checked_http', summary)}\n${context.say('cli.checked_blocked', summary)}`;
  return withFindings({ ...result, columns: FOUND_COLUMNS, summary, note }, flags.failOnBlocked, summary.blocked);
}
