import { Button } from '@blueprintjs/core';
import { useMemo, useState } from 'react';
import type { ListSettings } from '../../../src/shared/access/list-views.ts';
import { EmptyState } from '../EmptyState.tsx';
import { AddIcon } from '../icons.tsx';
import { useT } from '../language.ts';
import { laidOut } from '../list/layout.ts';
import { ListBeside } from '../list/ListBeside.tsx';
import { ListTools } from '../list/ListTools.tsx';
import type { ListLayout } from '../list/useListLayout.ts';
import { Panel } from '../Panel.tsx';
import { NoData, Status, type State } from '../Status.tsx';
import { T } from '../T.tsx';
import { DataTable, Failed, Skeleton, type Column } from '../table/DataTable.tsx';
import { setSelection } from '../table/setSelection.ts';
import { RowActions } from '../table/RowActions.tsx';
import { localRows } from '../table/useRows.ts';

interface Row {
  id: number;
  name: string;
  can_edit: boolean;
  isMain: boolean;
  rkn: State;
  http: State;
  code: string;
  until: State;
  date: string;
}

const row = (id: number, name: string, states: Partial<Row>): Row => ({
  id,
  name,
  can_edit: true,
  isMain: false,
  rkn: 'healthy',
  http: 'healthy',
  code: '200',
  until: 'healthy',
  date: '01.01.2027',
  ...states,
});

const ROWS: readonly Row[] = [
  row(1, 'astro-mir.ru', { isMain: true, rkn: 'blocked' }),
  row(2, 'astro-blog.ru', {}),
  row(3, 'ruki-plus3.com', { http: 'broken', code: '503' }),
  row(4, 'astro-portal.com', { until: 'expired', date: '20.11.2026' }),
  row(5, 'remont-portal.ru', { until: 'expiring', date: '24.11.2026' }),
  row(6, 'dacha-plus.ru', { http: 'stale' }),
  row(7, 'astro-pro.site', { rkn: 'unknown', http: 'unknown', can_edit: false }),
];

const cell = (state: State, word: string) => (state === 'unknown' ? <NoData /> : <Status state={state}>{word}</Status>);

const nothing = (): void => undefined;

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'domain',
    width: 180,
    grow: 1,
    header: 'list.domain',
    sort: 'name',
    card: 'title',
    cell: ({ name }) => (
      <span className="domain-name" translate="no">
        {name}
      </span>
    ),
  },
  {
    id: 'type',
    width: 116,
    priority: 2,
    line: 3,
    header: 'list.type',
    cell: ({ isMain }) => (
      <span className={isMain ? 'role role-main' : 'role'}>
        <T k={isMain ? 'list.type_main' : 'list.type_transfer'} />
      </span>
    ),
  },
  {
    id: 'rkn',
    width: 116,
    header: 'list.rkn',
    card: 'status',
    cell: ({ rkn }) => cell(rkn, rkn === 'blocked' ? 'blocked' : 'available'),
  },
  {
    id: 'status',
    width: 116,
    line: 2,
    header: 'list.status',
    sort: 'code',
    cell: ({ http, code }) => cell(http, code),
  },
  {
    id: 'expiry',
    width: 132,
    priority: 1,
    line: 2,
    header: 'list.expiry',
    cell: ({ until, date }) => (until === 'healthy' ? date : <Status state={until}>{date}</Status>),
  },
  {
    id: 'actions',
    width: 120,
    header: 'sites.actions',
    cell: (row) => <RowActions row={row} onEdit={nothing} onRemove={nothing} />,
  },
];

/** How the list is seen, which this page keeps for nobody. */
function useLocalLayout(): ListLayout<Row> {
  const [settings, setSettings] = useState<ListSettings>({ columns: null, density: 'regular', views: [] });
  const chosen = settings.columns ?? undefined;
  return {
    list: 'sites',
    all: COLUMNS,
    columns: useMemo(() => laidOut(COLUMNS, chosen), [chosen]),
    chosen,
    settings,
    isPending: false,
    set: async (change) => setSettings((before) => ({ ...before, ...change })),
  };
}

/** A list with rows in every state, chosen ones among them, and its tools. */
export function ListParts() {
  const t = useT();
  const [sort, setSort] = useState('name');
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set([2]));
  const selection = setSelection(ids, setIds);
  const source = useMemo(() => localRows(['kit'], ROWS), []);
  const layout = useLocalLayout();
  const tools = <ListTools layout={layout} csv={{ busy: false, save: nothing }} />;
  return (
    <Panel title={<T k="kit.lists" />} count={String(ROWS.length)} aside={tools} flush>
      <DataTable
        oneLine
        label={t('kit.lists')}
        source={source}
        columns={layout.columns}
        density={layout.settings.density}
        sort={sort}
        onSort={setSort}
        selection={selection}
        name={({ name }) => name}
        empty={null}
        failed="list.failed"
      />
    </Panel>
  );
}

const ITEMS = ['astro-mir.ru', 'dacha-plus.ru', 'remont-portal.ru'].map((name, index) => ({
  id: String(index),
  name,
  search: '',
  facts: index < 2 && <span className="muted">{index + 12}</span>,
}));

/** A list at the left of what is chosen, with facts and without; narrow, it is a select. */
export function ListAtLeft() {
  const t = useT();
  const [chosen, setChosen] = useState('0');
  return (
    <Panel title={<T k="kit.list_beside" />}>
      <ListBeside
        className=""
        label={t('kit.list_beside')}
        find={t('sites.search')}
        prompt={t('kit.choice')}
        items={ITEMS}
        chosen={chosen}
        onChoose={setChosen}
      >
        <EmptyState>{ITEMS.find(({ id }) => id === chosen)?.name ?? <T k="kit.choice" />}</EmptyState>
      </ListBeside>
    </Panel>
  );
}

/** A list without rows: while it loads, after it failed, and empty. */
export function WaitingLists() {
  const t = useT();
  const [isLoading, setLoading] = useState(false);
  return (
    <Panel title={<T k="kit.loading" />}>
      <div className="kit-stack">
        <div>
          <Button aria-pressed={isLoading} text={<T k="ui.loading" />} onClick={() => setLoading(!isLoading)} />
        </div>
        {isLoading && <Skeleton label={t('ui.loading')} />}
        <Failed sentence="list.failed" reason={t('ui.unreachable')} retry={nothing} />
        <EmptyState
          title={<T k="kit.empty_title" />}
          action={<Button intent="primary" icon={<AddIcon />} text={<T k="servers.add" />} />}
        >
          <T k="kit.empty" />
        </EmptyState>
      </div>
    </Panel>
  );
}
