import { runHere, wholeAsJob } from '../../check-portfolio.ts';
import type { Context } from '../../context.ts';
import { prepareFlows } from '../../flows.ts';
import type { Result } from '../../output.ts';
import { renderFor } from '../../render.ts';
import { selectionOf } from '../../selected.ts';
import type { SelectionFlags } from '../../selection.ts';
import { watchInterrupt } from '../../terminal/interrupt.ts';
import { listRegistrations, startExpiry } from '../../../services/checks/check-expiry.ts';
import { EXPIRY_COLUMNS, expiryItemOf, expirySummary, unanswered } from './expiry-items.ts';

/**
 * `check expiry` of the portfolio, as an operation visible to everyone: what was looked up within the last hour is not asked for
 * again. Resumes the same look-ups if an earlier run was interrupted.
 */
export async function checkExpiry(context: Context, flags: SelectionFlags): Promise<Result> {
  const interrupt = watchInterrupt();
  const { actor } = await context.open();
  prepareFlows();
  const part = await selectionOf(actor, flags);
  // A renewed domain is no longer one of those that expire: what the flags select is taken down before.
  const selected = new Set((await listRegistrations(actor, part)).map(({ domain }) => domain));
  const title = context.say('cli.checking_expiry');
  const ended = await wholeAsJob(actor, 'expiry', flags, async () => {
    const { id } = await startExpiry(actor, part, true);
    return runHere(context, actor, { id, command: 'check expiry', title, interrupt });
  });
  const render = renderFor(context);
  const registrations = (await listRegistrations(actor, {})).filter(({ domain }) => selected.has(domain));
  const items = registrations.map((registration) => expiryItemOf(render, registration));
  const errors = unanswered(render, registrations);
  const summary = expirySummary(items);
  const note = (): string => context.say('cli.checked_expiry', summary);
  const over = items.find(({ expired_at }) => expired_at !== null && Date.parse(expired_at) < Date.now());
  const next = over && { next: `domain renew ${over.domain}` };
  return { items, columns: EXPIRY_COLUMNS, summary, note, errors, ...next, ...ended };
}
