import { Button } from '@blueprintjs/core';
import { Link } from 'react-router-dom';
import type { ReserveFacts } from '../../src/shared/transfers/reserve-states.ts';
import type { ProjectPage } from '../../src/shared/timeline/project-page.ts';
import { DomainLink } from '../domains/DomainLink.tsx';
import { HealthTag, RknTag } from '../domains/DomainState.tsx';
import { RESERVE_STATES } from '../domain/Reserves.tsx';
import { Fact } from '../kit/Fact.tsx';
import { useFormats } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { Status } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';

interface OfPage {
  page: ProjectPage;
  onBuying: () => void;
}

/** Those that are left out stand in the tab of domains. */
const Rest = ({ n }: { n: number }) => (
  <Link to={{ search: '?tab=domains' }}>
    <T k="domain_page.more_reserves" n={n} />
  </Link>
);

function Main({ domain }: { domain: ReserveFacts }) {
  return (
    <li>
      <DomainLink {...domain} />
      {domain.status === 'blocked' ? <RknTag status={domain.status} /> : <HealthTag domain={domain} />}
    </li>
  );
}

function Mains({ page: { mains, counts } }: { page: ProjectPage }) {
  const formats = useFormats();
  return (
    <Panel flush title={<T k="project_page.mains" />} count={formats.number(counts.total)}>
      <ul className="domain-reserves">
        {mains.map((domain) => (
          <Main key={domain.id} domain={domain} />
        ))}
        {counts.total > mains.length && (
          <li>
            <Rest n={counts.total - mains.length} />
          </li>
        )}
      </ul>
    </Panel>
  );
}

/** The reserves of a project: which of them are ready, and why the others are not. */
function Reserves({ page: { reserves, reserve_count } }: { page: ProjectPage }) {
  const formats = useFormats();
  return (
    <Panel flush title={<T k="project_page.reserves" />} count={formats.number(reserve_count)}>
      {reserve_count === 0 && (
        <p className="domain-none">
          <T k="domain_page.no_reserves_text" />
        </p>
      )}
      <ul className="domain-reserves">
        {reserves.map((reserve) => (
          <li key={reserve.id}>
            <span>
              <DomainLink {...reserve} />
              <span className="domain-reserve-state">
                <HealthTag domain={reserve} />{' '}
                {reserve.transfer_type === 'manual' && (
                  <span className="muted">
                    <T k="project_page.by_hand" />
                  </span>
                )}
              </span>
            </span>
            <Status state={reserve.state === 'ready' ? 'healthy' : RESERVE_STATES[reserve.state]}>
              <T k={`domain_page.reserve_${reserve.state}`} />
            </Status>
          </li>
        ))}
        {reserve_count > reserves.length && (
          <li>
            <Rest n={reserve_count - reserves.length} />
          </li>
        )}
      </ul>
    </Panel>
  );
}

function Buying({ page: { buying }, onBuying }: OfPage) {
  const formats = useFormats();
  return (
    <Panel
      title={<T k="project_page.buying" />}
      aside={<Button size="small" text={<T k="project_page.buying_settings" />} onClick={onBuying} />}
    >
      <dl className="domain-setup">
        <Fact title="project_page.buying">
          <T k={`project_page.buying_${buying.state}`} wanted={buying.wanted} />
        </Fact>
        <Fact title="project_page.buying_ready">{formats.number(buying.ready)}</Fact>
        <Fact title="project_page.buying_under_way">{formats.number(buying.under_way)}</Fact>
      </dl>
    </Panel>
  );
}

/** The panels beside a project's timeline: its main domains, its reserves, and the buying of reserves. */
export function ProjectBeside(props: OfPage) {
  return (
    <div>
      <Mains page={props.page} />
      <Reserves page={props.page} />
      <Buying {...props} />
    </div>
  );
}
