import { select } from '../../../db/index.ts';
import type { Engine } from '../../shared/engines.ts';

const lastOf = (engine: Engine): string =>
  `(SELECT MAX(s.day) FROM keywords k JOIN search_queries q ON q.keyword_id = k.id AND q.engine = '${engine}'
     JOIN search_days s ON s.query_id = q.id WHERE k.project_id = p.id) AS ${engine}`;

/** A project whose positions are read by themselves, with the last day of each engine. */
export interface Scheduled extends Record<Engine, number | null> {
  project_id: number;
  user_id: number;
  every_days: number;
}

/** Returns the projects whose positions are read by themselves. */
export const listScheduled = (): Promise<Scheduled[]> =>
  select(
    `SELECT p.id AS project_id, p.user_id, t.every_days, ${lastOf('yandex')}, ${lastOf('google')}
     FROM position_settings t JOIN projects p ON p.id = t.project_id
     WHERE t.every_days > 0 AND p.deleted_at IS NULL ORDER BY p.id`,
  );
