import { Button } from '@blueprintjs/core';
import type { Key } from '../../src/shared/i18n/index.ts';
import { OPEN_STATES, type PurchaseView } from '../../src/shared/purchases/purchases.ts';
import { toUnicode } from '../../src/shared/portfolio/domain-name.ts';
import type { PurchaseState } from '../../src/shared/purchases/states.ts';
import { useFormats, useT } from '../kit/language.ts';
import { NoData, Status, type State } from '../kit/Status.tsx';
import { Message, T } from '../kit/T.tsx';
import type { Column } from '../kit/table/DataTable.tsx';
import { DateTime } from '../kit/table/DateTime.tsx';
import './Purchases.css';

/** A purchase as it is read, its messages in the reader's language. */
export type Purchase = PurchaseView<string>;

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

/** Returns the key of a state's word. */
export const stateKey = (state: PurchaseState): Key => `purchases.state_${state}`;

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

/** The columns of a list of purchases, without decisions. */
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
    line: 2,
    width: 104,
    priority: 7,
    header: 'purchases.kind',
    fields: ['kind'],
    cell: ({ kind }) => <T k={`purchases.kind_${kind}`} />,
  },
  {
    id: 'price',
    line: 2,
    width: 112,
    priority: 1,
    header: 'purchases.price',
    fields: ['price', 'charged', 'currency'],
    cell: (purchase) => <Price purchase={purchase} />,
  },
  {
    id: 'until',
    width: 192,
    priority: 3,
    header: 'purchases.until',
    fields: ['expires_day', 'renewed_day'],
    cell: (purchase) => <Until purchase={purchase} />,
  },
  {
    id: 'registrar',
    line: 3,
    width: 126,
    grow: 1,
    priority: 6,
    header: 'purchases.registrar',
    fields: ['registrar_name', 'registrar_type'],
    cell: ({ registrar_name, registrar_type }) => (
      <span translate="no" title={registrar_name ?? registrar_type}>
        {registrar_name ?? registrar_type}
      </span>
    ),
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
    line: 3,
    width: 148,
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
    width: 112,
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

/** Returns the column of what an administrator decides; `decide` gets the purchase whose button was pressed. */
export const decisionColumn = (decide: (purchase: Purchase) => void): Column<Purchase> => ({
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
