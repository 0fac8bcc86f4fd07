import { execute, select } from '../../db/index.ts';
import type { Act } from '../operations/flow.ts';
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

/** The act that gives a domain the place back that it `had` before it was `given` one, unless somebody has given it another one since. */
export function placeBack(domain: string, had: Place | null | undefined, given: Place): Act[] {
  if (!had) return [];
  const look: Act['look'] = async () => {
    const [row] = await select<Place>(
      `SELECT cloudflare_account_id AS account_id, server_id FROM domains WHERE deleted_at IS NULL AND domain_name = $domain`,
      { domain },
    );
    if (!row || !samePlace(row, given) || samePlace(row, had)) return null;
    return { before: row, after: had, perform: async () => undefined };
  };
  return [{ name: 'place', class: 'set', look, record: () => ({ save: savePlaces, row: { domain, ...had } }) }];
}

/** Writes places of domains; an account or a server that is gone by now is none. */
async function savePlaces(rows: (Place & { domain: string })[]): Promise<void> {
  await execute(
    `UPDATE domains SET updated_at = $now,
       cloudflare_account_id = (SELECT id FROM cloudflare_accounts WHERE id = r.value ->> 'account_id'),
       server_id = (SELECT id FROM servers WHERE id = r.value ->> 'server_id')
     FROM json_each($rows) r WHERE domains.deleted_at IS NULL AND domains.domain_name = r.value ->> 'domain'`,
    { rows: JSON.stringify(rows), now: new Date().toISOString() },
  );
}
