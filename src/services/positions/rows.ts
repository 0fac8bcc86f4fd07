import { execute, select } from '../../../db/index.ts';
import { newId } from '../../../db/sql.ts';
import type { KeywordRow } from '../../shared/positions/tables.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';

/** Returns the keywords of a project in the order in which they were added. */
export const listKeywordRows = (project_id: number): Promise<KeywordRow[]> =>
  select('SELECT * FROM keywords WHERE project_id = $project_id ORDER BY id', { project_id });

/** Returns a keyword of a project that an actor may see; undefined: there is none. */
export async function findKeywordRow(actor: Actor, id: number): Promise<KeywordRow | undefined> {
  const [row] = await select<KeywordRow>(
    `SELECT k.* FROM keywords k JOIN projects p ON p.id = k.project_id WHERE k.id = $id AND ${VISIBLE.projects(actor)}`,
    { id, ...bindings(actor) },
  );
  return row;
}

/** Returns the keyword of a project by its normalized form; undefined: there is none. */
export async function findNormalized(project_id: number, normalized: string): Promise<KeywordRow | undefined> {
  const [row] = await select<KeywordRow>(
    'SELECT * FROM keywords WHERE project_id = $project_id AND normalized = $normalized',
    { project_id, normalized },
  );
  return row;
}

/** Inserts those of the keywords that a project does not have, and returns them with their ids. */
export const insertKeywords = (
  project_id: number,
  rows: readonly Pick<KeywordRow, 'value' | 'normalized'>[],
  created_at: string,
): Promise<Pick<KeywordRow, 'id' | 'value'>[]> =>
  select(
    `INSERT INTO keywords (id, project_id, value, normalized, tags, created_at)
     SELECT ${newId('keywords')}, $project_id, value ->> 'value', value ->> 'normalized', '[]', $created_at FROM json_each($rows)
     WHERE true ON CONFLICT (project_id, normalized) DO NOTHING RETURNING id, value`,
    { project_id, created_at, rows: JSON.stringify(rows) },
  );

/** Deletes keywords by id, with all that was found for them. */
export const deleteKeywordRows = (ids: readonly number[]): Promise<number> =>
  execute('DELETE FROM keywords WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))', {
    ids: JSON.stringify(ids),
  });

/** Returns how many readings keywords have, each day of an engine, region and device as one. */
export async function countReadings(ids: readonly number[]): Promise<number> {
  const [row] = await select<{ n: number }>(
    `SELECT COUNT(*) AS n FROM search_days s JOIN search_queries q ON q.id = s.query_id
     WHERE q.keyword_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))`,
    { ids: JSON.stringify(ids) },
  );
  return row?.n ?? 0;
}
