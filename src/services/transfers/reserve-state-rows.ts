// The state of reserves by what is stored: one rule for the pages of domains and projects and for the triage.
import { select } from '../../../db/index.ts';
import { EXPIRING_DAYS } from '../../shared/portfolio/expiry-day.ts';
import { DAY_MS } from '../../shared/time.ts';
import type { ReserveView } from '../../shared/transfers/reserve-states.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';
import { isUnserved } from './reserve-look-rows.ts';

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
