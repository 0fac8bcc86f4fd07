import { Button } from '@blueprintjs/core';
import { Link } from 'react-router-dom';
import type { ReserveState, ReserveView } from '../../src/shared/transfers/reserve-states.ts';
import { DomainLink } from '../domains/DomainLink.tsx';
import { HealthTag } from '../domains/DomainState.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { Status, type State } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';
import { useTransferDialog } from '../transfers/useTransferDialog.ts';
import type { Page } from './DomainPage.tsx';

/** The mark of each state of a reserve that is not ready. */
export const RESERVE_STATES: Record<Exclude<ReserveState, 'ready'>, State> = {
  blocked: 'blocked',
  expiring: 'expiring',
  broken: 'broken',
  refused: 'broken',
  unserved: 'broken',
  unplaced: 'unknown',
  busy: 'running',
  unchecked: 'unknown',
};

/** A reserve with its state; one that is ready can be moved to. */
function Reserve({ reserve, onMove }: { reserve: ReserveView; onMove: (() => void) | undefined }) {
  const t = useT();
  const { unicode_name: name, state } = reserve;
  return (
    <li>
      <span>
        <DomainLink {...reserve} />
        <span className="domain-reserve-state">
          <HealthTag domain={reserve} />
        </span>
      </span>
      {state !== 'ready' && (
        <Status state={RESERVE_STATES[state]}>
          <T k={`domain_page.reserve_${state}`} />
        </Status>
      )}
      {state === 'ready' &&
        (onMove ? (
          <Button
            size="small"
            text={<T k="sites.transfer" />}
            aria-label={t('sites.action_on', { action: t('sites.transfer'), name })}
            onClick={onMove}
          />
        ) : (
          <Status state="healthy">
            <T k="domain_page.reserve_ready" />
          </Status>
        ))}
    </li>
  );
}

/** The reserves of the project of a main domain, the best first. */
export function Reserves({ page: { domain, reserves, reserve_count, moving } }: { page: Page }) {
  const formats = useFormats();
  const { open } = useTransferDialog();
  const project = `/projects/${domain.project_id}`;
  return (
    <Panel
      flush
      title={<T k="domain_page.reserves" />}
      count={formats.number(reserve_count)}
      aside={
        <Link to={project}>
          <T k="domain_page.to_project" />
        </Link>
      }
    >
      {reserve_count === 0 && (
        <p className="domain-none">
          <T k="domain_page.no_reserves_text" />
        </p>
      )}
      <ul className="domain-reserves">
        {reserves.map((reserve) => (
          <Reserve
            key={reserve.id}
            reserve={reserve}
            onMove={moving === null ? () => open(domain.id, reserve.id) : undefined}
          />
        ))}
        {reserve_count > reserves.length && (
          <li>
            <Link to={project}>
              <T k="domain_page.more_reserves" n={reserve_count - reserves.length} />
            </Link>
          </li>
        )}
      </ul>
    </Panel>
  );
}
