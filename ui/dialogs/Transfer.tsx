import { Button, Callout } from '@blueprintjs/core';
import { ArrowRightIcon } from '@blueprintjs/icons';
import { lazy, Suspense, useState, type FormEvent } from 'react';
import type { DomainView } from '../../src/shared/domains.ts';
import { ApiError, messageOf, refresh, useCall } from '../api.ts';
import { Failed, Skeleton } from '../components/DataTable.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import { InfoDialog } from '../components/InfoDialog.tsx';
import { T } from '../components/T.tsx';
import { toast, type ToastPlace } from '../components/toasts.tsx';
import { TransferNow } from '../components/TransferNow.tsx';
import { TransferPlan } from '../components/TransferPlan.tsx';
import { TransferReserves } from '../components/TransferReserves.tsx';
import { looseCall, useTransferPlan } from '../components/useTransferPlan.ts';
import { useT } from '../language.ts';
import './Transfer.css';

const NewDomain = lazy(async () => ({ default: (await import('./Domain.tsx')).NewDomain }));

const STARTED_MS = 6_000;

interface TransferProps {
  id: number;
  /** The reserve that was chosen before the dialog was opened. */
  target: number | undefined;
  place: ToastPlace;
  onClose: () => void;
}

/** What is chosen: a blocked reserve is asked about first. */
function useChoice() {
  const [chosen, setChosen] = useState<DomainView>();
  const [force, setForce] = useState(false);
  const [asked, setAsked] = useState<DomainView>();
  return {
    chosen,
    force,
    asked,
    choose: (domain: DomainView): void => {
      if (domain.id === chosen?.id) return;
      if (domain.status === 'blocked') return setAsked(domain);
      setAsked(undefined);
      setForce(false);
      setChosen(domain);
    },
    chooseAnyway: (): void => {
      setChosen(asked);
      setForce(true);
      setAsked(undefined);
    },
  };
}

interface PairProps extends Omit<TransferProps, 'id'> {
  domain: DomainView & { project_id: number };
}

function Pair({ domain, target, place, onClose }: PairProps) {
  const t = useT();
  const { chosen, force, asked, ...choice } = useChoice();
  const [adding, setAdding] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  useGiven(domain, target, choice.choose);
  const pair = chosen && { sourceDomainId: domain.id, targetDomainId: chosen.id, force };
  const plan = useTransferPlan(pair);
  const start = async (): Promise<void> => {
    if (!pair || !plan.data) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const { message } = await looseCall('POST /api/transfer_explicit', { body: { ...pair, plan: plan.data.hash } });
      toast.success(message, { timeout: STARTED_MS });
      void refresh('GET /api/operations');
      onClose();
    } catch (error) {
      setFailure(`${t('transfer_dialog.failed')}\n${messageOf(error)}`);
      if (error instanceof ApiError && error.code === 'plan_stale') await plan.refetch();
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy && isReady) void start();
  };
  const isReady = plan.data !== undefined && !plan.isFetching;
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
      disabled={!isReady}
      note={!chosen && <T k="transfer_dialog.choose_first" />}
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
      {chosen && <TransferPlan plan={plan} name={chosen.unicode_name} />}
      <Suspense fallback={null}>
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

/** Chooses the reserve that came with the address, where it is one of the project's. */
function useGiven(domain: DomainView, target: number | undefined, choose: (domain: DomainView) => void): void {
  const { data } = useCall('GET /api/domains/:id', { params: { id: target ?? 0 } }, { enabled: target !== undefined });
  const [done, setDone] = useState(false);
  const given = data?.data;
  if (given && !done) {
    setDone(true);
    if (given.type === 'transfer' && given.project_id === domain.project_id) choose(given);
  }
}

/** Moves a main domain's site to a reserve of its project: what it is now, which one, and what that changes. */
export function Transfer({ id, target, place, onClose }: TransferProps) {
  const t = useT();
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
