import { Link } from 'react-router-dom';
import { DomainLink } from '../domains/DomainLink.tsx';
import { useCall } from '../kit/api.ts';
import { EmptyState } from '../kit/EmptyState.tsx';
import { TickCircleIcon } from '../kit/icons.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { T } from '../kit/T.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';

const MOST = 6;

/** The names of the portfolio that are blocked now: what a check would most often be asked for. */
export function BlockedNow() {
  const t = useT();
  const { number } = useFormats();
  const { data, error, refetch } = useCall('GET /api/user_domains', { query: { status: 'blocked', limit: MOST } });
  const total = data?.total ?? 0;
  const all = total > MOST && (
    <Link to="/sites?status=blocked">
      <T k="check_site.all_blocked" count={number(total)} />
    </Link>
  );
  return (
    <Panel title={<T k="check_site.blocked_now" />} count={data && number(total)} aside={all}>
      {!data && !error && <Skeleton label={t('ui.loading')} />}
      {!data && error && <Failed sentence="list.failed" reason={error.message} retry={() => void refetch()} />}
      {data && total === 0 && (
        <EmptyState icon={<TickCircleIcon size={20} className="good" />}>
          <T k="check_site.none_blocked" />
        </EmptyState>
      )}
      {total > 0 && (
        <ul className="beside-names">
          {data?.data.map((domain) => (
            <li key={domain.id}>
              <DomainLink {...domain} />
              <span className="muted">{domain.project_name ?? <T k="list.no_project" />}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
