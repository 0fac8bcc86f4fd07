import { Callout } from '@blueprintjs/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { planLines } from '../../src/shared/plan-words.ts';
import { useT } from '../language.ts';
import { Failed, Skeleton } from './DataTable.tsx';
import { PlanLines } from './PlanLines.tsx';
import { Said, T } from './T.tsx';
import { TransferReadiness } from './TransferReadiness.tsx';
import type { TransferPlanned } from './useTransferPlan.ts';

/** What moving to the chosen reserve changes, step by step, and what speaks against it. */
export function TransferPlan({ plan, name }: { plan: UseQueryResult<TransferPlanned>; name: string }) {
  const t = useT();
  const { data, error, isFetching, refetch } = plan;
  if (error && !isFetching) {
    return <Failed sentence="transfer_dialog.plan_failed" reason={error.message} retry={() => void refetch()} />;
  }
  return (
    <section className="transfer-plan" aria-live="polite" aria-busy={isFetching}>
      {data ? <Planned planned={data} name={name} /> : <Skeleton label={t('transfer_dialog.planning')} />}
    </section>
  );
}

function Planned({ planned, name }: { planned: TransferPlanned; name: string }) {
  const t = useT();
  return (
    <>
      <TransferReadiness readiness={planned.readiness} name={name} />
      <h3 className="bp6-heading">
        <T k="transfer_dialog.plan" />
      </h3>
      <PlanLines lines={planLines(t, planned.acts)} />
      {planned.failed.map(({ item, error }) => (
        <Callout key={item} compact intent="warning" className="form-failure">
          <Said text={error} />
        </Callout>
      ))}
    </>
  );
}
