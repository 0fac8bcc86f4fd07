import { select } from '../../../db/index.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';
import { IN_MOSCOW } from './filters.ts';

/** The number of an actor's registrations that end in an hour (`2027-02-13T21`); `hour` null: nobody knows when. */
export interface EndingRow {
  hour: string | null;
  in_moscow: 0 | 1;
  count: number;
}

/** Counts an actor's domains by the hour in which their registration ends, and by whether their registry's day is Moscow's. */
export const countEndings = (actor: Actor): Promise<EndingRow[]> =>
  select(
    `SELECT substr(d.expired_at, 1, 13) AS hour, CASE WHEN ${IN_MOSCOW} THEN 1 ELSE 0 END AS in_moscow, COUNT(*) AS count
     FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE ${VISIBLE.domains(actor)} GROUP BY 1, 2 ORDER BY 1, 2`,
    bindings(actor),
  );

/** Counts an actor's domains whose date of expiry is in doubt. */
export async function countDoubts(actor: Actor): Promise<number> {
  const [row] = await select<{ n: number }>(
    `SELECT COUNT(*) AS n FROM domain_registrations g JOIN domains d ON d.id = g.domain_id
     LEFT JOIN projects p ON p.id = d.project_id WHERE g.suspect_date IS NOT NULL AND ${VISIBLE.domains(actor)}`,
    bindings(actor),
  );
  return row?.n ?? 0;
}

/** A domain of a feed. */
export interface EndingDomain {
  id: number;
  domain_name: string;
  unicode_name: string;
  expired_at: string;
  updated_at: string;
  project_name: string | null;
  registrar: string | null;
  /** Another date that waits for a decision. */
  suspect_date: string | null;
}

/** Returns a user's own domains that end at or after a time, by date; never those of others, whatever the user's role. */
export const listEndingDomains = (userId: number, since: string, limit: number): Promise<EndingDomain[]> =>
  select(
    `SELECT d.id, d.domain_name, d.unicode_name, d.expired_at, d.updated_at, p.name AS project_name, r.type AS registrar,
            g.suspect_date
     FROM domains d LEFT JOIN projects p ON p.id = d.project_id LEFT JOIN registrars r ON r.id = d.registrars_id
     LEFT JOIN domain_registrations g ON g.domain_id = d.id
     WHERE d.deleted_at IS NULL AND COALESCE(p.user_id, d.user_id) = $userId AND d.expired_at >= $since
     ORDER BY d.expired_at, d.id LIMIT $limit`,
    { userId, since, limit },
  );

/** Returns the feed of a user; undefined: there is none. */
export async function findFeedOf(userId: number): Promise<{ id: number; created_at: string } | undefined> {
  const [row] = await select<{ id: number; created_at: string }>(
    'SELECT id, created_at FROM expiry_feeds WHERE user_id = $userId',
    { userId },
  );
  return row;
}

/** Returns the user whose feed has a token with this hash; undefined: there is none, or the user is disabled. */
export async function findFeedReader(tokenHash: string): Promise<{ user_id: number } | undefined> {
  const [row] = await select<{ user_id: number }>(
    `SELECT f.user_id FROM expiry_feeds f JOIN users u ON u.id = f.user_id AND u.active = 1
     WHERE f.token_hash = $tokenHash`,
    { tokenHash },
  );
  return row;
}
