import { Callout, Tag } from '@blueprintjs/core';
import { RepeatIcon, StopIcon, UndoIcon } from '../kit/icons.tsx';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Key } from '../../src/shared/i18n/index.ts';
import {
  ITEM_STATES,
  type ItemState,
  type OperationItemView,
  type OperationView,
} from '../../src/shared/operations.ts';
import { call, messageOf, refresh } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { Chips } from '../kit/Chips.tsx';
import { DataTable, Failed, Skeleton, type Column } from '../kit/table/DataTable.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { kindOf, OperationProgress, StateTag } from './OperationState.tsx';
import { useOperation } from './operations.ts';
import { PlanLines } from './PlanLines.tsx';
import { planLines } from '../../src/shared/dns/plan-words.ts';
import { NoData } from '../kit/Status.tsx';
import { Message, T } from '../kit/T.tsx';
import { toast, toastFailure } from '../kit/toasts.tsx';
import type { RowsSource } from '../kit/table/useRows.ts';
import { useFormats, useT } from '../kit/language.ts';
import { Confirm } from '../kit/dialog/Confirm.tsx';
import './Operation.css';

const ITEM_LABELS: Record<ItemState, Key> = {
  queued: 'operation.item_queued',
  intent: 'operation.item_intent',
  done: 'operation.item_done',
  noop: 'operation.item_noop',
  failed: 'operation.item_failed',
  cancelled: 'operation.item_cancelled',
};

const ITEM_INTENTS = { failed: 'danger', done: 'success' } as const;

function ItemTag({ item }: { item: OperationItemView }) {
  // A queued item that has acts was begun and waits for something outside.
  const state = item.state === 'queued' && item.acts.length > 0 ? 'intent' : item.state;
  const intent = state === 'failed' || state === 'done' ? ITEM_INTENTS[state] : 'none';
  return (
    <Tag minimal intent={intent}>
      <T k={ITEM_LABELS[state]} />
    </Tag>
  );
}

function Changes({ item }: { item: OperationItemView }) {
  const t = useT();
  const acts = item.acts.filter(({ state }) => state !== 'noop');
  if (acts.length === 0) return <NoData />;
  return (
    <PlanLines
      lines={planLines(
        t,
        acts.map(({ name, before, after }) => ({ act: name, before, after })),
      )}
    />
  );
}

const COLUMNS: readonly Column<OperationItemView>[] = [
  {
    id: 'item',
    header: 'operations.item',
    card: 'title',
    cell: ({ item }) => (
      <span className="operation-item" translate="no">
        {item.slice(item.indexOf(' ') + 1)}
      </span>
    ),
  },
  { id: 'state', header: 'operations.state', card: 'status', cell: (item) => <ItemTag item={item} /> },
  {
    id: 'reason',
    header: 'operations.reason',
    cell: ({ error }) =>
      error === null ? (
        <NoData />
      ) : (
        <span className="wraps">
          <Message text={error} />
        </span>
      ),
  },
  { id: 'changes', header: 'operations.changes', cell: (item) => <Changes item={item} /> },
];

/** The items of an operation; preselects the failed ones, if any. */
function Items({ operation }: { operation: OperationView }) {
  const t = useT();
  const { id, counts } = operation;
  const [state, setState] = useState<ItemState | 'any'>(counts.failed > 0 ? 'failed' : 'any');
  const source = useMemo<RowsSource<OperationItemView>>(() => {
    const query = state === 'any' ? {} : { state };
    return {
      key: ['GET /api/operations/:id/items', { id, ...query }],
      load: (page, signal) =>
        call('GET /api/operations/:id/items', { params: { id }, query: { ...query, ...page }, signal }),
    };
  }, [id, state]);
  const states = ITEM_STATES.filter((value) => value !== 'intent' && (counts[value] > 0 || value === state));
  return (
    <section>
      <h3 className="bp6-heading section-title">
        <T k="operations.items" />
      </h3>
      <Chips
        label={t('operations.state')}
        chips={[
          { value: 'any' as const, label: <T k="operations.any" /> },
          ...states.map((value) => ({
            value,
            label: <T k={ITEM_LABELS[value]} />,
            count: value === 'intent' ? undefined : counts[value],
          })),
        ]}
        value={state}
        onChange={setState}
      />
      <DataTable
        label={t('operations.items')}
        source={source}
        columns={COLUMNS}
        failed="operations.items_failed"
        empty={
          <EmptyState>
            <T k="operations.items_none" />
          </EmptyState>
        }
      />
    </section>
  );
}

type Act = 'cancel' | 'retry' | 'restore';

/** The buttons for the actions that an operation allows now. */
function Acts({ operation }: { operation: OperationView }) {
  const t = useT();
  const [busy, setBusy] = useState<Act>();
  const [asking, setAsking] = useState(false);
  const { id, counts, cancellable, retryable, restorable } = operation;
  const place = useRef<HTMLDivElement>(null);
  // The pressed button may disappear, and the focus with it: the dialog's keys need the focus inside.
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus();
  });
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
          text={<T k="operations.retry" n={counts.failed + counts.cancelled + counts.queued} />}
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
        <Confirm
          title={<T k="operations.restore_title" />}
          confirm={<T k="operations.restore" />}
          intent="primary"
          busy={busy === 'restore'}
          onConfirm={() => void run('restore')}
          onCancel={() => setAsking(false)}
        >
          <p>
            <T k="operations.restore_text" n={counts.done} />
          </p>
        </Confirm>
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
  const { state, message, total, done, failed, steps, counts } = operation;
  const errors = steps.flatMap(({ error }) => error ?? []);
  const hasItems = Object.values(counts).some((count) => count > 0);
  return (
    <div className="operation-detail">
      <p>
        <StateTag state={state} /> <Message text={message} />
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
