import type { Actor } from '../../services/access/scope.ts';
import { findOperation } from '../../services/operations/operations.ts';
import { viewOf } from '../../services/operations/operation-views.ts';
import type { DomainView } from '../../shared/portfolio/domains.ts';
import { columnsOf, type ExitCode, type Result } from '../output.ts';
import { selectedDomains } from '../selected.ts';

type Item = { domain: string } & Pick<DomainView, 'yandex_indexation' | 'google_indexation' | 'last_check_indexation'>;

const COLUMNS = columnsOf<Item>({
  domain: true,
  yandex_indexation: 'yandex',
  google_indexation: 'google',
  last_check_indexation: 'checked',
});

/** Returns what is known of the indexation of these domains, or of all mains, as a result. Null is not known. */
export async function indexResult(actor: Actor, domain_ids: readonly number[] | undefined): Promise<Result> {
  const all = await selectedDomains(actor, domain_ids ? {} : { type: 'main' });
  const wanted = new Set(domain_ids);
  const items = all
    .filter((domain) => !domain_ids || wanted.has(domain.id))
    .map(({ domain_name, yandex_indexation, google_indexation, last_check_indexation }): Item => {
      return { domain: domain_name, yandex_indexation, google_indexation, last_check_indexation };
    });
  const missing = items.filter((item) => item.yandex_indexation === false || item.google_indexation === false);
  return { items, columns: COLUMNS, summary: { total: items.length, missing: missing.length } };
}

const ENDS: Readonly<Record<string, { exit: ExitCode; code: string }>> = {
  'provider.unavailable': { exit: 6, code: 'unavailable' },
  'provider.malformed': { exit: 6, code: 'unavailable' },
  'provider.rate_limited': { exit: 6, code: 'unavailable' },
  'provider.credentials': { exit: 4, code: 'not_configured' },
  'indexation.no_account': { exit: 4, code: 'not_configured' },
  'indexation.doubtful': { exit: 5, code: 'held' },
};

/** Returns how a check of the indexation ends by its operation: 5 where a part was checked, else by what stopped it. */
export async function endOfIndexCheck(
  actor: Actor,
  id: number,
  ended: Pick<Result, 'failure'>,
): Promise<Pick<Result, 'failure' | 'exit'>> {
  const { failure } = ended;
  if (!failure || ['interrupted', 'busy', 'cancelled'].includes(failure.code)) return ended;
  const { steps, done, failed } = await viewOf(await findOperation(actor, id));
  const key = steps.find(({ error }) => error !== undefined)?.error?.key ?? '';
  const known = ENDS[key] ?? { exit: 1, code: 'failed' };
  const end = failed > 0 && failed < done ? { exit: 5 as const, code: 'partial' } : known;
  return { exit: end.exit, failure: { ...failure, ...end } };
}
