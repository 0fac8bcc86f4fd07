import { select } from '../../../db/index.ts';
import type { PositionSettingsRow } from '../../shared/positions/tables.ts';
import { LATEST, type QueryKind } from './query-rows.ts';

/** A project whose positions are read by themselves. */
export interface Scheduled extends PositionSettingsRow {
  user_id: number;
}

/** Returns the projects whose positions are read by themselves. */
export const listScheduled = (): Promise<Scheduled[]> =>
  select(
    `SELECT t.*, p.user_id FROM position_settings t JOIN projects p ON p.id = t.project_id
     WHERE t.every_days > 0 AND p.deleted_at IS NULL ORDER BY p.id`,
  );

/** Whether a project has a keyword that was not read since a time, besides those of the queries `but`. */
export async function hasDue(
  project_id: number,
  { engine, region, device }: QueryKind,
  before: string,
  but: readonly number[],
): Promise<boolean> {
  const rows = await select(
    `SELECT 1 FROM keywords k LEFT JOIN search_queries q ON q.keyword_id = k.id AND q.engine = $engine AND q.region = $region
       AND q.device = $device WHERE k.project_id = $project_id AND COALESCE(${LATEST}, '') < $before
       AND (q.id IS NULL OR q.id NOT IN (SELECT CAST(value AS INTEGER) FROM json_each($but))) LIMIT 1`,
    { project_id, engine, region, device, before, but: JSON.stringify(but) },
  );
  return rows.length > 0;
}
