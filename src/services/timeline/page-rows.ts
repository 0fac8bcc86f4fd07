import { select } from '../../../db/index.ts';
import { bindings, OWN, type Actor } from '../access/scope.ts';

// When a domain got its name, as far as that is kept: what was found before is about a former one.
const NAMED_AT = `(SELECT max(a.at) FROM audit a WHERE a.object = 'domains' AND a.object_id = $domain_id
  AND a.action = 'update' AND a.after ->> 'domain_name' IS NOT NULL)`;

/**
 * Returns since when the newest checks of a kind are not of these verdicts, as far as they are kept; null: the newest is, or the name
 * is newer.
 */
async function sinceOther(domain_id: number, kind: 'http' | 'blocklist', isWell: string): Promise<string | null> {
  const [row] = await select<{ since: string | null }>(
    `SELECT min(COALESCE(c.since, c.checked_at)) AS since FROM checks c
     WHERE c.domain_id = $domain_id AND c.kind = '${kind}' AND c.checked_at >= COALESCE(${NAMED_AT}, '') AND c.id > COALESCE(
       (SELECT max(w.id) FROM checks w WHERE w.domain_id = $domain_id AND w.kind = '${kind}' AND ${isWell}), 0)`,
    { domain_id },
  );
  return row?.since ?? null;
}

/** Returns since when a domain is blocked by its checks; null: it is not. */
export const findBlockedSince = (domain_id: number): Promise<string | null> =>
  sinceOther(domain_id, 'blocklist', `w.verdict <> 'blocked'`);

/** Returns since when a domain gives no good answer by its checks; null: it does. */
export const findBrokenSince = (domain_id: number): Promise<string | null> =>
  sinceOther(domain_id, 'http', 'w.http_status_code BETWEEN 200 AND 299');

/** A running operation that moves a domain; `is_own`: the actor may open it. */
export interface MovingRow {
  id: number;
  is_own: 0 | 1;
}

/** Returns the running operation that moves a domain of an actor's, whoever has begun it; undefined: there is none. */
export async function findMoving(actor: Actor, domain_name: string): Promise<MovingRow | undefined> {
  const [row] = await select<MovingRow>(
    `SELECT o.id, CASE WHEN ${OWN.operations(actor)} THEN 1 ELSE 0 END AS is_own
     FROM operations o JOIN operation_items i ON i.operation_id = o.id
     WHERE o.kind = 'transfer' AND o.state IN ('queued', 'running') AND i.lock_kind = 'transfer'
       AND i.lock_name = $domain_name ORDER BY o.id DESC LIMIT 1`,
    { domain_name, ...bindings(actor) },
  );
  return row;
}
