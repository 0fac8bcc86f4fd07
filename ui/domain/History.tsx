import { TIMELINE_KINDS } from '../../src/shared/timeline/timeline.ts';
import { Chips } from '../kit/Chips.tsx';
import { useT } from '../kit/language.ts';
import { useSession } from '../kit/session.ts';
import { T } from '../kit/T.tsx';
import { useUrlState } from '../kit/useUrlState.ts';
import type { Page } from './DomainPage.tsx';
import { Events } from './Events.tsx';
import { Reserves } from './Reserves.tsx';
import { Setup } from './Setup.tsx';

const VIEW = { show: '' };
/** The timeline of a domain, with a filter in the URL; beside it the reserves and the setup. */
export function History({ page }: { page: Page }) {
  const t = useT();
  const isAdmin = useSession().user?.role === 'admin';
  const [{ show }, setView] = useUrlState(VIEW);
  const kinds = TIMELINE_KINDS.filter((kind) => kind !== 'log' || isAdmin);
  const kind = kinds.find((one) => one === show) ?? '';
  const chips = [
    { value: '' as const, label: <T k="domain_page.all" /> },
    ...kinds.map((value) => ({ value, label: <T k={`domain_page.${value}`} /> })),
  ];
  return (
    <div className="domain-columns">
      <section className="panel domain-history" aria-label={t('domain_page.tab_history')}>
        <Chips label={t('domain_page.filter')} chips={chips} value={kind} onChange={(show) => setView({ show })} />
        <Events key={kind} of="GET /api/domains/:id/timeline" id={page.domain.id} kind={kind} />
      </section>
      <div>
        {page.domain.type === 'main' && page.domain.project_id !== null && <Reserves page={page} />}
        <Setup domain={page.domain} />
      </div>
    </div>
  );
}
