import { Button } from '@blueprintjs/core';
import { useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Key } from '../../src/shared/i18n/index.ts';
import { OPEN_STATES, type PurchaseView } from '../../src/shared/purchases/purchases.ts';
import { toUnicode } from '../../src/shared/portfolio/domain-name.ts';
import { PURCHASE_STATES, type PurchaseState } from '../../src/shared/purchases/states.ts';
import { call } from '../kit/api.ts';
import { Chips } from '../kit/Chips.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { ListTools } from '../kit/list/ListTools.tsx';
import { useListLayout } from '../kit/list/useListLayout.ts';
import { useSeenFile } from '../kit/list/useSeenFile.ts';
import { Screen } from '../kit/Screen.tsx';
import { useSession } from '../kit/session.ts';
import { NoData, Status, type State } from '../kit/Status.tsx';
import { Message, T } from '../kit/T.tsx';
import { DataTable, type Column } from '../kit/table/DataTable.tsx';
import { DateTime } from '../kit/table/DateTime.tsx';
import { EmptyList } from '../kit/table/EmptyList.tsx';
import type { RowsSource } from '../kit/table/useRows.ts';
import { useUrlState } from '../kit/useUrlState.ts';
import { Budget } from './Budget.tsx';
import { Decide } from './Decide.tsx';
import { PurchasesState } from './PurchasesState.tsx';
import './Purchases.css';

type Purchase = PurchaseView<string>;

const MARKS: Record<PurchaseState, State> = {
  awaiting_approval: 'waiting',
  reserved: 'waiting',
  sending: 'running',
  unknown: 'expiring',
  pending: 'running',
  committed: 'healthy',
  released: 'unknown',
  simulated: 'unknown',
};

const stateKey = (state: PurchaseState): Key => `purchases.state_${state}`;

/** Whether an admin can end a purchase, decline it, or say that its charge was seen. */
const isDecidable = ({ state, needs_person }: Purchase): boolean =>
  needs_person || (OPEN_STATES as readonly string[]).includes(state);

function Price({ purchase: { state, price, charged, currency } }: { purchase: Purchase }) {
  const formats = useFormats();
  // Another sum than the quote, which is told beside.
  if (state === 'committed' && charged === null) return <NoData />;
  return <span translate="no">{formats.money(charged ?? price, currency)}</span>;
}

function Until({ purchase: { expires_day, renewed_day } }: { purchase: Purchase }) {
  const formats = useFormats();
  if (expires_day === null || renewed_day === null) return <NoData />;
  return <>{`${formats.day(expires_day)} → ${formats.day(renewed_day)}`}</>;
}

function Who({ purchase: { asked_by, asker_login, user_login } }: { purchase: Purchase }) {
  if (asked_by === 'automation') return <T k="purchases.automatic" />;
  return <span translate="no">{asker_login ?? user_login ?? <NoData />}</span>;
}

/** The columns of a list of purchases. */
export const PURCHASE_COLUMNS: readonly Column<Purchase>[] = [
  {
    id: 'name',
    width: 170,
    grow: 2,
    header: 'purchases.name',
    fields: ['domain_name'],
    card: 'title',
    cell: ({ domain_name }) => (
      <span className="domain-name" title={domain_name} translate="no">
        {toUnicode(domain_name)}
      </span>
    ),
  },
  {
    id: 'state',
    width: 140,
    header: 'purchases.state',
    fields: ['state'],
    card: 'status',
    cell: ({ state }) => (
      <Status state={MARKS[state]}>
        <T k={stateKey(state)} />
      </Status>
    ),
  },
  {
    id: 'kind',
    width: 104,
    priority: 7,
    header: 'purchases.kind',
    fields: ['kind'],
    cell: ({ kind }) => <T k={`purchases.kind_${kind}`} />,
  },
  {
    id: 'price',
    width: 100,
    priority: 1,
    header: 'purchases.price',
    fields: ['price', 'charged', 'currency'],
    cell: (purchase) => <Price purchase={purchase} />,
  },
  {
    id: 'until',
    width: 184,
    priority: 3,
    header: 'purchases.until',
    fields: ['expires_day', 'renewed_day'],
    cell: (purchase) => <Until purchase={purchase} />,
  },
  {
    id: 'registrar',
    width: 120,
    priority: 6,
    header: 'purchases.registrar',
    fields: ['registrar_name', 'registrar_type'],
    cell: ({ registrar_name, registrar_type }) => <span translate="no">{registrar_name ?? registrar_type}</span>,
  },
  {
    id: 'project',
    width: 110,
    priority: 5,
    header: 'purchases.project',
    fields: ['project_name'],
    cell: ({ project_name }) => project_name ?? <NoData />,
  },
  {
    id: 'who',
    width: 108,
    priority: 8,
    header: 'purchases.who',
    fields: ['asked_by', 'asker_login'],
    cell: (purchase) => <Who purchase={purchase} />,
  },
  {
    id: 'when',
    width: 140,
    priority: 2,
    header: 'purchases.when',
    fields: ['created_at'],
    cell: ({ created_at }) => <DateTime iso={created_at} />,
  },
  {
    id: 'order',
    width: 116,
    priority: 9,
    header: 'purchases.order',
    fields: ['order_id'],
    cell: ({ order_id }) => order_id ?? <NoData />,
  },
  {
    id: 'error',
    width: 140,
    grow: 3,
    priority: 4,
    header: 'purchases.error',
    fields: ['error'],
    cell: ({ error }) =>
      error === null ? (
        <NoData />
      ) : (
        <span className="purchase-error" title={error}>
          <Message text={error} />
        </span>
      ),
  },
];

