import { select } from '../../../db/index.ts';
import type { AuditRow } from '../../shared/audit/tables.ts';
import type { CheckRow } from '../../shared/checks/tables.ts';
import type { Engine } from '../../shared/engines.ts';
import type { OperationItemRow, OperationRow } from '../../shared/operations/tables.ts';
import type { PurchaseRow } from '../../shared/purchases/tables.ts';
import type { TransferHistoryRow } from '../../shared/transfers/tables.ts';
import { bindings, isAdmin, OWN, type Actor } from '../access/scope.ts';

/** Rows before a time, and at that time those with smaller numbers; the newest first. */
export interface Before {
  at: string;
  row: number;
  limit: number;
}

/** Rows of a source, with their places. */
export type Rows<T> = Promise<(T & { row: number; at: string })[]>;

/** Returns the rows of a statement with columns `at` and `row` that come before a place. */
export const before = <T>(rows: string, place: Before, bind: Record<string, unknown>): Rows<T> =>
  select(
    `SELECT s.* FROM (${rows}) AS s WHERE s.at < $at OR (s.at = $at AND s.row < $row)
     ORDER BY s.at DESC, s.row DESC LIMIT $limit`,
    { ...bind, ...place },
  );

/** A check whose verdict is another than that of the one before it; `former` null: the first that is kept. */
export type ChangeRow = Pick<CheckRow, 'verdict' | 'http_status_code' | 'ms' | 'detail'> & { former: string | null };

// A first look that finds a name free is no news.
const NEWS = { http: 'true', blocklist: `'blocked' IN (k.verdict, k.former)` } as const;

/** Returns the checks of a domain and kind that have changed its state. */
export const listChanges = (domain_id: number, kind: CheckRow['kind'], place: Before): Rows<ChangeRow> =>
  before(
    `SELECT * FROM (SELECT c.id AS row, COALESCE(c.since, c.checked_at) AS at, c.verdict, c.http_status_code, c.ms, c.detail,
       LAG(c.verdict) OVER (ORDER BY c.id) AS former
     FROM checks c WHERE c.domain_id = $domain_id AND c.kind = $kind) AS k WHERE k.verdict IS DISTINCT FROM k.former AND ${NEWS[kind]}`,
    place,
    { domain_id, kind },
  );

/** A move that a domain took part in. */
export type MoveRow = Pick<
  TransferHistoryRow,
  'main_domain_id' | 'main_domain_name' | 'transfer_domain_name' | 'action' | 'outcome' | 'redirect_seen_at'
> & { login: string | null; operation_id: number | null };

/** Returns the moves of a domain; who asked, and by which operation, for who may open that. */
export const listMoveRows = (actor: Actor, domain_id: number, place: Before): Rows<MoveRow> =>
  before(
    `SELECT h.id AS row, h.created_at AS at, h.main_domain_id, h.main_domain_name, h.transfer_domain_name, h.action, h.outcome, h.redirect_seen_at,
       o.id AS operation_id, u.login
     FROM transfer_history h LEFT JOIN operations o ON o.id = h.operation_id AND ${OWN.operations(actor)}
     LEFT JOIN users u ON u.id = o.user_id AND o.asked_by = 'person'
     WHERE h.main_domain_id = $domain_id OR h.transfer_domain_id = $domain_id`,
    place,
    { domain_id, ...bindings(actor) },
  );

/** Work of an operation on one thing. */
export type WorkRow = Pick<OperationRow, 'kind'> &
  Pick<OperationItemRow, 'state' | 'error'> & { login: string | null; operation_id: number };

/** The things of a domain that operations have worked on: locks of these kinds on a name or a part of it, since a time. */
export interface Worked {
  kinds: readonly string[];
  name: string;
  /** '' for the name itself, of which the parts count as well where the kind is not `dns`. */
  part: string;
  since: string;
  states: readonly OperationItemRow['state'][];
}

// Work that was done and given back since was done once.
const TOLD = `CASE WHEN i.state = 'cancelled' AND i.acts LIKE '%"state":"undone"%' THEN 'done' ELSE i.state END`;

