import { select } from '../../../db/index.ts';
import type { Move } from '../../shared/positions/places.ts';
import type { SearchDayRow } from '../../shared/positions/tables.ts';
import { VISIBLE, bindings, type Actor } from '../access/scope.ts';
import type { QueryKind } from './query-rows.ts';

/** The queries whose positions are shown: those of a project's keywords, or of one of them, and the days. */
export interface GridPart extends QueryKind {
  project_id: number;
  keyword_id: number | null;
  from: number;
  to: number;
}

const QUERIES = `search_queries q JOIN keywords k ON k.id = q.keyword_id AND k.project_id = $project_id
    AND ($keyword_id IS NULL OR k.id = $keyword_id)`;
const KIND = 'q.engine = $engine AND q.region = $region AND q.device = $device';

/** Puts columns of numbers together as the text of one JSON list: tuples would be parsed again by the database for each row. */
const flat = (...columns: string[]): string =>
  `'[' || COALESCE(string_agg(${columns.join(" || ',' || ")}, ','), '') || ']' AS cells`;

/** Takes a list of numbers apart into tuples of a length. */
function tuplesOf<T extends number[]>([row]: { cells: string }[], length: T['length']): T[] {
  const numbers = JSON.parse(row?.cells ?? '[]') as number[];
  const tuples: T[] = [];
  for (let at = 0; at < numbers.length; at += length) tuples.push(numbers.slice(at, at + length) as T);
  return tuples;
}

/** A reading of a keyword on a day: its depth, and the number of the list of domains that were looked for. */
export type ReadingCells = [keyword_id: number, day: number, depth: number, scope_id: number];

/** Returns the readings of the queries, in one text of the database. */
export const listReadings = async (part: GridPart): Promise<ReadingCells[]> =>
  tuplesOf(
    await select<{ cells: string }>(
      `SELECT ${flat('k.id', 's.day', 's.depth', 's.scope_id')} FROM ${QUERIES} JOIN search_days s ON s.query_id = q.id AND s.day BETWEEN $from AND $to WHERE ${KIND}`,
      { ...part },
    ),
    4,
  );

/** A place of a domain on a day, and the number of the address that stands there, 0 for none. */
export type PlaceCells = [keyword_id: number, day: number, domain_id: number, place: number, page_id: number];

/** Returns all places of the queries, in one text of the database. */
export const listPlaces = async (part: GridPart): Promise<PlaceCells[]> =>
  tuplesOf(
    await select<{ cells: string }>(
      `SELECT ${flat('k.id', 'p.day', 'p.domain_id', 'p.place', 'COALESCE(p.page_id, 0)')} FROM ${QUERIES} JOIN positions p ON p.query_id = q.id AND p.day BETWEEN $from AND $to WHERE ${KIND}`,
      { ...part },
    ),
    5,
  );

/** Returns the days on which a query could not be read. */
export const listFailedDays = async (part: GridPart): Promise<number[]> =>
  (
    await select<{ day: number }>(
      `SELECT DISTINCT f.day FROM ${QUERIES} JOIN search_failures f ON f.query_id = q.id AND f.day BETWEEN $from AND $to
       WHERE ${KIND} ORDER BY f.day`,
      { ...part },
    )
  ).map(({ day }) => day);

/** Returns the lists of domains that were looked for, by their number. */
export async function listScopes(project_id: number): Promise<Map<number, ReadonlySet<number>>> {
  const rows = await select<{ id: number; domain_ids: string }>(
    'SELECT id, domain_ids FROM search_scopes WHERE project_id = $project_id',
    { project_id },
  );
  return new Map(rows.map(({ id, domain_ids }) => [id, new Set(JSON.parse(domain_ids) as number[])]));
}

/** Returns the addresses with these numbers. */
export const listFoundPages = (ids: readonly number[]): Promise<{ id: number; url: string }[]> =>
  select('SELECT id, url FROM found_pages WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))', {
    ids: JSON.stringify(ids),
  });

