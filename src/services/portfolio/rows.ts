import { execute, select } from '../../../db/index.ts';
import type { DeletedDomain, DomainCounts } from '../../shared/portfolio/domains.ts';
import type { DomainRow } from '../../shared/portfolio/tables.ts';
import { bindings, OWN, VISIBLE, type Actor } from '../access/scope.ts';
import { filters } from './filters.ts';

/** Whether a domain that is not deleted has a name, but for the one with the id `except`. */
export const isNameTaken = async (name: string, except: number): Promise<boolean> =>
  (
    await select('SELECT 1 FROM domains WHERE domain_name = $name AND deleted_at IS NULL AND id <> $except', {
      name,
      except,
    })
  ).length > 0;

/** Returns those of the names that a domain has which is not deleted. */
export const listTakenNames = (names: readonly string[]): Promise<Pick<DomainRow, 'domain_name'>[]> =>
  select(
    `SELECT d.domain_name FROM json_each($names) n CROSS JOIN domains d ON d.domain_name = n.value AND d.deleted_at IS NULL`,
    { names: JSON.stringify(names) },
  );

/** The columns that new domains have in common. */
export type Alike = Pick<
  DomainRow,
  'user_id' | 'project_id' | 'type' | 'transfer_type' | 'transfer_dns' | 'expired_at' | 'created_at'
>;

/** The columns that each new domain has of its own. */
export type Named = Pick<DomainRow, 'domain_name' | 'unicode_name' | 'file_path'>;

/** Inserts available domains, in their order. */
export async function insertDomains(rows: readonly Named[], alike: Alike): Promise<void> {
  const own = rows.map(({ domain_name, unicode_name, file_path }) => [domain_name, unicode_name, file_path]);
  await execute(
    `INSERT INTO domains (domain_name, unicode_name, file_path, user_id, project_id, type, transfer_type,
       transfer_dns, expired_at, status, created_at, updated_at)
     SELECT value ->> 0, value ->> 1, value ->> 2, $user_id, $project_id, $type, $transfer_type, $transfer_dns, $expired_at,
       'available', $created_at, $created_at
     FROM json_each($rows) ORDER BY key`,
    { rows: JSON.stringify(own), ...alike },
  );
}

/** Returns the name of a deleted domain of an actor's; undefined: there is none. */
export async function findDeletedDomain(actor: Actor, id: number): Promise<Pick<DomainRow, 'domain_name'> | undefined> {
  const [row] = await select<Pick<DomainRow, 'domain_name'>>(
    `SELECT d.domain_name FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE d.id = $id AND d.deleted_at IS NOT NULL AND ${OWN.domains(actor)}`,
    { id, ...bindings(actor) },
  );
  return row;
}

/** Returns the folders of deleted domains that have a server. */
export const listDeletedFolders = (
  ids: readonly number[],
): Promise<(Pick<DomainRow, 'id' | 'domain_name' | 'file_path' | 'server_id'> & { holder: number })[]> =>
  select(
    `SELECT d.id, d.domain_name, d.file_path, d.server_id, COALESCE(p.user_id, d.user_id) AS holder
     FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE d.deleted_at IS NOT NULL AND d.server_id IS NOT NULL AND d.id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))
     ORDER BY d.id`,
    { ids: JSON.stringify(ids) },
  );

/** Returns an actor's last deleted domains, or those of a name, the last one first; none whose name a domain has now. */
export const listDeletedDomains = (actor: Actor, domain_name: string | null, most: number): Promise<DeletedDomain[]> =>
  select(
    `SELECT d.id, d.domain_name, d.unicode_name, d.type, p.name AS project_name, s.name AS server_name,
       (SELECT deployed_at FROM sites WHERE domain_id = d.id) AS deployed_at, d.deleted_at
     FROM domains d LEFT JOIN projects p ON p.id = d.project_id LEFT JOIN servers s ON s.id = d.server_id
     WHERE d.deleted_at IS NOT NULL AND ${OWN.domains(actor)} ${domain_name === null ? '' : 'AND d.domain_name = $domain_name'}
       AND NOT EXISTS (SELECT 1 FROM domains o WHERE o.domain_name = d.domain_name AND o.deleted_at IS NULL)
     ORDER BY d.deleted_at DESC, d.id DESC LIMIT $most`,
    { ...(domain_name !== null && { domain_name }), most, ...bindings(actor) },
  );

