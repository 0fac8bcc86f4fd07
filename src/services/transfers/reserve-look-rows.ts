import { execute, select } from '../../../db/index.ts';
import { EXPIRING_DAYS } from '../../shared/portfolio/expiry-day.ts';
import { DAY_MS } from '../../shared/time.ts';
import type { ReserveView } from '../../shared/transfers/reserve-states.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';
import { READY_RESERVES, soon } from '../purchases/reserve-rows.ts';

/**
 * Whether the last look at the domain of an alias shows that visitors get nothing by https, or are warned: no certificate was ever
 * seen, or it is none for that name, not trusted, or over. False for a domain without a look. Binds `$now`.
 */
export const isUnserved = (alias: string): string =>
  `EXISTS (SELECT 1 FROM certificates u WHERE u.domain_id = ${alias}.id AND u.domain_name = ${alias}.domain_name AND u.side = 'edge'
     AND (u.fault IS NOT NULL OR u.names_ok = 0 OR u.not_after <= $now OR (u.not_after IS NULL AND u.error IS NOT NULL)))`;

// The names that running moves have taken.
const TAKEN = `SELECT l.name FROM operations o JOIN operation_locks l ON l.operation_id = o.id
  WHERE o.kind = 'transfer' AND o.state IN ('queued', 'running') AND l.kind = 'domain'`;

/** Returns what `reserveState` binds: the time, and the CDN accounts that refuse their keys. */
export const stateTimes = (now: number, refused: readonly number[]) => ({
  now: new Date(now).toISOString(),
  soon: new Date(now + EXPIRING_DAYS * DAY_MS).toISOString(),
  day: new Date(now - DAY_MS).toISOString(),
  refused: JSON.stringify(refused),
});

/** Returns the SQL of the state of the reserve of an alias, a `ReserveState`; health is judged as `healthOf` does. Binds `stateTimes`. */
export const reserveState = (r: string): string => `CASE WHEN ${r}.status <> 'available' THEN 'blocked'
  WHEN ${r}.expired_at <= $soon THEN 'expiring' WHEN ${r}.domain_name IN (${TAKEN}) THEN 'busy'
  WHEN NOT COALESCE(${r}.http_status_code BETWEEN 200 AND 299, 1=0) THEN
    CASE WHEN ${r}.last_http_check_at < $day OR (${r}.http_status_code IS NULL AND ${r}.http_error IS NULL) THEN 'unchecked' ELSE 'broken' END
  WHEN ${r}.cloudflare_account_id IS NULL THEN 'unplaced'
  WHEN ${r}.cloudflare_account_id IN (SELECT CAST(value AS INTEGER) FROM json_each($refused)) THEN 'refused'
  WHEN ${isUnserved(r)} THEN 'unserved' ELSE 'ready' END`;

/** Returns the reserves of a project that an actor may see, but for one domain, each with its state. */
export const listReserveStates = (
  actor: Actor,
  project_id: number,
  but: number,
  times: ReturnType<typeof stateTimes>,
): Promise<ReserveView[]> =>
  select(
    `SELECT d.id, d.domain_name, d.unicode_name, d.transfer_type, d.status, d.http_status_code, d.http_error,
       d.last_http_check_at, d.expired_at, ${reserveState('d')} AS state
     FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE d.project_id = $project_id AND d.type = 'transfer' AND d.id <> $but AND ${VISIBLE.domains(actor)}`,
    { project_id, but, ...times, ...bindings(actor) },
  );

// A newer reserve may still wait for its first certificate.
const SETTLED_DAYS = 2;
const HAS_READY = `CASE WHEN
  (${READY_RESERVES} AND NOT (d.created_at < $settled AND ${isUnserved('d')})) = 0 THEN 0 ELSE 1 END`;
const times = () => {
  const now = Date.now();
  const settled = new Date(now - SETTLED_DAYS * DAY_MS).toISOString();
  return { soon: soon(), settled, now: new Date(now).toISOString() };
};

/** Notes for projects that were never looked at whether they have a ready reserve; `had`: for these alone, that they had one. */
export const insertReserveLooks = (had?: readonly number[]): Promise<unknown> =>
  execute(
    `INSERT INTO reserve_looks (project_id, ready) SELECT p.id, ${had ? '1' : HAS_READY} FROM projects p
     WHERE p.deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM reserve_looks r WHERE r.project_id = p.id)
       ${had ? 'AND p.id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))' : ''} ON CONFLICT (project_id) DO NOTHING`,
    had ? { ids: JSON.stringify(had) } : times(),
  );

/** A project that has lost its last ready reserve, or has one again; `mains`: its main domains. */
export interface ReserveChange {
  id: number;
  name: string;
  ready: 0 | 1;
  mains: number;
}

/** Brings what is noted up to date, of all projects or of `ids`, and returns those that differ. Only inside a transaction. */
export async function updateReserveLooks(ids?: readonly number[]): Promise<ReserveChange[]> {
  const some = ids ? 'AND p.id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))' : '';
  const changes = await select<ReserveChange>(
    `SELECT p.id, p.name, 1 - r.ready AS ready,
       (SELECT COUNT(*) FROM domains d WHERE d.project_id = p.id AND d.deleted_at IS NULL AND d.type = 'main') AS mains
     FROM reserve_looks r JOIN projects p ON p.id = r.project_id
     WHERE p.deleted_at IS NULL ${some} AND r.ready <> ${HAS_READY} ORDER BY p.id`,
    { ...times(), ...(ids && { ids: JSON.stringify(ids) }) },
  );
  if (changes.length > 0) {
    await execute(
      `UPDATE reserve_looks SET ready = 1 - ready WHERE project_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))`,
      { ids: JSON.stringify(changes.map(({ id }) => id)) },
    );
  }
  return changes;
}
