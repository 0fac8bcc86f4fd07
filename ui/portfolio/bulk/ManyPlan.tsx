import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Key } from '../../../src/shared/i18n/index.ts';
import type { BulkPlan } from '../../../src/shared/system/bulk.ts';
import { messageOf } from '../../kit/api.ts';
import { useFormats, useT } from '../../kit/language.ts';
import { Message, T } from '../../kit/T.tsx';
import { Failed, Skeleton } from '../../kit/table/DataTable.tsx';
import './bulk.css';

/** Names behind a line, of which the first ones are known. */
function Names({ title, count, names }: { title: ReactNode; count: number; names: readonly string[] }) {
  const { number } = useFormats();
  return (
    <details className="many-names">
      <summary>{title}</summary>
      <p translate="no">
        {names.join(', ')}
        {count > names.length && (
          <>
            {' '}
            <T k="bulk.and_more" n={number(count - names.length)} />
          </>
        )}
      </p>
    </details>
  );
}

function Lines({ plan, words }: { plan: BulkPlan; words: Key }) {
  const { number } = useFormats();
  const { changes, same, left, missing, names } = plan;
  return (
    <>
      {changes === 0 ? (
        <p>
          <T k="bulk.nothing" />
        </p>
      ) : (
        <Names
          title={
            <strong>
              <T k={words} n={number(changes)} />
            </strong>
          }
          count={changes}
          names={names}
        />
      )}
      {same > 0 && (
        <p>
          <T k="bulk.plan_same" n={number(same)} />
        </p>
      )}
      {left.map(({ reason, code, count, names: some }) => (
        <Names
          key={`${code} ${reason}`}
          title={
            <>
              <T k="bulk.plan_left" n={number(count)} /> <Message text={reason} />
            </>
          }
          count={count}
          names={some}
        />
      ))}
      {missing.length > 0 && (
        <Names title={<T k="bulk.plan_missing" n={number(missing.length)} />} count={missing.length} names={missing} />
      )}
    </>
  );
}

/** The plan of an act on many domains: the number of changes, the domains that stay as they are, and the reasons. */
export function ManyPlan({
  plan,
  words = 'bulk.plan_changes',
}: {
  plan: UseQueryResult<BulkPlan>;
  /** The text of the number of domains that are changed or reached. */
  words?: Key;
}) {
  const t = useT();
  return (
    <div aria-live="polite" className="many-plan">
      {plan.isFetching && <Skeleton label={t('bulk.planning')} />}
      {plan.error && !plan.isFetching && (
        <Failed sentence="bulk.plan_failed" reason={messageOf(plan.error)} retry={() => void plan.refetch()} />
      )}
      {plan.data && !plan.isFetching && !plan.error && <Lines plan={plan.data} words={words} />}
    </div>
  );
}
