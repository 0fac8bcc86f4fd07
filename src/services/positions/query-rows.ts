import { execute, select } from '../../../db/index.ts';
import { newId } from '../../../db/sql.ts';
import type { Device, Engine } from '../../shared/engines.ts';
import type {
  PositionSettingsRow,
  SearchDayRow,
  SearchFailureRow,
  SearchPageRow,
} from '../../shared/positions/tables.ts';
import type { DomainRow } from '../../shared/portfolio/tables.ts';

/** The parameters of a query to an engine, apart from its keyword. */
export interface QueryKind {
  engine: Engine;
  region: string;
  device: Device;
}

/** A query with its keyword. `done_at`: its latest reading; null: it was never read. */
export interface QueryOfProject {
  id: number;
  keyword: string;
  done_at: string | null;
}

/** When a query `q` was read for the last time. */
export const LATEST = `(SELECT s.checked_at FROM search_days s WHERE s.query_id = q.id ORDER BY s.day DESC LIMIT 1)`;

/** Returns the settings of a project; undefined: it never saved any. */
export async function findSettings(project_id: number): Promise<PositionSettingsRow | undefined> {
  const [row] = await select<PositionSettingsRow>('SELECT * FROM position_settings WHERE project_id = $project_id', {
    project_id,
  });
  return row;
}

/** Stores the settings of a project. */
export async function saveSettings(row: PositionSettingsRow): Promise<void> {
  const names = Object.keys(row);
  await execute(
    `INSERT INTO position_settings (${names.join(', ')}) VALUES (${names.map((name) => `$${name}`).join(', ')})
     ON CONFLICT (project_id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    { ...row },
  );
}

/** Makes the queries of a project's keywords, or of one of them, where they are missing. */
export async function insertQueries(
  project_id: number,
  keyword_id: number | null,
  { engine, region, device }: QueryKind,
): Promise<void> {
  await execute(
    `INSERT INTO search_queries (id, keyword_id, engine, region, device)
     SELECT ${newId('search_queries')}, k.id, $engine, $region, $device FROM keywords k
     WHERE k.project_id = $project_id AND ($keyword_id IS NULL OR k.id = $keyword_id)
     ON CONFLICT (keyword_id, engine, region, device) DO NOTHING`,
    { project_id, keyword_id, engine, region, device },
  );
}

/** Returns the queries of a project's keywords, or of one of them, with their latest reading, as the keywords were added. */
export const listQueries = (
  project_id: number,
  keyword_id: number | null,
  { engine, region, device }: QueryKind,
): Promise<QueryOfProject[]> =>
  select(
    `SELECT q.id, k.value AS keyword, ${LATEST} AS done_at FROM keywords k
     JOIN search_queries q ON q.keyword_id = k.id AND q.engine = $engine AND q.region = $region AND q.device = $device
     WHERE k.project_id = $project_id AND ($keyword_id IS NULL OR k.id = $keyword_id) ORDER BY k.id`,
    { project_id, keyword_id, engine, region, device },
  );

/** Returns the latest reading of a query; undefined: its keyword or its project is deleted. */
export async function findQueryState(id: number): Promise<Pick<QueryOfProject, 'done_at'> | undefined> {
  const [row] = await select<Pick<QueryOfProject, 'done_at'>>(
    `SELECT ${LATEST} AS done_at FROM search_queries q JOIN keywords k ON k.id = q.keyword_id
     JOIN projects p ON p.id = k.project_id AND p.deleted_at IS NULL WHERE q.id = $id`,
    { id },
  );
  return row;
}

/** A domain that is looked for in results. */
export type SoughtDomain = Pick<DomainRow, 'id' | 'domain_name' | 'type'>;

/** Returns the domains of a project. */
export const listSought = (project_id: number): Promise<SoughtDomain[]> =>
  select(
    'SELECT id, domain_name, type FROM domains WHERE project_id = $project_id AND deleted_at IS NULL ORDER BY id',
    { project_id },
  );

/** Returns the number of a list of domains of a project, which is stored once. */
export async function scopeOf(project_id: number, ids: readonly number[]): Promise<number> {
  const domain_ids = JSON.stringify(ids);
  const [same] = await select<{ id: number }>(
    'SELECT id FROM search_scopes WHERE project_id = $project_id AND domain_ids = $domain_ids ORDER BY id DESC LIMIT 1',
    { project_id, domain_ids },
  );
  if (same) return same.id;
  const [made] = await select<{ id: number }>(
    'INSERT INTO search_scopes (project_id, domain_ids) VALUES ($project_id, $domain_ids) RETURNING id',
    { project_id, domain_ids },
  );
  return made?.id ?? 0;
}

/** Returns the pages that an operation has been answered. */
export const listPages = (operation_id: number): Promise<SearchPageRow[]> =>
  select('SELECT * FROM search_pages WHERE operation_id = $operation_id ORDER BY query_id, page', { operation_id });

/** Stores answered pages, in place of those of lists that were begun before. */
export async function upsertPages(rows: readonly SearchPageRow[]): Promise<void> {
  await execute(
    `INSERT INTO search_pages (operation_id, query_id, page, urls, is_last, read_at)
     SELECT CAST(r.value ->> 'operation_id' AS INTEGER), q.id, CAST(r.value ->> 'page' AS INTEGER), r.value ->> 'urls',
       CAST(r.value ->> 'is_last' AS INTEGER), r.value ->> 'read_at'
     FROM json_each($rows) r JOIN search_queries q ON q.id = CAST(r.value ->> 'query_id' AS INTEGER)
     WHERE true ON CONFLICT (operation_id, query_id, page) DO UPDATE SET urls = excluded.urls, is_last = excluded.is_last,
       read_at = excluded.read_at`,
    { rows: JSON.stringify(rows) },
  );
}

/** Deletes the pages of an operation's queries; of all without a list. */
export async function deletePages(operation_id: number, queries: readonly number[] | null): Promise<void> {
  await execute(
    `DELETE FROM search_pages WHERE operation_id = $operation_id
       AND ($ids IS NULL OR query_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids)))`,
    { operation_id, ids: queries && JSON.stringify(queries) },
  );
}

/** Stores the readings of queries on their days, in place of earlier ones. A query that was deleted meanwhile is left out. */
export async function upsertDays(rows: readonly SearchDayRow[]): Promise<void> {
  const names = ['depth', 'requests', 'source', 'checked_at', 'scope_id', 'results'];
  await execute(
    `INSERT INTO search_days (query_id, day, ${names.join(', ')})
     SELECT q.id, CAST(r.value ->> 'day' AS INTEGER), CAST(r.value ->> 'depth' AS INTEGER),
       CAST(r.value ->> 'requests' AS INTEGER), r.value ->> 'source', r.value ->> 'checked_at',
       CAST(r.value ->> 'scope_id' AS INTEGER), r.value ->> 'results'
     FROM json_each($rows) r JOIN search_queries q ON q.id = CAST(r.value ->> 'query_id' AS INTEGER) WHERE true
     ON CONFLICT (query_id, day) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    { rows: JSON.stringify(rows) },
  );
}

