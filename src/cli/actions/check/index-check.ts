import { startIndexCheck } from '../../../services/checks/check-index.ts';
import type { Engine } from '../../../shared/engines.ts';
import type { DomainView } from '../../../shared/portfolio/domains.ts';
import { runHere } from '../../check-portfolio.ts';
import type { Context } from '../../context.ts';
import { prepareFlows } from '../../flows.ts';
import { columnsOf, type Result } from '../../output.ts';
import { domainNamed, selectedDomains } from '../../selected.ts';
import { watchInterrupt } from '../../terminal/interrupt.ts';

type Item = { domain: string } & Pick<DomainView, 'yandex_indexation' | 'google_indexation' | 'last_check_indexation'>;

const COLUMNS = columnsOf<Item>({
  domain: true,
  yandex_indexation: 'yandex',
  google_indexation: 'google',
  last_check_indexation: 'checked',
});

const itemOf = ({ domain_name, yandex_indexation, google_indexation, last_check_indexation }: DomainView): Item => ({
  domain: domain_name,
  yandex_indexation,
  google_indexation,
  last_check_indexation,
});

/** `check index`: of the named domains of the portfolio, or of all its mains. Null is not known. */
export async function checkIndex(context: Context, { engine }: { engine?: Engine }, names: string[]): Promise<Result> {
  const interrupt = watchInterrupt();
  const { actor } = await context.open();
  prepareFlows();
  const named = await Promise.all(names.map((name) => domainNamed(actor, name)));
  const domain_ids = named.length > 0 ? named.map(({ id }) => id) : undefined;
  const { id } = await startIndexCheck(actor, { domain_ids, engine }, true);
  const title = context.say('cli.checking_index');
  const ended = await runHere(context, actor, { id, command: 'check index', title, interrupt });
  const all = await selectedDomains(actor, domain_ids ? {} : { type: 'main' });
  const wanted = new Set(domain_ids);
  const items = all.filter((domain) => !domain_ids || wanted.has(domain.id)).map(itemOf);
  const missing = items.filter((item) => item.yandex_indexation === false || item.google_indexation === false);
  return { items, columns: COLUMNS, summary: { total: items.length, missing: missing.length }, ...ended };
}
