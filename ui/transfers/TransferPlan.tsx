import { Callout, Checkbox } from '@blueprintjs/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { SeenPage } from '../../src/shared/transfers/transfer-plan.ts';
import { planLines } from '../../src/shared/dns/plan-words.ts';
import { useT } from '../kit/language.ts';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { PlanLines, PlanNote } from '../operations/PlanLines.tsx';
import { Message, T } from '../kit/T.tsx';
import { TransferReadiness } from './TransferReadiness.tsx';
import { confirmedAs, isGrave, isUntold, type TransferPlanned } from './useTransferPlan.ts';

interface Confirming {
  /** The name of the reserve. */
  name: string;
  /** The confirmed warnings, by their key from `confirmedAs`. */
  confirmed: ReadonlySet<string>;
  onConfirm: (code: string, on: boolean) => void;
}

/** The page that a confirmation applies to. Title and address are untrusted text. */
function Seen({ page }: { page: SeenPage }) {
  const k = page.title === '' ? 'transfer.seen_untitled' : 'transfer.seen';
  return (
    <p className="transfer-seen">
      <T k={k} title={page.title} address={page.address} status={page.status} />
    </p>
  );
}

function Warnings({ planned, confirmed, onConfirm }: Confirming & { planned: TransferPlanned }) {
  return planned.warnings.map((warning) => {
    const { code, text } = warning;
    const grave = isGrave(warning);
    const page = isUntold(warning) ? planned.readiness.seen : null;
    const asked = confirmedAs(warning, planned);
    return (
      <Callout key={code} compact intent={grave ? 'danger' : 'warning'} className="form-failure">
        <Message text={text} />
        {page && <Seen page={page} />}
        {grave && (
          <Checkbox checked={confirmed.has(asked)} onChange={(event) => onConfirm(asked, event.target.checked)}>
            <T k={isUntold(warning) ? 'transfer_dialog.confirm_site' : 'transfer_dialog.force'} />
          </Checkbox>
        )}
      </Callout>
    );
  });
}

function Planned({ planned, ...confirming }: Confirming & { planned: TransferPlanned }) {
  const t = useT();
  return (
    <>
      <TransferReadiness readiness={planned.readiness} name={confirming.name} />
      <h3 className="bp6-heading">
        <T k="transfer_dialog.plan" />
      </h3>
      <PlanLines lines={planLines(t, planned.acts)} />
      <PlanNote acts={planned.acts} />
      <Warnings planned={planned} {...confirming} />
      {planned.failed.map(({ item, error }) => (
        <Callout key={item} compact intent="danger" className="form-failure">
          <Message text={error} />
        </Callout>
      ))}
    </>
  );
}

/** Shows the steps of the transfer to the chosen reserve, and its warnings. */
export function TransferPlan({ plan, ...confirming }: Confirming & { plan: UseQueryResult<TransferPlanned> }) {
  const t = useT();
  const { data, error, isFetching, refetch } = plan;
  const retry = (): void => void refetch();
  return (
    <section className="transfer-plan" aria-live="polite" aria-busy={isFetching}>
      {error && !isFetching ? (
        <Failed sentence="transfer_dialog.plan_failed" reason={error.message} retry={retry} />
      ) : data ? (
        <Planned planned={data} {...confirming} />
      ) : (
        <Skeleton label={t('transfer_dialog.planning')} />
      )}
    </section>
  );
}
