import { execute, select } from '../../../db/index.ts';
import type { Act } from '../../operations/flow.ts';
import { actorOf } from '../access/ownership.ts';
import type { StoredAct } from '../../shared/operations.ts';
import { bindings, VISIBLE } from '../access/scope.ts';

/** The CDN account and the server of a domain in the portfolio. */
export interface Place {
  account_id: number | null;
  server_id: number | null;
}

const samePlace = (one: Place, other: Place): boolean =>
  one.account_id === other.account_id && one.server_id === other.server_id;

/** A domain's row, and its place as it was found. */
type Placed = Place & { id: number };

const placeOf = ({ account_id, server_id }: Place): Place => ({ account_id, server_id });

/** Returns the act that gives a domain of the user's the place `to`, if `isMeant` accepts the place that it has. */
function placing(user_id: number | null, domain: string, to: Place, isMeant: (at: Place) => boolean): Act {
  const look: Act['look'] = async () => {
    const actor = await actorOf(user_id);
    const [row] = await select<Placed>(
      `SELECT d.id, d.cloudflare_account_id AS account_id, d.server_id FROM domains d LEFT JOIN projects p ON p.id = d.project_id
       WHERE d.deleted_at IS NULL AND d.domain_name = $domain AND ${VISIBLE.domains(actor)}`,
      { domain, ...bindings(actor) },
    );
    if (!row || !isMeant(row) || samePlace(row, to)) return null;
    return { before: row, after: placeOf(to), perform: async () => undefined };
  };
  const record: Act['record'] = (before) => ({ save: savePlaces, row: { found: before as Placed, to } });
  return { name: PLACE, class: 'set', look, record };
}

/** The name of the act that gives a domain its place. */
export const PLACE = 'place';

/**
 * Returns the act that gives a domain of the user's its place. A name that is not in the portfolio, or is another
 * user's, is left alone.
 */
export const placeAct = (user_id: number | null, domain: string, to: Place): Act =>
  placing(user_id, domain, placeOf(to), () => true);

/**
 * Returns the act that gives a domain of the user's its earlier place back, unless somebody has given it another one
 * since. A domain that has gone to another user is left alone.
 */
export const placeBack = (user_id: number | null, domain: string, { before, after }: StoredAct): Act =>
  placing(user_id, domain, placeOf(before as Place), (at) => samePlace(at, after as Place));

/**
 * Writes the places of domains whose place is still the one that was found. An account or a server that was deleted
 * meanwhile becomes NULL.
 */
async function savePlaces(rows: { found: Placed; to: Place }[]): Promise<void> {
  await execute(
    `UPDATE domains SET updated_at = $now,
       cloudflare_account_id = (SELECT id FROM cloudflare_accounts WHERE id = r.value -> 'to' ->> 'account_id'),
       server_id = (SELECT id FROM servers WHERE id = r.value -> 'to' ->> 'server_id')
     FROM json_each($rows) r WHERE domains.deleted_at IS NULL AND domains.id = r.value -> 'found' ->> 'id'
       AND domains.cloudflare_account_id IS r.value -> 'found' ->> 'account_id'
       AND domains.server_id IS r.value -> 'found' ->> 'server_id'`,
    { rows: JSON.stringify(rows), now: new Date().toISOString() },
  );
}
