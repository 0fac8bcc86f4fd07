import { domainRules } from '../../../services/dns/domain-rules.ts';
import type { Context } from '../../context.ts';
import type { Result } from '../../output.ts';
import { domainNamed } from '../../found/named.ts';
import { COLUMNS } from './columns.ts';

/** `rules list`: the rules of the zone of a domain. */
export async function list(context: Context, _flags: object, name: string): Promise<Result> {
  const { actor } = await context.open();
  const domain = await domainNamed(actor, name);
  const items = await domainRules(actor, domain.id);
  return { items, columns: COLUMNS, summary: { total: items.length } };
}
