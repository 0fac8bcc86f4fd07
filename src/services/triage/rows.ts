import { select } from '../../../db/index.ts';
import type { DomainRow } from '../../shared/portfolio/tables.ts';
import { MOST_RENEWED } from '../../shared/purchases/renewal-sums.ts';
import type { TriageName } from '../../shared/triage/triage.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';
import { filters } from '../portfolio/filters.ts';
import { isLivePurchase } from '../purchases/rows.ts';
import { isOvertaken } from '../transfers/decision-rows.ts';
import { isFreeLately, RESTING } from '../transfers/fact-rows.ts';
import { reserveState, stateTimes } from '../transfers/reserve-look-rows.ts';

const NAME = 'd.id, d.domain_name, d.unicode_name, p.name AS project_name';
const FROM = 'domains d LEFT JOIN projects p ON p.id = d.project_id';

// The moves that are under way, by the names that they leave.
const MOVING = `SELECT i.lock_name FROM operations o JOIN operation_items i ON i.operation_id = o.id
  WHERE o.kind = 'transfer' AND o.state IN ('queued', 'running') AND i.state IN ('queued', 'intent') AND i.lock_kind = 'transfer'`;
// A block began with the first "blocked" look after the last other one.
const BLOCKED_SINCE = `(SELECT min(COALESCE(c.since, c.checked_at)) FROM checks c WHERE c.domain_id = b.id AND c.kind = 'blocklist' AND c.verdict = 'blocked'
  AND c.id > COALESCE((SELECT max(id) FROM checks WHERE domain_id = b.id AND kind = 'blocklist' AND verdict <> 'blocked'), 0))`;
// Of more than these, those with the lowest ids are looked at.
const MOST_LOOKED_AT = 250;

/**
 * A blocked main domain that nothing moves yet, with the numbers of its reserves and of those that are ready, the one of these that it gets in turn, whether it will move there by
 * itself, as far as is stored (`is_alone`), with a site that is made here (`has_site`), and why automatic transfer has declined it (a Message as JSON). `mains` of its project are blocked. `total`
 * and `bare` count all of them, and those for whom no reserve is ready.
 */
export type BlockedRow = TriageName &
  Pick<DomainRow, 'project_id' | 'transfer_type'> & {
    reserves: number;
    ready: number;
    mains: number;
    target_id: number | null;
    target: string | null;
    is_alone: 0 | 1;
    has_site: 0 | 1;
    declined: string | null;
    since: string | null;
    total: number;
    bare: number;
  };

// Main domains take their turns as automatic transfer does, and reserves are ordered as it prefers them; a reserve is offered to one of them.
const IN_TURN = `
  looked AS (
    SELECT r.id, r.project_id, r.transfer_type, r.expired_at, ${reserveState('r')} AS state, CASE WHEN r.id IN (${RESTING}) THEN 1 ELSE 0 END AS rests
    FROM domains r WHERE r.deleted_at IS NULL AND r.type = 'transfer' AND r.project_id IN (SELECT project_id FROM blocked)),
  numbers AS (
    SELECT project_id, count(*) AS reserves, count(*) FILTER (WHERE state = 'ready') AS ready,
      count(*) FILTER (WHERE state = 'ready' AND transfer_type = 'auto' AND rests = 0) AS alone FROM looked GROUP BY project_id),
  fit AS (
    SELECT l.*, row_number() OVER (PARTITION BY project_id ORDER BY transfer_type, rests, expired_at DESC NULLS LAST, id) AS turn
    FROM looked l WHERE state = 'ready'),
  waiting AS (
    SELECT b.*, row_number() OVER (PARTITION BY project_id ORDER BY transfer_type, id) AS turn, count(*) OVER (PARTITION BY project_id) AS mains FROM blocked b),
  counted AS (
    SELECT w.*, COALESCE(n.reserves, 0) AS reserves, COALESCE(n.ready, 0) AS ready, f.id AS target_id, CASE WHEN f.id IS NULL THEN 1 ELSE 0 END AS is_bare,
      CASE WHEN w.transfer_type = 'auto' AND f.transfer_type = 'auto' AND f.rests = 0 AND (w.last_reserve = 'on' OR n.alone > w.turn) THEN 1 ELSE 0 END AS may_move
    FROM waiting w LEFT JOIN numbers n ON n.project_id = w.project_id LEFT JOIN fit f ON f.project_id = w.project_id AND f.turn = w.turn)`;

