import { Callout } from '@blueprintjs/core';
import { Link } from 'react-router-dom';
import { isFinal } from '../../src/shared/operations.ts';
import { useCall } from '../kit/api.ts';
import { T } from '../kit/T.tsx';

/** How a reading goes, or has ended: its progress, and the keywords that could not be read with the first reason. */
export function Outcome({ operationId }: { operationId: number }) {
  const { data } = useCall('GET /api/operations/:id', { params: { id: operationId } });
  const isEnded = data !== undefined && isFinal(data.state);
  const { data: open } = useCall(
    'GET /api/position_failures/:operationId',
    { params: { operationId } },
    { enabled: isEnded && data.failed > 0 },
  );
  if (!data) return null;
  const failed = open?.data ?? [];
  return (
    <Callout intent={isEnded && data.failed > 0 ? 'danger' : 'none'} className="position-outcome">
      {isEnded ? data.message : <T k="positions.progress" done={data.done} total={data.total} />}{' '}
      <Link to={`/operations?operation=${operationId}`}>
        <T k="positions.operation" />
      </Link>
      {failed.length > 0 && (
        <>
          <p>
            {failed[0]?.error}.{' '}
            <Link to={`/${failed[0]?.source ?? 'xmlriver'}`}>
              <T k={failed[0]?.source === 'arsenkin' ? 'positions.accounts_arsenkin' : 'positions.accounts'} />
            </Link>
          </p>
          <details>
            <summary>
              <T k="positions.not_read" n={failed.length} />
            </summary>
            <ul>
              {failed.map(({ keyword, error }) => (
                <li key={keyword}>
                  {keyword}: {error}
                </li>
              ))}
            </ul>
          </details>
        </>
      )}
    </Callout>
  );
}
