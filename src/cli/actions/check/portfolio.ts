import { keepHeapSmall } from '../../../lib/small-heap.ts';
import { BLOCKED_COLUMNS, blockedSummary, withFindings } from '../../blocked-names.ts';
import { lookUpDue } from './due.ts';
import { checkPortfolio, FOUND_COLUMNS } from '../../check-portfolio.ts';
import type { Context } from '../../context.ts';
import type { Result } from '../../output.ts';
import type { SelectionFlags } from '../../selection.ts';
import { expirySummary } from './expiry-items.ts';
import { goingOnByLine } from '../../failure.ts';
import { choicesOf, HTTP_COLUMNS, httpSummary, type HttpFlags } from './http-answers.ts';

interface BlockedFlags extends SelectionFlags {
  failOnBlocked?: boolean;
  accept?: boolean;
}

const linesOf = (...lines: string[]): string => lines.filter((line) => line !== '').join('\n');

/** `check blocked` of the portfolio: stores its verdicts. */
export async function checkBlocked(context: Context, flags: BlockedFlags): Promise<Result> {
  const result = await checkPortfolio(context, {
    command: 'check blocked',
    title: context.say('cli.checking_blocked'),
    steps: ['blocklist'],
    flags,
    ...(flags.accept ? { accept: true } : {}),
  });
  const summary = blockedSummary(result.items);
  const note = (): string => linesOf(context.say('cli.checked_blocked', summary), result.apart);
  return withFindings({ ...result, columns: BLOCKED_COLUMNS, summary, note }, flags.failOnBlocked, summary.blocked);
}

/** `check http` of the portfolio: stores its results. */
export async function checkHttp(context: Context, flags: HttpFlags & SelectionFlags): Promise<Result> {
  keepHeapSmall();
  const title = context.say('cli.checking_http');
  const options = choicesOf(flags);
  const result = await checkPortfolio(context, { command: 'check http', title, steps: ['http'], flags, options });
  const summary = httpSummary(result.items);
  return { ...result, columns: HTTP_COLUMNS, summary, note: () => context.say('cli.checked_http', summary) };
}

/**
 * `check all`: HTTP, list and registrations of the portfolio, one after the other, as the scheduler does it: of registrations, those that
 * are due. An interruption names the same command: an operation is a part of it.
 */
export async function checkAll(context: Context, flags: SelectionFlags & { failOnBlocked?: boolean }): Promise<Result> {
  const title = context.say('cli.checking_all');
  const result = await checkPortfolio(context, {
    command: 'check all',
    title,
    steps: ['http', 'blocklist'],
    flags,
  });
  const isCut = result.failure?.code === 'interrupted';
  const { registrations, ended } = isCut
    ? { registrations: [], ended: {} }
    : await lookUpDue(context, flags, result.data.operation.id);
  // Of two failures the earlier one is told, unless the later one is a signal.
  const end = result.failure && ended.failure?.code !== 'interrupted' ? result : ended;
  const failure = end.failure && goingOnByLine(end.failure, context.asked.language);
  const expiries = expirySummary(registrations);
  const { expired, expiring } = expiries;
  const summary = { ...httpSummary(result.items), ...blockedSummary(result.items), expired, expiring };
  const note = (): string =>
    linesOf(
      context.say('cli.checked_http', summary),
      context.say('cli.checked_blocked', summary),
      result.apart,
      context.say('cli.checked_expiry', expiries),
    );
  const byName = new Map(registrations.map((one) => [one.domain, one]));
  const items = result.items.map((item) => {
    const { expired_at = null, status: registry_status = null } = byName.get((item as { domain: string }).domain) ?? {};
    return { ...item, expired_at, registry_status };
  });
  return withFindings(
    { ...result, ...(failure && { failure, exit: failure.exit }), items, columns: FOUND_COLUMNS, summary, note },
    flags.failOnBlocked,
    summary.blocked,
  );
}
