// The items of the triage: a text and one act for each kind of thing that needs somebody.
import { isKey, type Key, type Message } from '../../shared/i18n/index.ts';
import { dayOf, expiryDay, nearnessOf } from '../../shared/portfolio/expiry-day.ts';
import type { PurchaseView } from '../../shared/purchases/purchases.ts';
import type { PurchaseState } from '../../shared/purchases/states.ts';
import type { TriageAct, TriageItem, TriageName } from '../../shared/triage/triage.ts';
import type { WaitingRow } from './past-rows.ts';
import type { BlockedRow, EndingRow } from './rows.ts';

/** An item before it is put into words. */
export type Item = TriageItem<Message>;

const nameOf = ({ id, domain_name, unicode_name, project_name }: TriageName): TriageName => ({
  id,
  domain_name,
  unicode_name,
  project_name,
});

const plain = { cause: null, title: null, declined: null, price: null } as const;

/** Whether a look outside has found of the reserves what is not stored: they were declined though they are ready by what is. */
const isDoubted = ({ transfer_type, declined }: BlockedRow): boolean =>
  transfer_type === 'auto' &&
  declined !== null &&
  /^auto_transfer\.(?:all_|none_ready)/.test((JSON.parse(declined) as Message).key);

function whyBlocked(row: BlockedRow): Message {
  const { project_id, reserves, ready, mains, target, is_alone, has_site, declined } = row;
  if (project_id === null) return { key: 'triage.no_project' };
  if (reserves === 0) return { key: 'triage.no_reserves' };
  if (ready === 0) return { key: 'triage.none_ready', params: { n: reserves } };
  if (target === null) return { key: 'triage.none_left', params: { n: ready, mains } };
  // A site that is not made here moves by itself only where a look finds it at the reserve.
  const alone = has_site === 1 ? 'auto' : 'auto_alike';
  const how = isDoubted(row) ? 'doubted' : is_alone === 1 && declined === null ? alone : 'manual';
  return { key: `triage.target_${how}`, params: { target } };
}

function actOnBlocked({ id, project_id, reserves, target_id }: BlockedRow): TriageAct {
  if (project_id === null) return { kind: 'domain', id };
  return reserves === 0 ? { kind: 'buy', project_id } : { kind: 'transfer', id, target_id };
}

/** A blocked main domain, and what moves it. */
export const blockedItem = (row: BlockedRow): Item => ({
  ...plain,
  key: `blocked:${row.id}`,
  kind: row.target_id === null ? 'no_reserve' : 'blocked',
  names: [nameOf(row)],
  count: 1,
  text: whyBlocked(row),
  declined:
    row.declined !== null && row.transfer_type === 'auto' && row.target_id !== null
      ? (JSON.parse(row.declined) as Message)
      : null,
  act: actOnBlocked(row),
  since: row.since,
});

/** Returns the item of the ending names of one registrar, `rows` in the order of their ends. A name that ends today has not ended. */
export function endingItem(rows: readonly EndingRow[], now: number): Item {
  const [first] = rows as [EndingRow];
  const today = dayOf(now);
  const isOver = (row: EndingRow): boolean => nearnessOf(expiryDay(row), today) === 'past';
  const over = rows.filter(isOver).length;
  const day = expiryDay(first);
  const some: Message[] = first.n > 1 && over > 0 ? [{ key: 'triage.ended_some', params: { n: over } }] : [];
  const act: TriageAct =
    first.registrars_id !== null
      ? { kind: 'renew', ids: rows.map(({ id }) => id) }
      : first.n === 1
        ? { kind: 'domain', id: first.id }
        : { kind: 'list', list: 'expired' };
  return {
    ...plain,
    key: `ends:${first.registrars_id ?? ''}`,
    kind: 'ends',
    cause: first.registrar === null ? null : { kind: 'registrar', name: first.registrar, of: first.n },
    names: rows.slice(0, 2).map(nameOf),
    count: first.n,
    text: {
      key: isOver(first) ? 'triage.ended_on' : 'triage.ends_on',
      params: { day },
      also: some,
    },
    act,
    since: first.expired_at,
  };
}

const PURCHASE_TEXTS: Partial<Record<PurchaseState, Key>> = {
  awaiting_approval: 'triage.approval',
  committed: 'triage.charge_unseen',
};

/** A purchase that an administrator has to decide on. */
export const purchaseItem = (purchase: PurchaseView): Item => ({
  ...plain,
  key: `purchase:${purchase.id}`,
  kind: 'purchase',
  names: [],
  count: 0,
  title: { key: `triage.purchase_${purchase.kind}`, params: { name: purchase.domain_name } },
  text: { key: PURCHASE_TEXTS[purchase.state] ?? 'triage.order_open' },
  price: { amount: purchase.price, currency: purchase.currency },
  act: { kind: 'purchase', state: purchase.state },
  since: purchase.created_at,
});

function titleOf({ id, kind }: WaitingRow): Message {
  const name = `operation.kind_${kind}`;
  const params = { id: String(id) };
  return isKey(name) ? { key: 'triage.operation', params, words: { name } } : { key: 'triage.operation_other', params };
}

/** Work that waits for a person. */
export const operationItem = (row: WaitingRow): Item => ({
  ...plain,
  key: `operation:${row.id}`,
  kind: 'operation',
  names: [],
  count: 0,
  title: titleOf(row),
  text: JSON.parse(row.message) as Message,
  act: { kind: 'operation', id: row.id, of: row.kind },
  since: row.ended_at,
});
