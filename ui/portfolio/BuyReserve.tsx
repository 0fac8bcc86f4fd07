import { Callout } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import type { ReservePlan } from '../../src/shared/purchases/reserves.ts';
import { ApiError, call, messageOf, refresh } from '../kit/api.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Message, T } from '../kit/T.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { toast } from '../kit/toasts.tsx';

const PLAN = 'POST /api/auto_buy/:projectId/plan';
const STARTED_MS = 6_000;

/** Asks the registrar anew at each opening, and never while the price is shown: that is what is paid. */
const useReservePlan = (projectId: number) =>
  useQuery<ReservePlan>({
    queryKey: [PLAN, projectId],
    queryFn: async ({ signal }) => (await call(PLAN, { params: { projectId }, body: {}, signal })).data,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  });

function Plan({ plan }: { plan: ReservePlan }) {
  const { ready, under_way, wanted, domain_name, price, currency, registrar, refusal, simulates } = plan;
  const formats = useFormats();
  return (
    <>
      <p>
        <T k="auto_buy.counts" ready={ready} under_way={under_way} wanted={wanted} />
      </p>
      {domain_name !== null && price !== null && currency !== null && (
        <p>
          <strong translate="no">{domain_name}</strong>
          <br />
          <T k="auto_buy.price" price={formats.money(price, currency)} registrar={registrar ?? ''} />
        </p>
      )}
      {refusal !== null && (
        <Callout compact intent="warning">
          <Message text={refusal} />
        </Callout>
      )}
      {refusal === null && simulates && (
        <Callout compact intent="warning">
          <T k="auto_buy.simulated" />
        </Callout>
      )}
    </>
  );
}

/** Starts the purchase of what was shown; asks for a new plan where that has changed. */
function useStart(projectId: number, { data, refetch }: ReturnType<typeof useReservePlan>, onClose: () => void) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const start = async (): Promise<void> => {
    const { domain_name, price, currency } = data ?? {};
    if (!domain_name || !price || !currency) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const body = { domain_name, price, currency };
      const { message } = await call('POST /api/auto_buy/:projectId/run', { params: { projectId }, body });
      toast.success(message, { timeout: STARTED_MS, place: 'project' });
      void refresh('GET /api/operations');
      onClose();
    } catch (error) {
      setFailure(`${t('auto_buy.start_failed')}\n${messageOf(error)}`);
      if (error instanceof ApiError) await refetch();
      setBusy(false);
    }
  };
  return { start, busy, failure };
}

/** Buys a reserve for a project: shows the name, its price and what the budget allows, then buys that or nothing. */
export function BuyReserve({ project, onClose }: { project: { id: number; name: string }; onClose: () => void }) {
  const t = useT();
  const plan = useReservePlan(project.id);
  const { start, busy, failure } = useStart(project.id, plan, onClose);
  const { data, error, isFetching, refetch } = plan;
  const isReady = !isFetching && data !== undefined && data.refusal === null;
  const { price, currency } = data ?? {};
  const { money } = useFormats();
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy && isReady) void start();
  };
  return (
    <FormDialog
      width={560}
      title={<T k="auto_buy.run_title" name={project.name} />}
      action={
        isReady && price && currency ? (
          <T k="auto_buy.run_submit" price={money(price, currency)} />
        ) : (
          <T k="auto_buy.run_button" />
        )
      }
      disabled={!isReady}
      submit={{ onSubmit, busy, failure }}
      onClose={onClose}
    >
      <div aria-live="polite">
        {isFetching && <Skeleton label={t('auto_buy.asking')} />}
        {error && !isFetching && (
          <Failed sentence="auto_buy.plan_failed" reason={messageOf(error)} retry={() => void refetch()} />
        )}
        {!isFetching && data && <Plan plan={data} />}
      </div>
    </FormDialog>
  );
}
