import type { Engine } from '../../shared/engines.ts';
import { notFound } from '../../shared/errors.ts';
import { dateOf, dayOf, mainsOn } from '../../shared/positions/places.ts';
import type { PositionEvent, PositionGrid, ProjectPositions } from '../../shared/positions/positions.ts';
import type { Actor } from '../access/scope.ts';
import { findDomain } from '../portfolio/domain-lists.ts';
import { findProject } from '../portfolio/projects.ts';
import {
  listBlocked,
  listFailedDays,
  listFoundPages,
  listMoves,
  listPlaces,
  listReadings,
  listScopes,
  type GridPart,
  type PlaceCells,
  type ProjectMove,
} from './grid-rows.ts';
import { findKeyword, listKeywords } from './keywords.ts';
import { listSought, type QueryKind } from './query-rows.ts';
import { kindIn, settingsOf } from './settings.ts';
import { readValues } from './values.ts';

const USUAL_DAYS = 90;

/** Returns what is asked of an engine by the settings of a project. */
export async function kindOf(projectId: number, engine: Engine): Promise<QueryKind> {
  return kindIn(await settingsOf(projectId), engine);
}

/** A reading of a keyword on a day with its places. */
interface Cell {
  depth: number;
  sought: ReadonlySet<number>;
  places: PlaceCells[];
}

/** All readings of a part: the days, and the cells by day and keyword. */
interface Grid {
  days: number[];
  cell: (day: number, keywordId: number) => Cell | undefined;
}

const NOBODY: ReadonlySet<number> = new Set();

/** Reads all readings of a part and their places. */
export async function readGrid(part: GridPart): Promise<Grid> {
  const [readings, places, failed, scopes] = await Promise.all([
    listReadings(part),
    listPlaces(part),
    listFailedDays(part),
    listScopes(part.project_id),
  ]);
  const byDay = new Map<number, Map<number, Cell>>(failed.map((day) => [day, new Map()]));
  for (const [keywordId, day, depth, scopeId] of readings) {
    let cells = byDay.get(day);
    if (!cells) byDay.set(day, (cells = new Map()));
    cells.set(keywordId, { depth, sought: scopes.get(scopeId) ?? NOBODY, places: [] });
  }
  for (const place of places) byDay.get(place[1])?.get(place[0])?.places.push(place);
  return {
    days: [...byDay.keys()].toSorted((one, other) => one - other),
    cell: (day, keywordId) => byDay.get(day)?.get(keywordId),
  };
}

/** Returns the value of a cell for some domains: the best place, 0 where none is within the depth, null where none was sought. */
export function valueOf(
  cell: Cell | undefined,
  domains: ReadonlySet<number>,
): { value: number | null; page: number | null } {
  if (!cell) return { value: null, page: null };
  let best: PlaceCells | undefined;
  for (const place of cell.places) if (domains.has(place[2]) && (!best || place[3] < best[3])) best = place;
  if (best) return { value: best[3], page: best[4] || null };
  return { value: [...domains].some((id) => cell.sought.has(id)) ? 0 : null, page: null };
}

const partOf = async (
  projectId: number,
  engine: Engine,
  keywordId: number | null = null,
  days = USUAL_DAYS,
): Promise<GridPart> => {
  const to = dayOf(Date.now());
  return {
    project_id: projectId,
    keyword_id: keywordId,
    from: to - days + 1,
    to,
    ...(await kindOf(projectId, engine)),
  };
};

/** Returns the positions of a domain for the keywords of its project. Throws AppError `not_found`. */
export async function domainPositions(
  actor: Actor,
  domainId: number,
  engine: Engine,
): Promise<PositionGrid & { keywords: string[] }> {
  const { id, project_id } = await findDomain(actor, domainId);
  if (project_id === null) return { dates: [], keywords: [], values: [] };
  const keywords = await listKeywords(actor, project_id);
  const own = new Set([id]);
  const ids = keywords.map((keyword) => keyword.id);
  const { days, values } = await readValues(await partOf(project_id, engine), ids, () => own);
  return { dates: days.map(dateOf), keywords: keywords.map(({ value }) => value), values };
}

