import { Checkbox } from '@blueprintjs/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { toUnicode } from '../../src/shared/portfolio/domain-name.ts';
import { call, messageOf, refresh, type AnswerOf } from '../kit/api.ts';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { FormDialog } from '../kit/dialog/FormDialog.tsx';
import { useAnew } from '../kit/dialog/useAnew.ts';
import { PlanLines } from '../operations/PlanLines.tsx';
import { Message, T } from '../kit/T.tsx';
import { toast } from '../kit/toasts.tsx';
import { useT } from '../kit/language.ts';
import './AutoTransfer.css';

const PLAN = 'POST /api/trigger_auto_transfer/plan';
type AutoPlan = AnswerOf<typeof PLAN>;

const usePlan = (project: number, use_last_reserve: boolean) =>
  useAnew<AutoPlan>({
    queryKey: [PLAN, project, use_last_reserve],
    queryFn: ({ signal }) => call(PLAN, { body: { project, use_last_reserve }, signal }),
    placeholderData: keepPreviousData,
  });

function Planned({ items }: AutoPlan) {
  const moves = items.flatMap(({ domain, target }) =>
    target === null ? [] : [{ sign: 'change' as const, what: `${toUnicode(domain)} → ${toUnicode(target)}` }],
  );
  const stay = items.filter(({ target }) => target === null);
  const unseen = items.filter(({ code }) => code === 'auto_transfer.chosen_unseen').length;
  return (
    <>
      {moves.length > 0 && <PlanLines lines={moves} />}
      {unseen > 0 && (
        <p>
          <T k="auto_transfer.unseen" n={unseen} />
        </p>
      )}
      {stay.length > 0 && (
        <>
          <h3 className="bp6-heading section-title auto-stay-title">
            <T k="auto_transfer.stay" />
          </h3>
          <ul className="auto-stay">
            {stay.map(({ domain, reason }) => (
              <li key={domain}>
                <span translate="no">{toUnicode(domain)}</span>: <Message text={reason} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

interface AutoTransferProps {
  project: { id: number; name: string };
  onClose: () => void;
}

/**
 * Shows which blocked domain of a project would move to which reserve, and starts the moves; the tray shows the
 * progress.
 */
export function AutoTransfer({ project, onClose }: AutoTransferProps) {
  const t = useT();
  const [lastToo, setLastToo] = useState(false);
  const { data: plan, error, isFetching, refetch } = usePlan(project.id, lastToo);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const items = plan?.items ?? [];
  const count = items.filter(({ target }) => target !== null).length;
  const asksLast = lastToo || items.some(({ code }) => code === 'auto_transfer.last');
  const start = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const body = { project: project.id, use_last_reserve: lastToo, plan: plan?.plan };
      const { message } = await call('POST /api/trigger_auto_transfer', { body });
      toast.success(message, { place: 'project' });
      void refresh('GET /api/operations', 'GET /api/transfer_decisions');
      onClose();
    } catch (thrown) {
      setFailure(`${t('auto_transfer.failed')}\n${messageOf(thrown)}`);
      setBusy(false);
      void refetch();
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy && !isFetching && count > 0) void start();
  };
  return (
    <FormDialog
      width={720}
      title={<T k="auto_transfer.title" name={project.name} />}
      action={<T k="auto_transfer.action" n={count} />}
      disabled={count === 0 || isFetching}
      note={<output>{plan && items.length === 0 && <T k="auto_transfer.nothing_blocked" />}</output>}
      submit={{ onSubmit, busy, failure }}
      onClose={onClose}
    >
      <p>
        <T k="auto_transfer.explain" />
      </p>
      {error && !isFetching ? (
        <Failed sentence="auto_transfer.plan_failed" reason={error.message} retry={() => void refetch()} />
      ) : (
        <section aria-live="polite" aria-busy={isFetching} aria-label={t('auto_transfer.plan')}>
          {plan ? <Planned {...plan} /> : <Skeleton label={t('ui.loading')} />}
        </section>
      )}
      {asksLast && (
        <Checkbox
          className="auto-last"
          checked={lastToo}
          disabled={busy}
          labelElement={<T k="auto_transfer.use_last" />}
          onChange={(event) => setLastToo(event.currentTarget.checked)}
        />
      )}
    </FormDialog>
  );
}
