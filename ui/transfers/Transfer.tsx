import { Button, Callout } from '@blueprintjs/core';
import { ArrowRightIcon } from '../kit/icons.tsx';
import { lazy, Suspense, useState, type FormEvent } from 'react';
import type { DomainView } from '../../src/shared/portfolio/domains.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import { ApiError, call, messageOf, refresh, useCall } from '../kit/api.ts';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { useReturnFocus } from '../kit/dialog/dialogFocus.ts';
import { EmptyState } from '../kit/EmptyState.tsx';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { T } from '../kit/T.tsx';
import { toast, type ToastPlace } from '../kit/toasts.tsx';
import { TransferNow } from './TransferNow.tsx';
import { TransferPlan } from './TransferPlan.tsx';
import { TransferReserves } from './TransferReserves.tsx';
import { BLOCKED, confirmedAs, isGrave, isUntold, useTransferPlan, type TransferPair } from './useTransferPlan.ts';
import { useT } from '../kit/language.ts';
import './Transfer.css';
import { Loading } from '../kit/Loading.tsx';

const NewDomain = lazy(async () => ({ default: (await import('../domains/Domain.tsx')).NewDomain }));

const STARTED_MS = 6_000;

interface TransferProps {
  id: number;
  /** The preselected reserve, from the URL. */
  target: number | undefined;
  place: ToastPlace;
  onClose: () => void;
}

const NOTHING: ReadonlySet<string> = new Set();

/** The chosen reserve and the confirmed warnings; choosing a blocked reserve asks first. */
function useChoice() {
  const [chosen, setChosen] = useState<DomainView>();
  const [asked, setAsked] = useState<DomainView>();
  const [confirmed, setConfirmed] = useState(NOTHING);
  return {
    chosen,
    asked,
    confirmed,
    choose: (domain: DomainView): void => {
      const isBlocked = domain.status === 'blocked' && domain.id !== chosen?.id;
      setAsked(isBlocked ? domain : undefined);
      if (isBlocked || domain.id === chosen?.id) return;
      setChosen(domain);
      setConfirmed(NOTHING);
    },
    chooseAnyway: (): void => {
      setChosen(asked);
      setAsked(undefined);
      setConfirmed(new Set([BLOCKED]));
    },
    confirm: (code: string, on: boolean): void =>
      setConfirmed(new Set([...confirmed].filter((other) => other !== code).concat(on ? [code] : []))),
  };
}

type Plan = ReturnType<typeof useTransferPlan>;

/** Returns why the transfer can't start yet; undefined if it can. */
function whyNot(chosen: DomainView | undefined, plan: Plan, confirmed: ReadonlySet<string>): Key | undefined {
  if (!chosen) return 'transfer_dialog.choose_first';
  if (plan.isFetching) return 'transfer_dialog.planning';
  if (!plan.data || plan.data.failed.length > 0) return 'transfer_dialog.plan_failed';
  const { data } = plan;
  const isOpen = data.warnings.some((warning) => isGrave(warning) && !confirmed.has(confirmedAs(warning, data)));
  return isOpen ? 'transfer_dialog.confirm_first' : undefined;
}

/** Starts the plan that was shown. If it is stale, shows the new plan; the choice is kept after any failure. */
function useStart(pair: TransferPair | undefined, plan: Plan, place: ToastPlace, onClose: () => void) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const start = async (): Promise<void> => {
    if (!pair || !plan.data) return;
    setBusy(true);
    setFailure(undefined);
    const { warnings, readiness } = plan.data;
    const force = warnings.some((warning) => isGrave(warning) && !isUntold(warning));
    try {
      // Confirms only the page that was shown, identified by its print.
      const confirm_site = warnings.some(isUntold) ? readiness.seen?.print : undefined;
      const body = { ...pair, plan: plan.data.hash, force, confirm_site };
      await call('POST /api/transfer_explicit', { body });
      toast.success(t('transfer.started'), { place, timeout: STARTED_MS });
      void refresh('GET /api/operations');
      onClose();
    } catch (error) {
      setFailure(`${t('transfer_dialog.failed')}\n${messageOf(error)}`);
      if (error instanceof ApiError && error.code === 'plan_stale') await plan.refetch();
      setBusy(false);
    }
  };
  return { start, busy, failure };
}

