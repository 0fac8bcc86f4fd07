import type { Context } from '../../context.ts';
import type { Result } from '../../output.ts';
import { selectedDomains, selectionOf } from '../../selected.ts';
import type { SelectionFlags } from '../../selection.ts';
import { chainsOf } from './redirects.ts';

/** `check redirects` of the portfolio: the redirect chain of each selected domain. */
export async function checkRedirects(context: Context, flags: SelectionFlags & { dryRun?: boolean }): Promise<Result> {
  const { actor } = await context.open();
  const domains = await selectedDomains(actor, await selectionOf(actor, flags));
  return chainsOf(
    context,
    flags,
    domains.map(({ domain_name }) => ({ typed: domain_name, host: domain_name })),
  );
}