/** Deletes what belongs to the site of a domain's name: the verdicts before a change, and today's samples. */
export async function deleteMeasures(domain_id: number): Promise<void> {
  await execute('DELETE FROM verdict_baselines WHERE domain_id = $domain_id', { domain_id });
  await execute('DELETE FROM check_samples WHERE domain_id = $domain_id', { domain_id });
  await execute('DELETE FROM indexation_spans WHERE domain_id = $domain_id', { domain_id });
}

/** Deletes what look-ups of a domain's registration told. Returns the date that they found; null: none. */
export async function deleteRegistration(domain_id: number): Promise<string | null> {
  const [row] = await select<{ expires_at: string | null }>(
    'DELETE FROM domain_registrations WHERE domain_id = $domain_id RETURNING expires_at',
    { domain_id },
  );
  return row?.expires_at ?? null;
}

/** Returns the user that a domain belongs to; null: there is no such domain. */
export async function findHolder(id: number): Promise<number | null> {
  const [row] = await select<{ holder: number }>(
    `SELECT COALESCE(p.user_id, d.user_id) AS holder FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE d.id = $id AND d.deleted_at IS NULL`,
    { id },
  );
  return row?.holder ?? null;
}

/** The CDN account and the server of a domain. */
export interface Place {
  account_id: number | null;
  server_id: number | null;
}

/** A domain, and its place as it was found. */
export type Placed = Place & { id: number };

/** Returns the place of an actor's domain; undefined: there is none of the name. */
export async function findPlace(actor: Actor, domain_name: string): Promise<Placed | undefined> {
  const [row] = await select<Placed>(
    `SELECT d.id, d.cloudflare_account_id AS account_id, d.server_id
     FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE d.domain_name = $domain_name AND ${VISIBLE.domains(actor)}`,
    { domain_name, ...bindings(actor) },
  );
  return row;
}

const member = (place: 'found' | 'to', name: string): string => `CAST(r.value -> '${place}' ->> '${name}' AS INTEGER)`;

/**
 * Writes the places of domains whose place is still the one that was found. An account or a server that was deleted
 * meanwhile becomes NULL. Returns their number.
 */
export async function updatePlaces(rows: readonly { found: Placed; to: Place }[]): Promise<number> {
  return execute(
    `UPDATE domains SET updated_at = $now,
       cloudflare_account_id = (SELECT id FROM cloudflare_accounts WHERE id = ${member('to', 'account_id')}),
       server_id = (SELECT id FROM servers WHERE id = ${member('to', 'server_id')})
     FROM json_each($rows) r WHERE domains.deleted_at IS NULL AND domains.id = ${member('found', 'id')}
       AND domains.cloudflare_account_id IS NOT DISTINCT FROM ${member('found', 'account_id')}
       AND domains.server_id IS NOT DISTINCT FROM ${member('found', 'server_id')}`,
    { rows: JSON.stringify(rows), now: new Date().toISOString() },
  );
}

/** A domain that is blocked (`verdict` null) or down, with what the last check found. */
export type Standing = Pick<DomainRow, 'id' | 'domain_name' | 'project_id' | 'type'> & { verdict: string | null };

/** Returns those of the domains that are blocked, and those that are down; one that is both comes twice. */
export const listStanding = (ids: readonly number[]): Promise<Standing[]> =>
  select(
    `SELECT id, domain_name, project_id, type, NULL AS verdict FROM domains
     WHERE status = 'blocked' AND id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))
     UNION ALL SELECT d.id, d.domain_name, d.project_id, d.type, COALESCE(d.http_error, CAST(d.http_status_code AS TEXT), '')
     FROM domain_outages o JOIN domains d ON d.id = o.domain_id
     WHERE o.state = 'down' AND d.id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids)) ORDER BY 1`,
    { ids: JSON.stringify(ids) },
  );

/** Returns the number of an actor's domains in each list of the dashboard. */
export async function countByFilter(actor: Actor): Promise<DomainCounts | undefined> {
  const columns = Object.entries(filters()).map(([name, rule]) => `COUNT(*) FILTER (WHERE ${rule}) AS "${name}"`);
  const [counts] = await select<DomainCounts>(
    `SELECT ${columns.join(', ')} FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE ${VISIBLE.domains(actor)}`,
    bindings(actor),
  );
  return counts;
}
