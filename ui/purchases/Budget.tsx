import { Button, HTMLTable } from '@blueprintjs/core';
import { useState } from 'react';
import type { Key } from '../../src/shared/i18n/index.ts';
import { call, refresh, useCall, type AnswerOf } from '../kit/api.ts';
import { Confirm } from '../kit/dialog/Confirm.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { NoData, Status } from '../kit/Status.tsx';
import { Message, T } from '../kit/T.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';
import { BudgetForm } from './BudgetForm.tsx';
import { Simulated, STATE } from './PurchasesState.tsx';
import './Purchases.css';

type Shown = AnswerOf<'GET /api/budget'>['data'];
type Cap = Shown['caps'][number];

const scopeKey = ({ scope }: Cap): Key => `purchases.scope_${scope}`;

/** Switches all purchases off or on, after a question. */
function Switch({ state }: Pick<Shown, 'state'>) {
  const t = useT();
  // The state that the question is about stays the same where somebody else switches meanwhile.
  const [asked, setAsked] = useState<Shown['state']>();
  const [busy, setBusy] = useState(false);
  const next = state === 'on' ? 'off' : 'on';
  const onConfirm = async (to: Shown['state']): Promise<void> => {
    setBusy(true);
    try {
      await call('POST /api/purchases/state', { body: { state: to } });
      await refresh('GET /api/budget', STATE);
      toast.success(t(`purchases.switched_${to}`));
    } catch (error) {
      toastFailure(t('purchases.switch_failed'), error);
    }
    setBusy(false);
    setAsked(undefined);
  };
  return (
    <>
      <Button
        intent={next === 'off' ? 'danger' : 'none'}
        variant="outlined"
        text={<T k={`purchases.switch_${next}`} />}
        onClick={() => setAsked(next)}
      />
      {asked && (
        <Confirm
          title={<T k={`purchases.switch_${asked}`} />}
          confirm={<T k={`purchases.switch_${asked}`} />}
          intent={asked === 'off' ? 'danger' : 'primary'}
          busy={busy}
          onConfirm={() => void onConfirm(asked)}
          onCancel={() => setAsked(undefined)}
        >
          <p>
            <T k={`purchases.${asked}_question`} />
          </p>
        </Confirm>
      )}
    </>
  );
}

/** The registrar, project or user that a cap is about; its number once it is deleted. */
function Whose({ cap: { scope_id, scope_name } }: { cap: Cap }) {
  if (scope_id === 0) return null;
  return (
    <span className="cap-of">
      {scope_name === null ? <T k="purchases.scope_gone" id={scope_id} /> : <span translate="no">{scope_name}</span>}
    </span>
  );
}

/** The caps with what they have left today. */
function Caps({ caps }: Pick<Shown, 'caps'>) {
  const t = useT();
  const formats = useFormats();
  const sum = (amount: string | null, currency: string) =>
    amount === null ? <NoData /> : <span translate="no">{formats.money(amount, currency)}</span>;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keys
    <section className="caps" tabIndex={0} aria-label={t('purchases.budget_title')}>
      <HTMLTable compact aria-label={t('purchases.budget_title')}>
        <thead>
          <tr>
            {(['scope', 'amount', 'used', 'left'] as const).map((column) => (
              <th key={column} scope="col">
                <T k={`purchases.${column}`} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {caps.map((cap) => (
            <tr key={`${cap.scope} ${cap.scope_id} ${cap.currency}`}>
              <th scope="row">
                <T k={scopeKey(cap)} />
                <Whose cap={cap} />
              </th>
              <td>{sum(cap.amount, cap.currency)}</td>
              <td>{sum(cap.used, cap.currency)}</td>
              <td>{sum(cap.left, cap.currency)}</td>
            </tr>
          ))}
        </tbody>
      </HTMLTable>
    </section>
  );
}

/** Shows which user switched purchases on or off, and when. */
function Switched({ budget: { switched_at: at, switched_by: login } }: { budget: Shown }) {
  const formats = useFormats();
  if (at === null) return null;
  return (
    <p className="muted">
      {login === null ? (
        <T k="purchases.switched_itself" at={formats.dateTime(at)} />
      ) : (
        <T k="purchases.switched_at" login={login} at={formats.dateTime(at)} />
      )}
    </p>
  );
}

function State({ budget }: { budget: Shown }) {
  const { state, reason, simulates } = budget;
  return (
    <>
      <p>
        <Status state={state === 'on' ? 'healthy' : 'blocked'}>
          <T k={`purchases.is_${state}`} />
        </Status>
      </p>
      <Switched budget={budget} />
      {reason !== null && (
        <p>
          <Message text={reason} />
        </p>
      )}
      {simulates && <Simulated />}
    </>
  );
}

/** Shows the sums left today, the switch of all purchases, and the form of the caps. */
export function Budget() {
  const t = useT();
  const formats = useFormats();
  const { data, error, refetch } = useCall('GET /api/budget', {}, { refetchInterval: () => 30_000 });
  const [editing, setEditing] = useState(false);
  if (error && !data)
    return <Failed sentence="purchases.budget_failed" reason={error.message} retry={() => void refetch()} />;
  if (!data) return <Skeleton label={t('ui.loading')} />;
  const budget = data.data;
  const { names_day: day, names_project: project, pause_minutes: pause } = budget;
  return (
    <Panel
      title={<T k="purchases.budget" day={formats.date(`${budget.day}T12:00:00Z`)} />}
      aside={
        <span className="budget-acts">
          <Switch state={budget.state} />
          <Button intent="primary" text={<T k="purchases.set_budget" />} onClick={() => setEditing(true)} />
        </span>
      }
    >
      <State budget={budget} />
      {budget.caps.length > 0 && <Caps caps={budget.caps} />}
      <p className="muted">
        <T k="purchases.limits" day={day} project={project} pause={pause} />
      </p>
      {editing && <BudgetForm budget={budget} onClose={() => setEditing(false)} />}
    </Panel>
  );
}
