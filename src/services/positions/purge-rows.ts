import { execute } from '../../../db/index.ts';

/** Deletes lists of results of before a day, `limit` at most, and returns how many there were. */
export const clearResults = (day: number, limit: number): Promise<number> =>
  execute(
    `UPDATE search_days SET results = NULL WHERE (query_id, day) IN
       (SELECT query_id, day FROM search_days WHERE results IS NOT NULL AND day < $day LIMIT $limit)`,
    { day, limit },
  );

/** Deletes pages that operations which ended before a time have left, `limit` at most, and returns how many there were. */
export const deleteLeftPages = (before: string, limit: number): Promise<number> =>
  execute(
    `DELETE FROM search_pages WHERE (operation_id, query_id, page) IN
       (SELECT s.operation_id, s.query_id, s.page FROM search_pages s JOIN operations o ON o.id = s.operation_id
        WHERE o.finished_at < $before LIMIT $limit)`,
    { before, limit },
  );

/** Deletes failures of operations that ended before a time, `limit` at most, and returns how many there were. */
export const deleteLeftFailures = (before: string, limit: number): Promise<number> =>
  execute(
    `DELETE FROM search_failures WHERE (operation_id, query_id) IN
       (SELECT f.operation_id, f.query_id FROM operations o JOIN search_failures f ON f.operation_id = o.id
        WHERE o.finished_at < $before LIMIT $limit)`,
    { before, limit },
  );

/** Deletes queries of keywords with all that was found for them, `limit` at most, and returns how many there were. */
export const deleteQueriesOf = (keywords: readonly number[], limit: number): Promise<number> =>
  execute(
    `DELETE FROM search_queries WHERE id IN (SELECT q.id FROM search_queries q
       WHERE q.keyword_id IN (SELECT CAST(value AS INTEGER) FROM json_each($keywords)) LIMIT $limit)`,
    { keywords: JSON.stringify(keywords), limit },
  );

/** Deletes queries of projects that were deleted before a time, `limit` at most, and returns how many there were. */
export const deleteQueriesOfDeleted = (before: string, limit: number): Promise<number> =>
  execute(
    `DELETE FROM search_queries WHERE id IN (SELECT q.id FROM projects p JOIN keywords k ON k.project_id = p.id
       JOIN search_queries q ON q.keyword_id = k.id WHERE p.deleted_at < $before LIMIT $limit)`,
    { before, limit },
  );
