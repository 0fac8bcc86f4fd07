import { deleteDomainRule, domainRules } from '../../../services/dns/domain-rules.ts';
import { noSuch } from '../../../shared/errors.ts';
import type { Context } from '../../context.ts';
import { prepareFlows } from '../../flows.ts';
import { hostsOf, refuseWrong, requireNames } from '../../names.ts';
import type { Result } from '../../output.ts';
import { point } from '../../point.ts';
import type { PointingFlags } from '../../pointing.ts';
import { confirm } from '../../secret.ts';
import { domainNamed, hostNamed, namesOf } from '../../found/named.ts';
import { COLUMNS } from './columns.ts';

/** `rules attach`: redirects the names to the main domain. */
export async function attach(
  context: Context,
  flags: PointingFlags & { file?: string },
  main: string,
  names: string[],
): Promise<Result> {
  const typed = await requireNames(await namesOf(context, names), flags.file, 'rules attach');
  // One wrong name refuses all: a partial attachment is harder to notice than none.
  refuseWrong(typed);
  return point(context, flags, await hostNamed(context, main), hostsOf(typed));
}

/** `rules remove`. */
export async function remove(
  context: Context,
  { dryRun }: { dryRun?: boolean },
  name: string,
  rule: string,
): Promise<Result> {
  const { actor } = await context.open();
  const domain = await domainNamed(actor, name);
  const found = (await domainRules(actor, domain.id)).find(({ id }) => id === rule);
  if (!found) throw noSuch('rule', rule);
  const plan: Result = { items: [found], columns: COLUMNS, summary: { total: 1 } };
  if (dryRun) return { ...plan, data: { dry_run: true }, note: () => context.say('cli.dry_run') };
  await confirm(context, context.say('cli.confirm_remove', { name: rule }));
  prepareFlows();
  const operation = await deleteDomainRule(actor, domain.id, rule);
  return { ...plan, data: { operation }, note: () => context.say('rules.deleted') };
}
