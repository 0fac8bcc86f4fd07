import { Callout } from '@blueprintjs/core';
import { Link } from 'react-router-dom';
import type { DecisionView } from '../../src/shared/transfers/transfers.ts';
import { useCall } from '../kit/api.ts';
import { Message, T } from '../kit/T.tsx';
import './AutoTransfer.css';

// The project page lists the rest.
const SHOWN = 5;

function Declined({ decision: { reason, project_id, domain_name, unicode_name } }: { decision: DecisionView }) {
  const where = new URLSearchParams({ project: String(project_id ?? ''), search: domain_name });
  return (
    <li>
      <T k="auto_transfer.declined" reason={reason} />{' '}
      <Link to={`/projects?${where}`} translate="no">
        {unicode_name}
      </Link>
    </li>
  );
}

/** The decisions about automatic transfers that hold now, in one project or in all. */
export const useCurrentDecisions = (project?: number) =>
  useCall('GET /api/transfer_decisions', { query: { current: 'on', project } });

/** Shows the current reasons why automatic transfer declined, in one project or in all. */
export function AutoTransferNotes({ project }: { project?: number }) {
  const { data } = useCurrentDecisions(project);
  const declined = data?.data.filter(({ decision }) => decision === 'declined') ?? [];
  return (
    <>
      {data?.stop && (
        <Callout intent="warning" className="dashboard-note">
          <Message text={data.stop.reason} />
        </Callout>
      )}
      {declined.length > 0 && (
        <Callout intent="warning" className="dashboard-note">
          <ul className="auto-declined">
            {declined.slice(0, SHOWN).map((decision) => (
              <Declined key={decision.id} decision={decision} />
            ))}
          </ul>
          {declined.length > SHOWN && <T k="auto_transfer.more" n={declined.length - SHOWN} />}
        </Callout>
      )}
    </>
  );
}
