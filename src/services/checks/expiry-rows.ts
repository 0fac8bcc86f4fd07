import { execute, executeUnaudited, select } from '../../../db/index.ts';
import { memberOf } from '../../../db/sql.ts';
import type { ExpiryFacts } from '../../shared/checks/expiry.ts';
import {
  domainRegistrations,
  type DomainRegistrationRow,
  type RegistryPauseRow,
  type RegistryTurnsRow,
} from '../../shared/checks/tables.ts';
import type { DomainFilter } from '../../shared/portfolio/domains.ts';
import { domains, type DomainRow } from '../../shared/portfolio/tables.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';
import { filters } from '../portfolio/filters.ts';

/** A domain with what is stored of its expiry. */
export interface ExpiryRow extends ExpiryFacts {
  id: number;
  domain_name: string;
  registrars_id: number | null;
}

const COLUMNS = Object.keys(domainRegistrations.columns) as (keyof DomainRegistrationRow)[];

type Joined = Pick<DomainRow, 'id' | 'domain_name' | 'registrars_id' | 'expired_at'> & {
  [Name in keyof DomainRegistrationRow]: DomainRegistrationRow[Name] | null;
};

const JOINED = `d.id, d.domain_name, d.registrars_id, d.expired_at, ${COLUMNS.map((name) => `r.${name}`).join(', ')}
  FROM domains d LEFT JOIN domain_registrations r ON r.domain_id = d.id`;

const rowOf = ({ id, domain_name, registrars_id, expired_at, ...registration }: Joined): ExpiryRow => ({
  id,
  domain_name,
  registrars_id,
  expired_at,
  registration: registration.domain_id === null ? null : (registration as DomainRegistrationRow),
});

/** A part of the portfolio: a project, a status filter, only these domains or names. */
export interface ExpiryPart {
  project_id?: number;
  status?: DomainFilter;
  domain_ids?: number[];
  names?: readonly string[];
}

/** Returns the domains of a part of the portfolio that the actor may see, by name. */
export async function listExpiryRows(actor: Actor, part: ExpiryPart): Promise<ExpiryRow[]> {
  const { project_id, status = 'all', domain_ids, names } = part;
  const rows = await select<Joined>(
    `SELECT ${JOINED} LEFT JOIN projects p ON p.id = d.project_id
     WHERE ${VISIBLE.domains(actor)} AND ${filters()[status]} AND ($project IS NULL OR d.project_id = $project)
       AND ($ids IS NULL OR d.id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids)))
       AND ($names IS NULL OR d.domain_name IN (SELECT value FROM json_each($names))) ORDER BY d.domain_name`,
    {
      project: project_id ?? null,
      ids: domain_ids ? JSON.stringify(domain_ids) : null,
      names: names ? JSON.stringify(names) : null,
      ...bindings(actor),
    },
  );
  return rows.map(rowOf);
}

/** Returns those of the domains that are not deleted, whoever they belong to. */
export const listExpiryRowsById = async (ids: readonly number[]): Promise<ExpiryRow[]> =>
  (
    await select<Joined>(
      `SELECT ${JOINED} WHERE d.deleted_at IS NULL AND d.id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))`,
      { ids: JSON.stringify(ids) },
    )
  ).map(rowOf);

/** Returns how many of an actor's domains have a date in doubt. */
export async function countDoubts(actor: Actor): Promise<number> {
  const [row] = await select<{ n: number }>(
    `SELECT COUNT(*) AS n FROM domain_registrations r JOIN domains d ON d.id = r.domain_id LEFT JOIN projects p ON p.id = d.project_id
     WHERE r.suspect_date IS NOT NULL AND ${VISIBLE.domains(actor)}`,
    bindings(actor),
  );
  return row?.n ?? 0;
}

/** Returns how many of the domains were looked up since a time. */
export async function countLookedUpSince(ids: readonly number[], since: string): Promise<number> {
  const [row] = await select<{ n: number }>(
    `SELECT COUNT(*) AS n FROM domain_registrations WHERE looked_up_at >= $since
       AND domain_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))`,
    { ids: JSON.stringify(ids), since },
  );
  return row?.n ?? 0;
}

/** Stores what look-ups of domains have told, in place of what earlier ones did. */
export async function upsertRegistrations(rows: readonly DomainRegistrationRow[]): Promise<void> {
  const cells = COLUMNS.map((name) => memberOf('value', name, domainRegistrations.columns[name]));
  const changed = COLUMNS.filter((name) => name !== 'domain_id').map((name) => `${name} = excluded.${name}`);
  await execute(
    `INSERT INTO domain_registrations (${COLUMNS.join(', ')}) SELECT ${cells.join(', ')} FROM json_each($rows) WHERE true
     ON CONFLICT (domain_id) DO UPDATE SET ${changed.join(', ')}`,
    { rows: JSON.stringify(rows) },
  );
}

/** Writes the dates that look-ups have found into their domains' rows. */
export async function updateExpiries(rows: readonly Pick<DomainRow, 'id' | 'expired_at'>[]): Promise<void> {
  await executeUnaudited(
    'check',
    `UPDATE domains SET expired_at = ${memberOf('n.value', 'expired_at', domains.columns.expired_at)}
     FROM json_each($rows) n WHERE domains.id = ${memberOf('n.value', 'id', domains.columns.id)}`,
    { rows: JSON.stringify(rows) },
  );
}

/** Tells listeners of changed domains, and deletes all but the newest `kept` of such notes. */
export async function insertChangedBatch(ids: readonly number[], kept: number): Promise<void> {
  await execute('INSERT INTO check_batches (domain_ids) VALUES ($ids)', { ids: JSON.stringify(ids) });
  await execute('DELETE FROM check_batches WHERE id <= (SELECT max(id) FROM check_batches) - $kept', { kept });
}

/** Returns until when a registry's server is left alone; undefined: it is not. */
export async function findPause(server: string): Promise<RegistryPauseRow | undefined> {
  const [row] = await select<RegistryPauseRow>('SELECT * FROM registry_pauses WHERE server = $server', { server });
  return row;
}

/** Stores until when a registry's server is left alone. A longer pause that another process has stored stays. */
export async function upsertPause(pause: RegistryPauseRow): Promise<void> {
  await execute(
    `INSERT INTO registry_pauses (server, until, refusals) VALUES ($server, $until, $refusals)
     ON CONFLICT (server) DO UPDATE SET refusals = excluded.refusals,
       until = CASE WHEN excluded.until > registry_pauses.until THEN excluded.until ELSE registry_pauses.until END`,
    { ...pause },
  );
}

/** Forgets the refusals of a registry's server. */
export async function deletePause(server: string): Promise<void> {
  await execute('DELETE FROM registry_pauses WHERE server = $server', { server });
}

/** Returns which period of a registry's server is the last of which calls were taken; undefined: none was. */
export async function findTurns(server: string): Promise<RegistryTurnsRow | undefined> {
  const [row] = await select<RegistryTurnsRow>('SELECT * FROM registry_turns WHERE server = $server', { server });
  return row;
}

/** Stores how many calls of a registry's server were taken. */
export async function upsertTurns(turns: RegistryTurnsRow): Promise<void> {
  await execute(
    `INSERT INTO registry_turns (server, period_at, calls) VALUES ($server, $period_at, $calls)
     ON CONFLICT (server) DO UPDATE SET period_at = excluded.period_at, calls = excluded.calls`,
    { ...turns },
  );
}
