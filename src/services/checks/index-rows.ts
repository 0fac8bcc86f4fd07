import { execute, executeUnaudited, select } from '../../../db/index.ts';
import type { Engine, SourceChoice } from '../../shared/engines.ts';
import type { IndexationSpanRow } from '../../shared/checks/tables.ts';
import type { DomainRow } from '../../shared/portfolio/tables.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';

/** A domain whose indexation is checked. */
export interface IndexTarget extends Pick<DomainRow, 'id' | 'domain_name'> {
  /** The source that its project has chosen. */
  source: SourceChoice;
}

/** The due mains: those that were not checked since `before`, and those that the check which began at `since` has checked. */
export interface Due {
  before: string;
  since: string;
}

/**
 * Returns the main domains that an actor may see, or those with the given ids, by name. `due`: only those of projects whose positions
 * are read by a schedule.
 */
export const listIndexTargets = (
  actor: Actor,
  ids: readonly number[] | null,
  due: Due | null,
): Promise<IndexTarget[]> =>
  select(
    `SELECT d.id, d.domain_name, COALESCE(s.source, 'auto') AS source FROM domains d
     LEFT JOIN projects p ON p.id = d.project_id LEFT JOIN position_settings s ON s.project_id = d.project_id
     WHERE ${VISIBLE.domains(actor)} AND (($ids IS NULL AND d.type = 'main')
       OR d.id IN (SELECT CAST(value AS INTEGER) FROM json_each(COALESCE($ids, '[]'))))
       AND ($before IS NULL OR (d.project_id IN (SELECT t.project_id FROM position_settings t WHERE t.every_days > 0)
         AND (COALESCE(d.last_check_indexation, '') < $before OR d.last_check_indexation >= $since))) ORDER BY d.domain_name`,
    { ids: ids && JSON.stringify(ids), before: due?.before ?? null, since: due?.since ?? null, ...bindings(actor) },
  );

/** Returns the ids of checks of indexation that have not ended before a time, but for one. */
export const listChecksSince = (before: string, but: number): Promise<{ id: number }[]> =>
  select(
    `SELECT id FROM operations WHERE kind = 'indexation' AND id <> $but AND (finished_at IS NULL OR finished_at >= $before)`,
    { before, but },
  );

/** Returns the newest span of each domain and engine. */
export const listNewestSpans = (ids: readonly number[]): Promise<IndexationSpanRow[]> =>
  select(
    `SELECT s.* FROM indexation_spans s WHERE s.domain_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))
       AND s.since = (SELECT MAX(n.since) FROM indexation_spans n WHERE n.domain_id = s.domain_id AND n.engine = s.engine)`,
    { ids: JSON.stringify(ids) },
  );

/** Returns the spans of a domain, the newest first. */
export const listSpans = (domain_id: number): Promise<IndexationSpanRow[]> =>
  select('SELECT * FROM indexation_spans WHERE domain_id = $domain_id ORDER BY engine, since DESC', { domain_id });

/** Stores a span, in place of the one that began at the same time. */
export async function upsertSpan(row: IndexationSpanRow): Promise<void> {
  await execute(
    `INSERT INTO indexation_spans (domain_id, engine, since, indexed, last_checked_at, doubted_at)
     VALUES ($domain_id, $engine, $since, $indexed, $last_checked_at, $doubted_at)
     ON CONFLICT (domain_id, engine, since) DO UPDATE SET last_checked_at = excluded.last_checked_at,
       doubted_at = excluded.doubted_at`,
    { ...row },
  );
}

/** Writes what an engine says into a domain's row. Returns 0 where the domain has another name by now. */
export const setIndexed = (
  domain: Pick<DomainRow, 'id' | 'domain_name'>,
  engine: Engine,
  indexed: number,
  now: string,
): Promise<number> =>
  executeUnaudited(
    'check',
    `UPDATE domains SET ${engine === 'yandex' ? 'yandex_indexation' : 'google_indexation'} = $indexed,
       last_check_indexation = $now WHERE id = $id AND domain_name = $domain_name`,
    { ...domain, indexed, now },
  );