/** The place of a domain in the reading of a query. */
export interface FoundPlace {
  query_id: number;
  day: number;
  domain_id: number;
  place: number;
  url: string;
}

/** Stores the places that readings have found, in place of those of earlier readings on the same day. */
export async function replacePlaces(
  readings: readonly Pick<SearchDayRow, 'query_id' | 'day'>[],
  places: readonly FoundPlace[],
): Promise<void> {
  const read = { rows: JSON.stringify(readings.map(({ query_id, day }) => ({ query_id, day }))) };
  await execute(
    `DELETE FROM positions WHERE (query_id, day) IN
       (SELECT CAST(value ->> 'query_id' AS INTEGER), CAST(value ->> 'day' AS INTEGER) FROM json_each($rows))`,
    read,
  );
  if (places.length === 0) return;
  const found = { rows: JSON.stringify(places) };
  await execute(
    `INSERT INTO found_pages (id, domain_id, url)
     SELECT ${newId('found_pages')}, u.domain_id, u.url FROM (SELECT DISTINCT d.id AS domain_id, r.value ->> 'url' AS url
       FROM json_each($rows) r JOIN domains d ON d.id = CAST(r.value ->> 'domain_id' AS INTEGER)) u
     WHERE true ON CONFLICT (domain_id, url) DO NOTHING`,
    found,
  );
  await execute(
    `INSERT INTO positions (query_id, day, domain_id, place, page_id)
     SELECT q.id, CAST(r.value ->> 'day' AS INTEGER), f.domain_id, CAST(r.value ->> 'place' AS INTEGER), f.id
     FROM json_each($rows) r JOIN search_queries q ON q.id = CAST(r.value ->> 'query_id' AS INTEGER)
     JOIN found_pages f ON f.domain_id = CAST(r.value ->> 'domain_id' AS INTEGER) AND f.url = r.value ->> 'url'`,
    found,
  );
}

/** Stores why queries could not be read. */
export async function upsertFailures(rows: readonly SearchFailureRow[]): Promise<void> {
  await execute(
    `INSERT INTO search_failures (operation_id, query_id, day, error)
     SELECT CAST(r.value ->> 'operation_id' AS INTEGER), q.id, CAST(r.value ->> 'day' AS INTEGER), r.value ->> 'error'
     FROM json_each($rows) r JOIN search_queries q ON q.id = CAST(r.value ->> 'query_id' AS INTEGER) WHERE true
     ON CONFLICT (operation_id, query_id) DO UPDATE SET error = excluded.error, day = excluded.day`,
    { rows: JSON.stringify(rows) },
  );
}

/** Deletes the failures of an operation's queries, which were read after all. */
export async function deleteFailures(operation_id: number, queries: readonly number[]): Promise<void> {
  await execute(
    `DELETE FROM search_failures WHERE operation_id = $operation_id
       AND query_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))`,
    { operation_id, ids: JSON.stringify(queries) },
  );
}

/** Returns what an operation could not read, as its keywords were added; `error` is a Message as JSON. */
export const listFailures = (operation_id: number): Promise<{ keyword: string; engine: Engine; error: string }[]> =>
  select(
    `SELECT k.value AS keyword, q.engine, f.error FROM search_failures f JOIN search_queries q ON q.id = f.query_id
     JOIN keywords k ON k.id = q.keyword_id WHERE f.operation_id = $operation_id ORDER BY k.id`,
    { operation_id },
  );
