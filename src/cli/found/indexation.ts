import type { Actor } from '../../services/access/scope.ts';
import type { DomainView } from '../../shared/portfolio/domains.ts';
import { columnsOf, type Result } from '../output.ts';
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