/** Returns blocked main domains of an actor's, the longest blocked first: `limit` for whom no reserve is ready, then as many that have one. `refused`: CDN accounts. */
export const listBlocked = (
  actor: Actor,
  now: number,
  limit: number,
  refused: readonly number[],
): Promise<BlockedRow[]> => {
  const times = stateTimes(now, refused);
  return select(
    `WITH blocked AS (
       SELECT ${NAME}, d.project_id, d.transfer_type, p.last_reserve FROM ${FROM}
       WHERE ${VISIBLE.domains(actor)} AND d.status = 'blocked' AND d.type = 'main' AND d.domain_name NOT IN (${MOVING})),
     ${IN_TURN},
     placed AS (
       SELECT c.*, count(*) OVER () AS total, sum(is_bare) OVER () AS bare, row_number() OVER (PARTITION BY is_bare ORDER BY c.id) AS place FROM counted c),
     dated AS (SELECT b.*, ${BLOCKED_SINCE} AS since FROM placed b WHERE b.place <= ${MOST_LOOKED_AT}),
     ordered AS (SELECT b.*, row_number() OVER (PARTITION BY is_bare ORDER BY b.since NULLS LAST, b.id) AS rank FROM dated b)
     SELECT b.id, b.domain_name, b.unicode_name, b.project_name, b.project_id, b.transfer_type, b.reserves, b.ready, b.mains, b.target_id, r.unicode_name AS target,
       CASE WHEN b.may_move = 1 AND NOT COALESCE(${isFreeLately('r')}, 1=0) AND NOT EXISTS (SELECT 1 FROM transfer_stops x WHERE x.ended_at IS NULL)
         THEN 1 ELSE 0 END AS is_alone,
       CASE WHEN EXISTS (SELECT 1 FROM sites x WHERE x.domain_id IN (b.id, r.id)) THEN 1 ELSE 0 END AS has_site,
       (SELECT CASE WHEN t.decision = 'declined' AND NOT ${isOvertaken('b')} THEN t.reason END FROM transfer_decisions t
        WHERE t.domain_id = b.id ORDER BY t.id DESC LIMIT 1) AS declined, b.since, b.total, b.bare
     FROM ordered b LEFT JOIN domains r ON r.id = b.target_id WHERE b.rank <= $limit ORDER BY b.is_bare DESC, b.rank`,
    { ...times, since: times.day, limit, ...bindings(actor) },
  );
};

// A blocked main domain has a line of its own: it is not told again as silent.
const down = (): string => `${filters().broken} AND NOT (d.status = 'blocked' AND d.type = 'main')`;

/**
 * Names that have server, account and broken layer in common: how many, and of those that are `down` the number, the first, the last and since when.
 */
export interface DownBucket {
  server_id: number | null;
  server: string | null;
  account_id: number | null;
  account: string | null;
  layer: string | null;
  all: number;
  down: number;
  first_id: number | null;
  last_id: number | null;
  since: string | null;
}

/**
 * Returns all domains of an actor's in buckets by what could be the cause where they do not answer. All are
 * counted by their places alone, and those that are down found by the index `domains_silent`.
 */
export const listDownBuckets = (actor: Actor): Promise<DownBucket[]> =>
  select(
    `WITH silent AS (
       SELECT d.server_id, d.cloudflare_account_id, w.broken, count(*) AS down, min(d.id) AS first_id, max(d.id) AS last_id, min(o.since) AS since
       FROM ${FROM} LEFT JOIN diagnoses w ON w.domain_id = d.id AND w.domain_name = d.domain_name LEFT JOIN domain_outages o ON o.domain_id = d.id
       WHERE ${VISIBLE.domains(actor)} AND ${down()} GROUP BY d.server_id, d.cloudflare_account_id, w.broken),
     buckets AS (
       SELECT d.server_id, d.cloudflare_account_id, NULL AS broken, count(*) AS "all", 0 AS down, NULL AS first_id, NULL AS last_id, NULL AS since
       FROM ${FROM} WHERE ${VISIBLE.domains(actor)} GROUP BY d.server_id, d.cloudflare_account_id
       UNION ALL SELECT server_id, cloudflare_account_id, broken, 0, down, first_id, last_id, since FROM silent)
     SELECT b.server_id, s.name AS server, b.cloudflare_account_id AS account_id, a.name AS account, b.broken AS layer, b."all", b.down, b.first_id,
       b.last_id, b.since
     FROM buckets b LEFT JOIN servers s ON s.id = b.server_id LEFT JOIN cloudflare_accounts a ON a.id = b.cloudflare_account_id
     ORDER BY b.server_id NULLS LAST, b.cloudflare_account_id NULLS LAST, b.broken NULLS FIRST`,
    bindings(actor),
  );

/** Returns how many domains of an actor's need somebody: they do not answer, are blocked main domains, or end. */
export async function countTroubled(actor: Actor): Promise<number> {
  const { broken, blocked, expired } = filters();
  // Each of the conditions has an index; in one condition with OR they would be asked of every row.
  const those = [broken, `${blocked} AND d.type = 'main'`, `d.expired_at IS NOT NULL AND ${expired}`].map(
    (condition) => `SELECT d.id FROM ${FROM} WHERE ${VISIBLE.domains(actor)} AND ${condition}`,
  );
  const [row] = await select<{ n: number }>(
    `SELECT count(*) AS n FROM (${those.join(' UNION ')}) troubled`,
    bindings(actor),
  );
  return row?.n ?? 0;
}

