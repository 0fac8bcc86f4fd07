import { execute, select } from '../../db/index.ts';
import type { Act } from '../operations/flow.ts';
import { actorOf } from './ownership.ts';
import { bindings, VISIBLE, type Actor } from './scope.ts';

/** Where a domain of the portfolio is said to lie. */
export interface Place {
  account_id: number | null;
  server_id: number | null;
}

const samePlace = (one: Place, other: Place): boolean =>
  one.account_id === other.account_id && one.server_id === other.server_id;

/** Where domains of the actor's lie, by name. */
export async function placesOf(actor: Actor, domains: string[]): Promise<Map<string, Place>> {
  const rows = await select<Place & { domain_name: string }>(
    `SELECT d.domain_name, d.cloudflare_account_id AS account_id, d.server_id
     FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE d.deleted_at IS NULL AND d.domain_name IN (SELECT value FROM json_each($domains)) AND ${VISIBLE.domains(actor)}`,
    { domains: JSON.stringify(domains), ...bindings(actor) },
  );
  return new Map(rows.map(({ domain_name, ...place }) => [domain_name, place]));
}

/** A domain's row, and its place as it was found. */
type Placed = Place & { id: number };

/**
 * The act that gives a domain of the user's the place back that it `had` before it was `given` one, unless somebody has given it
 * another one since. A domain that has gone to another user stays where it lies.
 */
export function placeBack(user_id: number | null, domain: string, had: Place | null | undefined, given: Place): Act[] {
  if (!had) return [];
  const look: Act['look'] = async () => {
    const actor = await actorOf(user_id);
    const [row] = await select<Placed>(
      `SELECT d.id, d.cloudflare_account_id AS account_id, d.server_id FROM domains d LEFT JOIN projects p ON p.id = d.project_id
       WHERE d.deleted_at IS NULL AND d.domain_name = $domain AND ${VISIBLE.domains(actor)}`,
      { domain, ...bindings(actor) },
    );
    if (!row || !samePlace(row, given) || samePlace(row, had)) return null;
    return { before: row, after: had, perform: async () => undefined };
  };
  const record: Act['record'] = (before) => ({ save: savePlaces, row: { found: before as Placed, had } });
  return [{ name: 'place', class: 'set', look, record }];
}

/** Writes places of domains that still lie where they were found; an account or a server that is gone by now is none. */
async function savePlaces(rows: { found: Placed; had: Place }[]): Promise<void> {
  await execute(
    `UPDATE domains SET updated_at = $now,
       cloudflare_account_id = (SELECT id FROM cloudflare_accounts WHERE id = r.value -> 'had' ->> 'account_id'),
       server_id = (SELECT id FROM servers WHERE id = r.value -> 'had' ->> 'server_id')
     FROM json_each($rows) r WHERE domains.deleted_at IS NULL AND domains.id = r.value -> 'found' ->> 'id'
       AND domains.cloudflare_account_id IS r.value -> 'found' ->> 'account_id'
       AND domains.server_id IS r.value -> 'found' ->> 'server_id'`,
    { rows: JSON.stringify(rows), now: new Date().toISOString() },
  );
}
