import { Link } from 'react-router-dom';
import type { Engine } from '../../src/shared/engines.ts';
import { useCall } from '../kit/api.ts';
import { useFormats, useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';

/** The cost of a reading beside its button: requests at most, their price, the balance. Red where it does not suffice. */
export function Cost({ projectId, engine }: { projectId: number; engine: Engine }) {
  const formats = useFormats();
  const t = useT();
  const { data, error } = useCall('GET /api/position_cost/:projectId/:engine', { params: { projectId, engine } });
  if (error) {
    return (
      <span className="position-cost bad">
        <T k="positions.cost_unknown" />
      </span>
    );
  }
  if (!data) return null;
  const { source, requests, price, currency, balance, left_today, has_account } = data.data;
  const sumOf = (sum: string): string =>
    currency === 'limits' ? t('search_account.limits', { n: Number(sum) }) : formats.money(sum, currency);
  if (!has_account) {
    return (
      <Link to={`/${source}`}>
        <T k={source === 'arsenkin' ? 'positions.no_arsenkin_yet' : 'positions.no_account_yet'} />
      </Link>
    );
  }
  const isPoor = price !== null && balance !== null && Number(balance) < Number(price);
  const isCapped = left_today < requests;
  return (
    <span className={isCapped || isPoor ? 'position-cost bad' : 'position-cost muted'}>
      <T k="positions.requests" n={requests} />
      {', '}
      {price === null ? <T k="positions.price_unknown" /> : sumOf(price)}
      {balance !== null && (
        <>
          {', '}
          <T k="positions.balance" sum={sumOf(balance)} />
        </>
      )}
      {isPoor && (
        <>
          {'. '}
          <Link to={`/${source}`}>
            <T k="positions.too_little" />
          </Link>
        </>
      )}
      {isCapped && (
        <>
          {', '}
          <T k="positions.left_today" n={left_today} />
        </>
      )}
    </span>
  );
}