/** A cause by its kind and id, or the broken layer. */
export interface DownCause {
  servers: number[];
  accounts: number[];
  layers: string[];
}

/** A domain that does not answer, as its last look has it. */
export type DownRow = TriageName &
  Pick<DomainRow, 'http_status_code' | 'http_error'> & { layer: string | null; since: string | null };

const SILENT_SINCE = `COALESCE(o.since, (SELECT COALESCE(c.since, c.checked_at) FROM checks c WHERE c.domain_id = d.id AND c.kind = 'http' ORDER BY c.id DESC LIMIT 1))`;

/** Returns the domains of an actor's that do not answer and have none of the causes: main ones first, then by id. */
export const listDownAlone = (actor: Actor, but: DownCause, limit: number): Promise<DownRow[]> =>
  select(
    `SELECT ${NAME}, d.http_status_code, d.http_error, w.broken AS layer, ${SILENT_SINCE} AS since
     FROM ${FROM} LEFT JOIN diagnoses w ON w.domain_id = d.id AND w.domain_name = d.domain_name LEFT JOIN domain_outages o ON o.domain_id = d.id
     WHERE ${VISIBLE.domains(actor)} AND ${down()}
       AND (d.server_id IS NULL OR d.server_id NOT IN (SELECT CAST(value AS INTEGER) FROM json_each($servers)))
       AND (d.cloudflare_account_id IS NULL OR d.cloudflare_account_id NOT IN (SELECT CAST(value AS INTEGER) FROM json_each($accounts)))
       AND (w.broken IS NULL OR w.broken NOT IN (SELECT value FROM json_each($layers)))
     ORDER BY d.type, d.id LIMIT $limit`,
    {
      servers: JSON.stringify(but.servers),
      accounts: JSON.stringify(but.accounts),
      layers: JSON.stringify(but.layers),
      limit,
      ...bindings(actor),
    },
  );

/** Returns the names of domains that an actor may see, by id. */
export const listNames = (actor: Actor, ids: readonly number[]): Promise<TriageName[]> =>
  select(
    `SELECT ${NAME} FROM ${FROM} WHERE ${VISIBLE.domains(actor)} AND d.id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids)) ORDER BY d.id`,
    { ids: JSON.stringify(ids), ...bindings(actor) },
  );

const CAUSES = {
  server: 'd.server_id = $id',
  account: 'd.cloudflare_account_id = $id',
  domain: 'd.id = $id',
  layer:
    'EXISTS (SELECT 1 FROM diagnoses w WHERE w.domain_id = d.id AND w.domain_name = d.domain_name AND w.broken = $layer)',
};

export type DownKind = keyof typeof CAUSES;

/** Returns the ids of the domains of an actor's that do not answer and have a cause. */
export const listDownIds = (
  actor: Actor,
  kind: DownKind,
  id: number | string,
  limit: number,
): Promise<{ id: number }[]> =>
  select(
    `SELECT d.id FROM ${FROM} WHERE ${VISIBLE.domains(actor)} AND ${down()} AND ${CAUSES[kind]} ORDER BY d.id LIMIT $limit`,
    {
      [kind === 'layer' ? 'layer' : 'id']: id,
      limit,
      ...bindings(actor),
    },
  );

/** A registration that ends, with its registrar; `n` names of that registrar do, of which `place` counts them by their end. */
export type EndingRow = TriageName &
  Pick<DomainRow, 'registrars_id'> & { expired_at: string; registrar: string | null; n: number; place: number };

/**
 * Returns the registrations of an actor's that end within thirty days or have ended, and are not being renewed: of each registrar as many as are
 * renewed at once.
 */
export const listEnding = (actor: Actor): Promise<EndingRow[]> =>
  select(
    `SELECT * FROM (
       SELECT ${NAME}, d.registrars_id, d.expired_at, r.name AS registrar, count(*) OVER (PARTITION BY d.registrars_id) AS n,
         row_number() OVER (PARTITION BY d.registrars_id ORDER BY d.expired_at, d.id) AS place
       FROM ${FROM} LEFT JOIN registrars r ON r.id = d.registrars_id
       WHERE ${VISIBLE.domains(actor)} AND d.expired_at IS NOT NULL AND ${filters().expired}
         AND NOT EXISTS (SELECT 1 FROM purchases b WHERE b.domain_name = d.domain_name AND ${isLivePurchase('b')})) e
     WHERE e.place <= ${MOST_RENEWED} ORDER BY e.expired_at, e.id`,
    bindings(actor),
  );
