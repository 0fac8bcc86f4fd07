import { Tag } from '@blueprintjs/core';
import { useState, useMemo } from 'react';
import { planLines } from '../../src/shared/dns/plan-words.ts';
import type { Key } from '../../src/shared/i18n/ru.ts';
import {
  type ItemState,
  type OperationItemView,
  type OperationView,
  ITEM_STATES,
} from '../../src/shared/operations.ts';
import { call } from '../kit/api.ts';
import { Chips } from '../kit/Chips.tsx';
import { useT } from '../kit/language.ts';
import { NoData } from '../kit/Status.tsx';
import { T, Message } from '../kit/T.tsx';
import type { Column } from '../kit/table/DataTable.tsx';
import { ListSection } from '../kit/table/ListSection.tsx';
import type { RowsSource } from '../kit/table/useRows.ts';
import { PlanLines } from './PlanLines.tsx';

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
  const isGivenBack = state === 'cancelled' && item.acts.some((act) => act.state === 'undone');
  const intent = state === 'failed' || state === 'done' ? ITEM_INTENTS[state] : 'none';
  return (
    <Tag minimal intent={intent}>
      <T k={isGivenBack ? 'operation.item_given_back' : ITEM_LABELS[state]} />
    </Tag>
  );
}

function Changes({ item }: { item: OperationItemView }) {
  const t = useT();
  const acts = item.acts.filter(({ state }) => state !== 'noop');
  const lines = planLines(
    t,
    acts.map(({ name, before, after }) => ({ act: name, before, after })),
  );
  return lines.length === 0 ? <NoData /> : <PlanLines lines={lines} />;
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
export function Items({ operation }: { operation: OperationView }) {
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
    <ListSection
      title="operations.items"
      heading="h3"
      source={source}
      columns={COLUMNS}
      failed="operations.items_failed"
      empty="operations.items_none"
    >
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
    </ListSection>
  );
}