interface PairProps extends Omit<TransferProps, 'id'> {
  domain: DomainView & { project_id: number };
}

function Pair({ domain, target, place, onClose }: PairProps) {
  const { chosen, asked, confirmed, ...choice } = useChoice();
  const [adding, setAdding] = useState(false);
  useGiven(domain, target, choice.choose);
  const pair = chosen && { sourceDomainId: domain.id, targetDomainId: chosen.id };
  const plan = useTransferPlan(pair);
  const { start, busy, failure } = useStart(pair, plan, place, onClose);
  const reason = whyNot(chosen, plan, confirmed);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy && reason === undefined) void start();
  };
  const action = chosen ? (
    <T k="transfer_dialog.submit" name={chosen.unicode_name} />
  ) : (
    <T k="transfer_dialog.submit_none" />
  );
  return (
    <FormDialog
      width={900}
      title={<T k="transfer_dialog.title" name={domain.unicode_name} />}
      action={action}
      disabled={reason !== undefined}
      note={reason && <T k={reason} />}
      submit={{ onSubmit, busy, failure }}
      onClose={onClose}
    >
      <div className="transfer-pair">
        <TransferNow domain={domain} />
        <ArrowRightIcon className="transfer-arrow" size={20} />
        <TransferReserves
          project={{ id: domain.project_id, name: domain.project_name ?? '' }}
          chosen={chosen?.id}
          onChoose={choice.choose}
          onAdd={() => setAdding(true)}
        />
      </div>
      <div aria-live="polite">{asked && <Ask domain={asked} onAnyway={choice.chooseAnyway} />}</div>
      {chosen && (
        <TransferPlan plan={plan} name={chosen.unicode_name} confirmed={confirmed} onConfirm={choice.confirm} />
      )}
      <Suspense fallback={<Loading />}>
        {adding && (
          <NewDomain projectId={domain.project_id} type="transfer" place={place} onClose={() => setAdding(false)} />
        )}
      </Suspense>
    </FormDialog>
  );
}

function Ask({ domain, onAnyway }: { domain: DomainView; onAnyway: () => void }) {
  return (
    <Callout intent="warning" className="transfer-ask">
      <T k="transfer_dialog.blocked" name={domain.unicode_name} />
      <Button size="small" text={<T k="transfer_dialog.anyway" />} onClick={onAnyway} />
    </Callout>
  );
}

/** Preselects the reserve from the URL, if it belongs to the same project. */
function useGiven(domain: DomainView, target: number | undefined, choose: (domain: DomainView) => void): void {
  const { data } = useCall('GET /api/domains/:id', { params: { id: target ?? 0 } }, { enabled: target !== undefined });
  const [done, setDone] = useState(false);
  const given = data?.data;
  if (given && !done) {
    setDone(true);
    if (given.type === 'transfer' && given.project_id === domain.project_id) choose(given);
  }
}

/** Moves a main domain's site to a reserve of its project: shows the current state, the reserves and the plan. */
export function Transfer({ id, target, place, onClose }: TransferProps) {
  const t = useT();
  useReturnFocus();
  const { data, error, refetch } = useCall('GET /api/domains/:id', { params: { id } });
  const domain = data?.data;
  if (domain?.type === 'main' && domain.project_id !== null) {
    return (
      <Pair domain={{ ...domain, project_id: domain.project_id }} target={target} place={place} onClose={onClose} />
    );
  }
  const title = domain ? t('transfer_dialog.title', { name: domain.unicode_name }) : t('sites.transfer');
  return (
    <InfoDialog width={900} title={title} onClose={onClose}>
      {error && <Failed sentence="transfer_dialog.domain_failed" reason={error.message} retry={() => void refetch()} />}
      {!domain && !error && <Skeleton label={t('ui.loading')} />}
      {domain && (
        <EmptyState>
          <T k={domain.type === 'main' ? 'transfer_dialog.no_project' : 'transfer_dialog.not_main'} />
        </EmptyState>
      )}
    </InfoDialog>
  );
}