/** A move of a project's main domain, with the names at that time. */
export interface ProjectMove extends Omit<Move, 'day'> {
  id: number;
  created_at: string;
  main_domain_name: string;
  transfer_domain_name: string;
}

const MOVE = `h.id, h.created_at, COALESCE(h.main_domain_id, h.gone_main_id) AS main_domain_id,
  COALESCE(h.transfer_domain_id, h.gone_transfer_id) AS transfer_domain_id, h.main_domain_name, h.transfer_domain_name`;

/** Returns the moves of a project, the oldest first. */
export const listMoves = (project_id: number): Promise<ProjectMove[]> =>
  select(`SELECT ${MOVE} FROM transfer_history h WHERE h.project_id = $project_id ORDER BY h.id`, { project_id });

/** Returns the newest moves of all projects that an actor may see. */
export const listRecentMoves = (
  actor: Actor,
  limit: number,
): Promise<(ProjectMove & { project_id: number; project_name: string })[]> =>
  select(
    `SELECT ${MOVE}, p.id AS project_id, p.name AS project_name FROM transfer_history h JOIN projects p ON p.id = h.project_id
     WHERE ${VISIBLE.projects(actor)} ORDER BY h.id DESC LIMIT $limit`,
    { limit, ...bindings(actor) },
  );

/** A reading of some keyword on a day, with the number of the list of domains that were looked for. */
export type DayCells = [day: number, scope_id: number];

/** Returns the days of the readings of the queries, in one text of the database: grouped by day they would be sorted first. */
export const listReadDays = async (part: GridPart): Promise<DayCells[]> =>
  tuplesOf(
    await select<{ cells: string }>(
      `SELECT ${flat('s.day', 's.scope_id')} FROM ${QUERIES} JOIN search_days s ON s.query_id = q.id AND s.day BETWEEN $from AND $to WHERE ${KIND}`,
      { ...part },
    ),
    2,
  );

/** A place for some keyword on a day. */
export type PlaceOfDayCells = [day: number, place: number];

/** Returns the places of a domain for the queries, in one text of the database. */
export const listPlacesOn = async (part: GridPart, domain_id: number): Promise<PlaceOfDayCells[]> =>
  tuplesOf(
    await select<{ cells: string }>(
      `SELECT ${flat('p.day', 'p.place')} FROM ${QUERIES} JOIN positions p ON p.query_id = q.id AND p.day BETWEEN $from AND $to
         AND p.domain_id = $domain_id WHERE ${KIND}`,
      { ...part, domain_id },
    ),
    2,
  );

/** Returns since when domains are blocked, by the list. */
export const listBlocked = (ids: readonly number[]): Promise<{ domain_name: string; since: string }[]> =>
  select(
    `SELECT d.domain_name, MIN(COALESCE(c.since, c.checked_at)) AS since FROM checks c JOIN domains d ON d.id = c.domain_id
     WHERE c.kind = 'blocklist' AND c.verdict = 'blocked' AND d.id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))
     GROUP BY d.id, d.domain_name ORDER BY since`,
    { ids: JSON.stringify(ids) },
  );

/** Returns the reading of a keyword on a day; undefined: there is none. */
export async function findReading(
  keyword_id: number,
  day: number,
  { engine, region, device }: QueryKind,
): Promise<SearchDayRow | undefined> {
  const [row] = await select<SearchDayRow>(
    `SELECT s.* FROM search_queries q JOIN search_days s ON s.query_id = q.id AND s.day = $day
     WHERE q.keyword_id = $keyword_id AND ${KIND}`,
    { keyword_id, day, engine, region, device },
  );
  return row;
}

/** Returns the places of a query on a day, the best first. */
export const listPlacesOf = (query_id: number, day: number): Promise<{ place: number; domain_name: string }[]> =>
  select(
    `SELECT p.place, d.domain_name FROM positions p JOIN domains d ON d.id = p.domain_id
     WHERE p.query_id = $query_id AND p.day = $day ORDER BY p.place`,
    { query_id, day },
  );