function DecideButton({ name, onClick }: { name: string; onClick: () => void }) {
  const t = useT();
  const action = t('purchases.decide');
  return <Button size="small" text={action} aria-label={t('sites.action_on', { action, name })} onClick={onClick} />;
}

const actions = (decide: (purchase: Purchase) => void): Column<Purchase> => ({
  id: 'actions',
  width: 104,
  header: 'purchases.actions',
  cell: (purchase) => (
    <span className="icon-actions">
      {isDecidable(purchase) ? (
        <DecideButton name={purchase.domain_name} onClick={() => decide(purchase)} />
      ) : (
        <NoData />
      )}
    </span>
  ),
});

const VIEW = { state: '' };
const FIELDS = [...Object.keys(VIEW), 'columns'];

/** The ledger: the budget with its switch for admins, and every purchase and renewal that the user may see. */
export function Purchases() {
  const t = useT();
  const isAdmin = useSession().user?.role === 'admin';
  const [view, setView] = useUrlState(VIEW);
  const [decided, setDecided] = useState<Purchase>();
  const state = PURCHASE_STATES.find((value) => value === view.state);
  const source = useMemo<RowsSource<Purchase>>(
    () => ({
      key: ['GET /api/purchases', { state }],
      load: (page, signal) => call('GET /api/purchases', { query: { state, ...page }, signal }),
    }),
    [state],
  );
  const columns = useMemo(() => (isAdmin ? [...PURCHASE_COLUMNS, actions(setDecided)] : PURCHASE_COLUMNS), [isAdmin]);
  const layout = useListLayout('purchases', columns);
  const seen = useSeenFile('purchases', source, layout.columns);
  return (
    <Screen title="nav.purchases">
      {isAdmin ? <Budget /> : <PurchasesState />}
      <h2 className="bp6-heading section-title">
        <T k="purchases.list" />
      </h2>
      <div className="list-line">
        <Chips<PurchaseState | ''>
          label={t('purchases.state')}
          chips={[
            { value: '', label: <T k="purchases.any" /> },
            ...PURCHASE_STATES.map((value) => ({ value, label: <T k={stateKey(value)} /> })),
          ]}
          value={state ?? ''}
          onChange={(next) => setView({ state: next })}
        />
        <ListTools layout={layout} fields={FIELDS} csv={seen} />
      </div>
      <DataTable
        oneLine
        height="page"
        label={t('purchases.list')}
        source={source}
        columns={layout.columns}
        density={layout.settings.density}
        isLoading={layout.isPending}
        failed="purchases.list_failed"
        empty={
          <EmptyList
            none="purchases.none"
            onReset={state && (() => setView({ state: '' }))}
            action={
              <Link className="bp6-button" to="/projects">
                <T k="purchases.to_projects" />
              </Link>
            }
          />
        }
      />
      {decided && <Decide key={decided.id} purchase={decided} onClose={() => setDecided(undefined)} />}
    </Screen>
  );
}
