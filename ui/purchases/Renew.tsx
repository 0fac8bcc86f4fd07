import { Callout } from '@blueprintjs/core';
import { moneyIn } from '../../src/shared/i18n/index.ts';
import { sumsOf, type Sum } from '../../src/shared/purchases/renewal-sums.ts';
import { toUnicode } from '../../src/shared/portfolio/domain-name.ts';
import type { RenewalPlan, RenewalQuote } from '../../src/shared/purchases/renewals.ts';
import { call, messageOf } from '../kit/api.ts';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { useFormats, useLanguage, useT, type Formats } from '../kit/language.ts';
import { NoData } from '../kit/Status.tsx';
import { Message, T } from '../kit/T.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { useOrder, useQuote } from './useQuote.ts';
import './Renew.css';

const PLAN = 'POST /api/renewals/plan';

function Quote({ quote }: { quote: RenewalQuote }) {
  const formats = useFormats();
  const language = useLanguage();
  const { domain_name, registrar, expires_day, renewed_day, price, currency, balance, refusal } = quote;
  return (
    <section className="renewal">
      <h3 translate="no" title={domain_name}>
        {toUnicode(domain_name)}
      </h3>
      <dl>
        <dt>
          <T k="renewal.registrar" />
        </dt>
        <dd translate="no">{registrar ?? <NoData />}</dd>
        {expires_day !== null && renewed_day !== null && (
          <>
            <dt>
              <T k="renewal.until" />
            </dt>
            <dd>{formats.day(expires_day)}</dd>
            <dt>
              <T k="renewal.next" />
            </dt>
            <dd>{formats.day(renewed_day)}</dd>
          </>
        )}
        {price !== null && currency !== null && (
          <>
            <dt>
              <T k="renewal.price" />
            </dt>
            <dd translate="no">{formats.money(price, currency)}</dd>
          </>
        )}
        {balance !== null && (
          <>
            <dt>
              <T k="renewal.balance" />
            </dt>
            <dd translate="no">{moneyIn(language, balance)}</dd>
          </>
        )}
      </dl>
      {refusal !== null && (
        <Callout compact intent="warning">
          <Message text={refusal} />
        </Callout>
      )}
    </section>
  );
}

const textOf = ({ money }: Formats, sums: readonly Sum[]): string =>
  sums.map(({ amount, currency }) => money(amount, currency)).join(' + ');

/** The sum of what can be renewed, and what today's caps allow. */
function Sums({ plan: { quotes, left } }: { plan: RenewalPlan }) {
  const formats = useFormats();
  const sum = textOf(formats, sumsOf(quotes));
  const room = textOf(formats, left);
  return (
    <div>
      {sum !== '' && (
        <p className="renewal-sum">
          <T k="renewal.total" sum={sum} />
        </p>
      )}
      {room !== '' && (
        <p className="muted">
          <T k="renewal.left" sum={room} />
        </p>
      )}
    </div>
  );
}

/** Returns a renewal as it is ordered: for the price, and from the day, that were shown. */
const orderOf = ({ id, price, currency, expires_at }: RenewalQuote) => ({
  id,
  price: price ?? '',
  currency: currency ?? '',
  expires_at: expires_at ?? '',
});

interface RenewProps {
  ids: readonly number[];
  /** Called when the renewals have started, before `onClose`. */
  onStarted?: () => void;
  onClose: () => void;
}

/** Renews domains for a year: shows the price, the registrar's balance and what the budget allows, then pays by the ledger. */
export function Renew({ ids, onStarted, onClose }: RenewProps) {
  const t = useT();
  const plan = useQuote<RenewalPlan>(
    [PLAN, ids],
    async (signal) => (await call(PLAN, { body: { ids: [...ids] }, signal })).data,
  );
  const quotes = plan.data?.quotes ?? [];
  const payable = quotes.filter(({ refusal }) => refusal === null);
  const sum = textOf(useFormats(), sumsOf(quotes));
  const isReady = !plan.isFetching && payable.length > 0;
  const submit = useOrder(plan, {
    order: isReady ? { domains: payable.map(orderOf) } : undefined,
    send: (body) => call('POST /api/renewals', { body }),
    failed: t('renewal.start_failed'),
    onClose: () => {
      onStarted?.();
      onClose();
    },
  });
  return (
    <FormDialog
      width={560}
      title={<T k="renewal.title" />}
      action={isReady ? <T k="renewal.submit" n={payable.length} sum={sum} /> : <T k="renewal.title" />}
      disabled={!isReady}
      note={!isReady && plan.data && !plan.isFetching && <T k="renewal.nothing" />}
      submit={submit}
      onClose={onClose}
    >
      <div aria-live="polite" className="renewals">
        {plan.isFetching && <Skeleton label={t('renewal.loading')} />}
        {plan.error && !plan.isFetching && (
          <Failed sentence="renewal.failed" reason={messageOf(plan.error)} retry={() => void plan.refetch()} />
        )}
        {!plan.isFetching && quotes.map((quote) => <Quote key={quote.id} quote={quote} />)}
        {!plan.isFetching && plan.data && <Sums plan={plan.data} />}
        {!plan.isFetching && plan.data?.simulates && (
          <Callout compact intent="warning">
            <T k="renewal.simulated" />
          </Callout>
        )}
      </div>
    </FormDialog>
  );
}
