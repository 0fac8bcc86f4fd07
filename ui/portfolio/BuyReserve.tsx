import { Button, Callout } from '@blueprintjs/core';
import { lazy, Suspense, useState } from 'react';
import { toUnicode } from '../../src/shared/portfolio/domain-name.ts';
import type { ReservePlan } from '../../src/shared/purchases/reserves.ts';
import { call, messageOf } from '../kit/api.ts';
import { SettingsIcon } from '../kit/icons.tsx';
import { Loading } from '../kit/Loading.tsx';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Message, T } from '../kit/T.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { useOrder, useQuote } from '../purchases/useQuote.ts';

const AutoBuy = lazy(async () => ({ default: (await import('./AutoBuy.tsx')).AutoBuy }));

const PLAN = 'POST /api/auto_buy/:projectId/plan';

function Plan({ plan, onSettings }: { plan: ReservePlan; onSettings: () => void }) {
  const { ready, under_way, wanted, domain_name, price, currency, registrar, balance, refusal, simulates, follows } =
    plan;
  const formats = useFormats();
  return (
    <>
      <p>
        <T k="auto_buy.counts" ready={ready} under_way={under_way} wanted={wanted} />
      </p>
      {domain_name !== null && price !== null && currency !== null && (
        <p>
          <strong translate="no" title={domain_name}>
            {toUnicode(domain_name)}
          </strong>
          <br />
          <T k="auto_buy.price" price={formats.money(price, currency)} registrar={registrar ?? ''} />
          <br />
          <T k={`auto_buy.follows_${follows}`} />
          {balance !== null && (
            <>
              <br />
              <T k="registrars.balance_is" sum={balance} />
            </>
          )}
        </p>
      )}
      {refusal !== null && (
        <Callout compact intent="warning" className="list-failed">
          <Message text={refusal} />
          {/* Where not even a name was looked for, the settings of the project are in the way. */}
          {domain_name === null && (
            <Button size="small" icon={<SettingsIcon />} text={<T k="auto_buy.button" />} onClick={onSettings} />
          )}
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

/** Buys a reserve for a project: shows the name, its price and what the budget allows, then buys that or nothing. */
export function BuyReserve({ project, onClose }: { project: { id: number; name: string }; onClose: () => void }) {
  const [isSetting, setSetting] = useState(false);
  return isSetting ? (
    <Suspense fallback={<Loading />}>
      <AutoBuy project={project} onClose={onClose} />
    </Suspense>
  ) : (
    <Order project={project} onClose={onClose} onSettings={() => setSetting(true)} />
  );
}

interface OrderProps {
  project: { id: number; name: string };
  onClose: () => void;
  onSettings: () => void;
}

function Order({ project, onClose, onSettings }: OrderProps) {
  const t = useT();
  const params = { projectId: project.id };
  const quote = useQuote<ReservePlan>(
    [PLAN, project.id],
    async (signal) => (await call(PLAN, { params, body: {}, signal })).data,
  );
  const { data, error, isFetching, refetch } = quote;
  const isReady = !isFetching && data !== undefined && data.refusal === null;
  const { domain_name, price, currency } = data ?? {};
  const { money } = useFormats();
  const submit = useOrder(quote, {
    order: isReady && domain_name && price && currency ? { domain_name, price, currency } : undefined,
    send: (body) => call('POST /api/auto_buy/:projectId/run', { params, body }),
    failed: t('auto_buy.start_failed'),
    place: 'project',
    onClose,
  });
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
      submit={submit}
      onClose={onClose}
    >
      <div aria-live="polite">
        {isFetching && <Skeleton label={t('auto_buy.asking')} />}
        {error && !isFetching && (
          <Failed sentence="auto_buy.plan_failed" reason={messageOf(error)} retry={() => void refetch()} />
        )}
        {!isFetching && data && <Plan plan={data} onSettings={onSettings} />}
      </div>
    </FormDialog>
  );
}
