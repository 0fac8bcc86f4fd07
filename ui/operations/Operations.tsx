import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { OPERATION_STATES, type OperationState, type OperationView } from '../../src/shared/operations.ts';
import { call } from '../kit/api.ts';
import { DateTime } from '../kit/table/DateTime.tsx';
import { Chips } from '../kit/Chips.tsx';
import { DataTable, type Column } from '../kit/table/DataTable.tsx';
import { EmptyList } from '../kit/table/EmptyList.tsx';
import { kindOf, STATE_LABELS, StateTag, useOperationText } from './OperationState.tsx';
import { ListTools } from '../kit/list/ListTools.tsx';
import { useListLayout } from '../kit/list/useListLayout.ts';
import { useSeenFile } from '../kit/list/useSeenFile.ts';
import { Screen } from '../kit/Screen.tsx';
import { NoData } from '../kit/Status.tsx';
import { Message, T } from '../kit/T.tsx';
import type { RowsSource } from '../kit/table/useRows.ts';
import { useUrlDialog } from '../kit/dialog/useUrlDialog.ts';
import { useUrlState } from '../kit/useUrlState.ts';
import { useT } from '../kit/language.ts';

function OperationLink({ operation: { id, kind } }: { operation: OperationView }) {
  const t = useT();
  const { to, state } = useUrlDialog('operation').linkTo(id);
  return (
    <Link to={to} state={state}>
      <Message text={t('operations.title', { kind: kindOf(t, kind), id })} />
    </Link>
  );
}

function Done({ operation: { done, total } }: { operation: OperationView }) {
  return total > 0 ? <T k="ui.operation_done" done={done} total={total} /> : <NoData />;
}

function Text({ operation }: { operation: OperationView }) {
  const text = useOperationText()(operation);
  return (
    <span title={text}>
      <Message text={text} />
    </span>
  );
}

const COLUMNS: readonly Column<OperationView>[] = [
  {
    id: 'what',
    width: 220,
    fields: ['id', 'kind'],
    header: 'operations.what',
    sort: 'kind',
    card: 'title',
    cell: (operation) => <OperationLink operation={operation} />,
  },
  {
    id: 'state',
    width: 132,
    fields: ['state'],
    header: 'operations.state',
    sort: 'state',
    card: 'status',
    cell: ({ state }) => <StateTag state={state} />,
  },
  {
    id: 'message',
    line: 2,
    width: 208,
    grow: 1,
    priority: 1,
    fields: ['message'],
    header: 'operations.items',
    cell: (operation) => <Text operation={operation} />,
  },
  {
    id: 'done',
    line: 3,
    width: 148,
    priority: 3,
    fields: ['done', 'total'],
    header: 'operations.done',
    cell: (operation) => <Done operation={operation} />,
  },
  {
    id: 'failed',
    width: 92,
    priority: 2,
    fields: ['failed'],
    header: 'operations.failed',
    cell: ({ failed }) => (failed > 0 ? failed : <NoData />),
  },
  {
    id: 'started',
    line: 3,
    width: 148,
    priority: 4,
    fields: ['created_at'],
    header: 'operations.started',
    sort: 'created_at',
    cell: ({ created_at }) => <DateTime iso={created_at} />,
  },
  {
    id: 'ended',
    width: 148,
    priority: 5,
    fields: ['finished_at'],
    header: 'operations.ended',
    sort: 'finished_at',
    cell: ({ finished_at }) => <DateTime iso={finished_at} />,
  },
];

const VIEW = { state: '', sort: '' };
const FIELDS = [...Object.keys(VIEW), 'columns'];

/** Lists all operations that the user may see (an admin: everybody's). An operation opens in a dialog over the list. */
export function Operations() {
  const t = useT();
  const [view, setView] = useUrlState(VIEW);
  const layout = useListLayout('operations', COLUMNS);
  const state = OPERATION_STATES.find((value) => value === view.state);
  const source = useMemo<RowsSource<OperationView>>(() => {
    const query = { state, sort: view.sort || undefined };
    return {
      key: ['GET /api/operations', query],
      load: (page, signal) => call('GET /api/operations', { query: { ...query, ...page }, signal }),
    };
  }, [state, view.sort]);
  const seen = useSeenFile('operations', source, layout.columns);
  return (
    <Screen title="ui.operations">
      <div className="list-line">
        <Chips<OperationState | ''>
          label={t('operations.state')}
          chips={[
            { value: '', label: <T k="operations.any" /> },
            ...OPERATION_STATES.map((value) => ({ value, label: <T k={STATE_LABELS[value]} /> })),
          ]}
          value={state ?? ''}
          onChange={(next) => setView({ state: next })}
        />
        <ListTools layout={layout} fields={FIELDS} csv={seen} />
      </div>
      <h2 className="visually-hidden">
        <T k="ui.operations" />
      </h2>
      <DataTable
        oneLine
        height="page"
        label={t('ui.operations')}
        source={source}
        columns={layout.columns}
        density={layout.settings.density}
        isLoading={layout.isPending}
        sort={view.sort}
        onSort={(sort) => setView({ sort })}
        failed="operations.list_failed"
        empty={
          <EmptyList
            none="operations.none"
            onReset={state && (() => setView({ state: '' }))}
            action={
              <Link className="bp6-button" to="/">
                <T k="operations.to_dashboard" />
              </Link>
            }
          />
        }
      />
    </Screen>
  );
}
