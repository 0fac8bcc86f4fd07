import type { ProjectPage } from '../../src/shared/timeline/project-page.ts';
import { Fact } from '../kit/Fact.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Status } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';

/** How many of all domains, as the dashboard counts them; the sentence above counts main ones alone, so reserves are told apart. */
function Troubled({ state, count, mains }: { state: 'blocked' | 'broken'; count: number; mains: number }) {
  const formats = useFormats();
  if (count === 0) return formats.number(0);
  const reserves = count - mains;
  return (
    <>
      <Status state={state}>{formats.number(count)}</Status>
      {reserves > 0 && (
        <span className="muted">
          {' '}
          <T k="project_page.in_reserve" n={reserves} />
        </span>
      )}
    </>
  );
}

/** The numbers of a project at a glance; of what is well there is no colour. */
export function ProjectFactsBand({
  page: { project, counts, ready_count, reserve_count, buying },
}: {
  page: ProjectPage;
}) {
  const t = useT();
  const formats = useFormats();
  const { blocked_count: blocked, broken_count: broken, keyword_count } = project;
  return (
    <section className="panel" aria-label={t('project_page.state')}>
      <dl className="domain-facts">
        <Fact title="project_page.mains">{formats.number(counts.total)}</Fact>
        <Fact title="project_page.ready">
          <T k="project_page.ready_of" n={ready_count} total={reserve_count} />
        </Fact>
        <Fact title="project_page.blocked">
          <Troubled state="blocked" count={blocked} mains={counts.blocked} />
        </Fact>
        <Fact title="project_page.broken">
          <Troubled state="broken" count={broken} mains={counts.broken} />
        </Fact>
        <Fact title="project_page.keywords">{formats.number(keyword_count)}</Fact>
        <Fact title="project_page.buying">
          <T k={`project_page.buying_${buying.state}`} wanted={buying.wanted} />
        </Fact>
      </dl>
    </section>
  );
}
