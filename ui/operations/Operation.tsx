import { Callout } from '@blueprintjs/core';
import { RepeatIcon, StopIcon, UndoIcon } from '../kit/icons.tsx';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { Link } from 'react-router-dom';
import type { OperationView } from '../../src/shared/operations.ts';
import { call, messageOf, refresh } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { kindOf, OperationProgress, StateTag, useOperationText } from './OperationState.tsx';
import { useOperation } from './operations.ts';
import { Message, T } from '../kit/T.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Confirm } from '../kit/dialog/Confirm.tsx';
import { transferPath } from './transferPath.ts';
import './Operation.css';
import { Items } from './OperationItems.tsx';

type Act = 'cancel' | 'retry' | 'restore';

interface ConfirmRestoreProps {
  /** How many items would be given back. */
  count: number;
  busy: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

function ConfirmRestore({ count, ...confirm }: ConfirmRestoreProps) {
  return (
    <Confirm
      title={<T k="operations.restore_title" />}
      confirm={<T k="operations.restore" />}
      intent="primary"
      {...confirm}
    >
      <p>
        <T k="operations.restore_text" n={count} />
      </p>
    </Confirm>
  );
}

/** The pressed button may disappear, and the focus with it: the dialog's keys need the focus inside. */
function useFocusBack(): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus();
  });
  return place;
}

/** The buttons for the actions that an operation allows now. */
function Acts({ operation }: { operation: OperationView }) {
  const t = useT();
  const [busy, setBusy] = useState<Act>();
  const [asking, setAsking] = useState(false);
  const { id, counts, cancellable, retryable, restorable } = operation;
  const isWaiting = operation.state === 'queued';
  const left = counts.failed + counts.cancelled + counts.queued;
  const place = useFocusBack();
  const run = async (act: Act): Promise<void> => {
    setBusy(act);
    try {
      const { message } = await call(`POST /api/operations/:id/${act}`, { params: { id }, body: {} });
      toast.success(message);
      await refresh('GET /api/operations', 'GET /api/operations/:id', 'GET /api/operations/:id/items');
    } catch (error) {
      toastFailure(t('operations.act_failed'), error);
    }
    setBusy(undefined);
    setAsking(false);
  };
  return (
    <div className="operation-acts" ref={place} tabIndex={-1}>
      {retryable && (
        <BusyButton
          intent="primary"
          icon={<RepeatIcon />}
          busy={busy === 'retry'}
          text={
            isWaiting ? <T k="operations.go_on" /> : left > 0 ? <T k="operations.retry" n={left} /> : <T k="ui.retry" />
          }
          onClick={() => void run('retry')}
        />
      )}
      {cancellable && (
        <BusyButton
          icon={<StopIcon />}
          busy={busy === 'cancel'}
          text={<T k="operations.cancel" />}
          onClick={() => void run('cancel')}
        />
      )}
      {restorable && (
        <BusyButton
          icon={<UndoIcon />}
          busy={busy === 'restore'}
          text={<T k="operations.restore" />}
          onClick={() => setAsking(true)}
        />
      )}
      {asking && (
        <ConfirmRestore
          count={counts.done}
          busy={busy === 'restore'}
          onConfirm={() => void run('restore')}
          onCancel={() => setAsking(false)}
        />
      )}
    </div>
  );
}

function Times({ operation: { created_at, finished_at } }: { operation: OperationView }) {
  const formats = useFormats();
  const started = formats.dateTime(created_at);
  if (finished_at === null) return <T k="operations.times" started={started} />;
  return <T k="operations.times_ended" started={started} ended={formats.dateTime(finished_at)} />;
}

function Detail({ operation }: { operation: OperationView }) {
  const t = useT();
  const { state, total, done, failed, steps, counts } = operation;
  const text = useOperationText()(operation);
  const errors = steps.flatMap(({ error }) => error ?? []);
  const notes = steps.flatMap(({ note }) => note ?? []);
  const hasItems = Object.values(counts).some((count) => count > 0);
  return (
    <div className="operation-detail">
      <p>
        <StateTag state={state} /> <Message text={text} />
      </p>
      <OperationProgress operation={operation} />
      <p className="muted">
        <Times operation={operation} />
        {total > 0 && <> · {t('ui.operation_done', { done, total })}</>}
        {failed > 0 && <> · {t('ui.operation_failures', { failed })}</>}
      </p>
      {errors.map((error) => (
        <Callout key={error} intent="warning">
          <Message text={error} />
        </Callout>
      ))}
      {notes.map((note) => (
        <Callout key={note}>
          <Message text={note} />
        </Callout>
      ))}
      {operation.kind === 'transfer' && (
        <p>
          <Link to={transferPath(operation.id)}>
            <T k="transfer_page.open" />
          </Link>
        </p>
      )}
      <Acts operation={operation} />
      {hasItems && <Items operation={operation} />}
    </div>
  );
}

/** One operation: its progress, its items with their changes and errors, and the actions it allows. */
export function OperationDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useT();
  const { data, error, refetch } = useOperation(id);
  const title = t('operations.title', { kind: data ? kindOf(t, data.kind) : t('operations.what'), id });
  return (
    <InfoDialog width={820} title={title} onClose={onClose}>
      {data && <Detail operation={data} />}
      {error && !data && (
        <Failed sentence="operations.load_failed" reason={messageOf(error)} retry={() => void refetch()} />
      )}
      {!error && !data && <Skeleton label={t('ui.loading')} />}
    </InfoDialog>
  );
}