/** Returns what the operations of an actor's have done to a thing. */
export const listWork = (actor: Actor, { kinds, states, ...worked }: Worked, place: Before): Rows<WorkRow> =>
  before(
    `SELECT i.id AS row, i.changed_at AS at, o.kind, ${TOLD} AS state, i.error, o.id AS operation_id, u.login
     FROM operation_items i JOIN operations o ON o.id = i.operation_id
     LEFT JOIN users u ON u.id = o.user_id AND o.asked_by = 'person'
     WHERE i.lock_name = $name AND (i.lock_part = $part OR ($part = '' AND i.lock_kind <> 'dns'))
       AND i.lock_kind IN (SELECT value FROM json_each($kinds)) AND ${TOLD} IN (SELECT value FROM json_each($states))
       AND o.created_at >= $since AND ${OWN.operations(actor)}`,
    place,
    { ...worked, kinds: JSON.stringify(kinds), states: JSON.stringify(states), ...bindings(actor) },
  );

/** A purchase or a renewal. */
export type BoughtRow = Pick<
  PurchaseRow,
  'kind' | 'state' | 'registrar_type' | 'currency' | 'price' | 'charged' | 'years'
> & {
  login: string | null;
  operation_id: number | null;
};

/** Returns the purchases of a domain that an actor may see: those of his projects, and those that he pays for. */
export const listBought = (actor: Actor, domain_id: number, place: Before): Rows<BoughtRow> =>
  before(
    `SELECT x.id AS row, x.changed_at AS at, x.kind, x.state, x.registrar_type, x.currency, x.price, x.charged, x.years,
       o.id AS operation_id, u.login
     FROM purchases x LEFT JOIN projects p ON p.id = x.project_id
     LEFT JOIN operations o ON o.id = x.operation_id AND ${OWN.operations(actor)}
     LEFT JOIN users u ON u.id = x.asker_id AND x.asked_by = 'person'
     WHERE x.domain_id = $domain_id AND x.state <> 'simulated'
       AND ${isAdmin(actor) ? 'true' : 'COALESCE(p.user_id, x.user_id) = $actor'}`,
    place,
    { domain_id, ...bindings(actor) },
  );

/** When an engine took a domain into its index, or dropped it. */
export interface IndexRow {
  engine: Engine;
  indexed: 0 | 1;
  former: 0 | 1 | null;
}

/** Returns when the engines have changed their minds about a domain. */
export const listIndexRows = (domain_id: number, place: Before): Rows<IndexRow> =>
  before(
    `SELECT CASE WHEN g.engine = 'yandex' THEN 2 ELSE 1 END AS row, g.since AS at, g.engine, g.indexed,
       LAG(g.indexed) OVER (PARTITION BY g.engine ORDER BY g.since) AS former
     FROM indexation_spans g WHERE g.domain_id = $domain_id`,
    place,
    { domain_id },
  );

/** The places of a domain on a day in an engine, against the reading before: queries that rose, that fell, and those in the first ten. */
export interface PlacesRow {
  engine: Engine;
  rose: number;
  fell: number;
  top: number;
}

/**
 * Returns the days from `from` on (days since 1970) on which a domain's places have moved. A query is compared with its own
 * reading before; a place that was not found counts as the last of all.
 */
export const listPlaceRows = (domain_id: number, project_id: number, from: number, place: Before): Rows<PlacesRow> =>
  before(
    `SELECT CASE WHEN m.engine = 'yandex' THEN 2 ELSE 1 END AS row, max(m.checked_at) AS at, m.engine,
       count(*) FILTER (WHERE m.place < m.former) AS rose, count(*) FILTER (WHERE m.place > m.former) AS fell,
       count(*) FILTER (WHERE m.place <= 10) AS top
     FROM (SELECT q.engine, s.day, s.checked_at, COALESCE(x.place, 1000) AS place,
         LAG(COALESCE(x.place, 1000)) OVER (PARTITION BY s.query_id ORDER BY s.day) AS former
       FROM keywords k JOIN search_queries q ON q.keyword_id = k.id JOIN search_days s ON s.query_id = q.id
       LEFT JOIN positions x ON x.query_id = s.query_id AND x.day = s.day AND x.domain_id = $domain_id
       WHERE k.project_id = $project_id AND s.day >= $from) AS m
     GROUP BY m.engine, m.day HAVING count(*) FILTER (WHERE m.place <> m.former) > 0`,
    place,
    { domain_id, project_id, from },
  );

/** A decision about the row of a domain. */
export type LogRow = Pick<AuditRow, 'action' | 'login' | 'door' | 'after' | 'outcome'>;

/** Returns the decisions about the row of a domain; for administrators alone, whom the caller has to be. */
export const listLogRows = (object_id: number, place: Before): Rows<LogRow> =>
  before(
    `SELECT a.id AS row, a.at, a.action, a.login, a.door, a.after, a.outcome FROM audit a
     WHERE a.object = 'domains' AND a.object_id = $object_id`,
    place,
    { object_id },
  );