/** Returns the positions of all domains of a project for a keyword. Throws AppError `not_found`. */
export async function keywordPositions(
  actor: Actor,
  projectId: number,
  engine: Engine,
  keywordId: number,
): Promise<PositionGrid & { domains: string[] }> {
  const project = await findProject(actor, projectId);
  const keyword = await findKeyword(actor, keywordId);
  if (keyword.project_id !== project.id) throw notFound();
  const [domains, grid] = await Promise.all([
    listSought(project.id),
    readGrid(await partOf(project.id, engine, keyword.id)),
  ]);
  const sets = domains.map(({ id }) => new Set([id]));
  return {
    dates: grid.days.map(dateOf),
    domains: domains.map(({ domain_name }) => domain_name),
    values: grid.days.map((day) => sets.map((own) => valueOf(grid.cell(day, keyword.id), own).value)),
  };
}

/** Returns the addresses of places by their number, each once, and their indexes. */
async function pagesOf(ids: readonly (number | null)[]): Promise<{ pages: string[]; indexOf: Map<number, number> }> {
  const unique = [...new Set(ids.filter((id) => id !== null))];
  const rows = unique.length === 0 ? [] : await listFoundPages(unique);
  return { pages: rows.map(({ url }) => url), indexOf: new Map(rows.map(({ id }, index) => [id, index])) };
}

async function eventsOf(
  moves: readonly ProjectMove[],
  mains: readonly number[],
  from: number,
): Promise<PositionEvent[]> {
  const moved = moves.map(({ created_at, main_domain_name, transfer_domain_name }) => ({
    date: created_at.slice(0, 10),
    kind: 'moved' as const,
    domain_name: main_domain_name,
    to_name: transfer_domain_name,
  }));
  const ids = [...new Set([...mains, ...moves.flatMap(({ main_domain_id }) => main_domain_id ?? [])])];
  const blocked = (await listBlocked(ids)).map(({ domain_name, since }) => ({
    date: since.slice(0, 10),
    kind: 'blocked' as const,
    domain_name,
    to_name: null,
  }));
  return [...moved, ...blocked]
    .filter(({ date }) => date >= dateOf(from))
    .toSorted((one, other) => (one.date < other.date ? -1 : 1));
}

const bare = (url: string): string => url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');

/**
 * Returns the positions of a project over its latest days: on each those of the domains that were its mains then. Throws AppError
 * `not_found`.
 */
export async function projectPositions(
  actor: Actor,
  projectId: number,
  engine: Engine,
  days = USUAL_DAYS,
): Promise<ProjectPositions> {
  const { id } = await findProject(actor, projectId);
  const part = await partOf(id, engine, null, days);
  const [keywords, domains, moves] = await Promise.all([listKeywords(actor, id), listSought(id), listMoves(id)]);
  const now = domains.flatMap((domain) => (domain.type === 'main' ? [domain.id] : []));
  const dated = moves.map((move) => Object.assign(move, { day: dayOf(move.created_at) }));
  const ids = keywords.map((keyword) => keyword.id);
  const read = await readValues(part, ids, (day) => mainsOn(day, now, dated));
  const { pages, indexOf } = await pagesOf(read.pages.flat());
  const found = read.pages.map((cells) => cells.map((page) => (page === null ? null : (indexOf.get(page) ?? null))));
  const isOther = (at: number | null | undefined, target: string | null): boolean =>
    target !== null && at != null && bare(pages[at] ?? '') !== bare(target);
  return {
    engine,
    region: part.region,
    device: part.device,
    dates: read.days.map(dateOf),
    keywords,
    values: read.values,
    depths: read.depths,
    pages,
    found,
    rivals: found.map((cells) => cells.map((at, k) => isOther(at, keywords[k]?.target_url ?? null))),
    events: await eventsOf(moves, now, part.from),
  };
}
