import type { NewAuditRow } from '../../../db/audit-chain.ts';
import type { OperationState } from '../../shared/operations.ts';
import { DEMO_USERS } from '../../shared/demo.ts';
import { PROJECTS } from '../team.ts';
import type { Move } from './moves.ts';
import { before, HOUR_MS, iso, MINUTE_MS, PAST_DAYS, pick, type Domain, type Row } from './time.ts';
import { endOf, isAutomatic, type Numbered } from './work.ts';

/** A row of the log before it is in the chain. */
export type Logged = Omit<NewAuditRow, 'before' | 'after'> & { before: object | null; after: object | null };

type Said = Pick<Logged, 'action' | 'object'> & Partial<Logged>;

// Addresses that are reserved for documentation (RFC 5737).
const ADDRESSES = ['203.0.113.24', '198.51.100.77'];
const OUTCOMES: Partial<Record<OperationState, Logged['outcome']>> = {
  partial: 'partial',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** Makes a row; without a user the program itself has acted. */
function row(at: number, user: number | null, said: Said): Logged {
  const login = user === null ? 'system' : (DEMO_USERS[user - 1]?.login ?? '');
  return {
    at: iso(at),
    user_id: user,
    login,
    door: 'ui',
    call: '',
    address: user === null ? null : (ADDRESSES[user - 1] ?? null),
    operation_id: null,
    object_id: null,
    object_ids: null,
    object_name: null,
    before: null,
    after: null,
    outcome: 'done',
    ...said,
  };
}

/** The begin and the end of a work. */
function workRows(work: Numbered): Logged[] {
  const { id, kind, subject, user, door, call, state, items, total, done, failed } = work;
  const about = { object: 'operations', object_id: id, object_name: kind };
  return [
    row(work.at, user, { action: 'start', ...about, door, call, after: { subject, items: items.length } }),
    ...(state === 'cancelled'
      ? [
          row((work.at + endOf(work)) / 2, user, {
            action: 'cancel',
            ...about,
            call: 'POST /api/operations/:id/cancel',
            after: { subject },
          }),
        ]
      : []),
    row(endOf(work), user, {
      action: 'finish',
      ...about,
      door: 'operation',
      call: kind,
      address: null,
      operation_id: id,
      after: { subject, total, done, failed },
      outcome: OUTCOMES[state] ?? 'done',
    }),
  ];
}

/** The exchange of two domains in a move. */
const moveRow = ({ from, to, at }: Move, work: Numbered | undefined): Logged =>
  row(at, work?.user ?? null, {
    action: 'transfer',
    object: 'domains',
    object_ids: JSON.stringify([from.id, to.id]),
    object_name: to.domain_name,
    door: 'operation',
    call: 'transfer',
    address: null,
    operation_id: work?.id ?? null,
    before: { main: from.domain_name },
    after: { main: to.domain_name },
  });

/** The purchases, as they end. */
const purchaseRow = (purchase: Row): Logged =>
  row(Date.parse(String(purchase['changed_at'])), Number(purchase['user_id']), {
    action: 'update',
    object: 'purchases',
    object_id: Number(purchase['id']),
    object_name: String(purchase['domain_name']),
    door: 'operation',
    call: purchase['kind'] === 'renew' ? 'renew' : 'buy_reserve',
    address: null,
    operation_id: Number(purchase['operation_id']),
    before: { state: 'reserved', order_id: null, charged: null },
    after: { state: purchase['state'], order_id: purchase['order_id'], charged: purchase['charged'] },
  });

/** Signing in on workdays, in the morning. */
function signIns(now: Date): Logged[] {
  return Array.from({ length: PAST_DAYS - 1 }, (_, at) => PAST_DAYS - 1 - at).flatMap((ago) => {
    const day = before(now, ago);
    const weekday = new Date(day).getUTCDay();
    if (weekday === 0 || weekday === 6) return [];
    return DEMO_USERS.flatMap(({ login }, index) => {
      if (pick(3, ago, index) === 0) return [];
      const at = Math.floor(day / (24 * HOUR_MS)) * 24 * HOUR_MS + 6 * HOUR_MS + pick(150, ago, index, 1) * MINUTE_MS;
      const said = { object: 'users', object_id: index + 1, object_name: login } as const;
      return [row(at, index + 1, { action: 'sign_in', ...said, call: 'POST /api/login' })];
    });
  });
}

/** Edits by hand. `after` is the stored value: another one would contradict the portfolio. */
function edits(domains: readonly Domain[], now: Date): Logged[] {
  const domainEdits = domains.slice(30, 110).flatMap((domain, turn) => {
    if (pick(4, domain.id, 9) !== 0) return [];
    const { id, domain_name, user_id, transfer_type, transfer_dns } = domain;
    const isType = turn % 2 === 0;
    const former = isType
      ? { transfer_type: transfer_type === 'auto' ? 'manual' : 'auto' }
      : { transfer_dns: transfer_dns === 'on' ? 'off' : 'on' };
    const about = { object: 'domains', object_id: id, object_name: domain_name };
    return [
      row(before(now, 2 + pick(850, id, 10) / 10), user_id, {
        action: 'update',
        ...about,
        call: 'PUT /api/domains/:id',
        before: former,
        after: isType ? { transfer_type } : { transfer_dns },
      }),
    ];
  });
  const settings = { call: 'PUT /api/position_settings/:id', object: 'position_settings' };
  const projectEdits = PROJECTS.map(({ user_id, name }, index) =>
    row(before(now, 88 - index * 9.4), user_id, {
      action: 'update',
      ...settings,
      object_id: index + 1,
      object_name: name,
      before: { depth: 30 },
      after: { depth: 50 },
    }),
  );
  return [...domainEdits, ...projectEdits];
}

/** A reserve that was bought came into the portfolio by its purchase. */
const bornRow = ({ id, domain_name, user_id, project_id, created_at }: Domain): Logged =>
  row(Date.parse(created_at) + 2_000, user_id, {
    action: 'create',
    object: 'domains',
    object_id: id,
    object_name: domain_name,
    door: 'operation',
    call: 'buy_reserve',
    address: null,
    after: { domain_name, user_id, project_id, type: 'transfer' },
  });

/** Sources of the log's rows. */
interface Told {
  works: readonly Numbered[];
  moves: readonly { move: Move; work: Numbered | undefined }[];
  purchases: readonly Row[];
  bought: readonly Domain[];
}

/** Returns the rows of the log in their order. Of scheduled work it has the last seven days, of transfers all. */
export function logOf(domains: readonly Domain[], { works, moves, purchases, bought }: Told, now: Date): Logged[] {
  const rows = [
    ...works
      .filter((work) => !isAutomatic(work) || work.kind === 'transfer' || work.at > before(now, 7))
      .flatMap(workRows),
    ...moves.filter(({ move }) => move.at > before(now, PAST_DAYS)).map(({ move, work }) => moveRow(move, work)),
    ...purchases.map(purchaseRow),
    ...bought.map(bornRow),
    ...signIns(now),
    ...edits(domains, now),
  ];
  const latest = iso(now.getTime());
  return rows
    .filter(({ at }) => at < latest)
    .toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}
