import type { Engine } from '../../shared/engines.ts';
import { dayOf } from '../../shared/positions/places.ts';
import type { MoveRecovery } from '../../shared/positions/positions.ts';
import { shareOf } from '../../shared/positions/visibility.ts';
import type { Actor } from '../access/scope.ts';
import { listMoves, listPlacesOn, listReadDays, listRecentMoves, listScopes, type GridPart } from './grid-rows.ts';
import { kindOf } from './grids.ts';
import type { QueryKind } from './query-rows.ts';

const MOST_MOVES = 30;
// The worth of a main is that of its best day in so many before its move: it sinks once the main is blocked.
const BEFORE = 21;
const AFTER = 60;

interface DatedMove {
  id: number;
  day: number;
  main_domain_id: number | null;
  transfer_domain_id: number | null;
}

/** The data that the moves of a project share. `scopes`: the ids of domains by scope. */
interface OfProject {
  kind: QueryKind;
  scopes: Map<number, ReadonlySet<number>>;
  /** All of its moves, the oldest first. */
  moves: DatedMove[];
}

const dated = <T extends { created_at: string }>(move: T): T & { day: number } =>
  Object.assign(move, { day: dayOf(move.created_at) });

async function readProject(projectId: number, engine: Engine): Promise<OfProject> {
  const [kind, scopes, moves] = await Promise.all([
    kindOf(projectId, engine),
    listScopes(projectId),
    listMoves(projectId),
  ]);
  return { kind, scopes, moves: moves.map(dated) };
}

/** Returns the domain in whose place the main of a move stood on a day before: itself, or one that had moved to it since. */
function formerOn(day: number, move: DatedMove, moves: readonly DatedMove[]): number | null {
  let id = move.main_domain_id;
  for (const earlier of moves.toReversed()) {
    if (earlier.id < move.id && earlier.day > day && earlier.transfer_domain_id === id) id = earlier.main_domain_id;
  }
  return id;
}

/** A domain whose places are needed from one day to another. */
interface Wanted {
  id: number;
  from: number;
  to: number;
}

/** The visibility of domains by day. */
interface Worths {
  /** The days on which at least half as many queries were read as on the fullest day: others tell of a few queries alone. */
  days: number[];
  worthOf: (day: number, domainId: number | null) => number | null;
}

async function readWorths(part: GridPart, wanted: readonly Wanted[], scopes: OfProject['scopes']): Promise<Worths> {
  const [readings, ...places] = await Promise.all([
    listReadDays(part),
    ...wanted.map(({ id, from, to }) => listPlacesOn({ ...part, from, to }, id)),
  ]);
  const all = new Map<number, number>();
  const byScope = new Map<number, Map<number, number>>();
  const add = (sums: Map<number, number>, day: number, n: number): unknown => sums.set(day, (sums.get(day) ?? 0) + n);
  for (const [day, scope_id] of readings) {
    add(all, day, 1);
    let days = byScope.get(scope_id);
    if (!days) byScope.set(scope_id, (days = new Map()));
    add(days, day, 1);
  }
  const seen = new Map<number, Map<number, number>>();
  for (const [index, { id }] of wanted.entries()) {
    const shares = seen.get(id) ?? new Map<number, number>();
    seen.set(id, shares);
    for (const [day, place] of places[index] ?? []) add(shares, day, shareOf(place));
  }
  const soughtOn = (day: number, id: number): number => {
    let sum = 0;
    for (const [scope_id, days] of byScope) if (scopes.get(scope_id)?.has(id)) sum += days.get(day) ?? 0;
    return sum;
  };
  const most = Math.max(0, ...all.values());
  return {
    days: [...all].filter(([, n]) => n * 2 >= most).map(([day]) => day),
    worthOf: (day, id) => {
      const of = id === null ? 0 : soughtOn(day, id);
      return id === null || of === 0 ? null : (seen.get(id)?.get(day) ?? 0) / of;
    },
  };
}

async function recoveryOf(move: DatedMove, to: number, projectId: number, { kind, scopes, moves }: OfProject) {
  const from = move.day - BEFORE;
  const former = new Map<number, number | null>();
  for (let day = from; day <= move.day; day += 1) former.set(day, formerOn(day, move, moves));
  const formers = [...new Set(former.values())].filter((id) => id !== null);
  const wanted = formers.filter((id) => id !== move.transfer_domain_id).map((id) => ({ id, from, to: move.day }));
  // A move that was made before and taken back: its target is a former main as well.
  const since = formers.length > wanted.length ? from : move.day;
  if (move.transfer_domain_id !== null) wanted.push({ id: move.transfer_domain_id, from: since, to });
  const part = { project_id: projectId, keyword_id: null, from, to, ...kind };
  const { days, worthOf } = await readWorths(part, wanted, scopes);
  const before = days.map((day) => worthOf(day, former.get(day) ?? null) ?? 0);
  const best = Math.max(0, ...before);
  const after = new Map(days.map((day) => [day, worthOf(day, move.transfer_domain_id)]));
  const curve = Array.from({ length: Math.max(0, to - move.day + 1) }, (_, index) => {
    const worth = after.get(move.day + index) ?? null;
    return worth === null || best === 0 ? null : Math.round((worth / best) * 100);
  });
  const end = curve.findLastIndex((percent) => percent !== null);
  return { recovered: curve[end] ?? null, curve: curve.slice(0, end + 1) };
}

/**
 * Returns how the newest moves of the caller's projects have recovered: the visibility of the new main on each day after the move, up
 * to the last one that was read, in percent of the best day in the three weeks before it of the main that it follows.
 */
export async function listRecoveries(actor: Actor, engine: Engine): Promise<MoveRecovery[]> {
  const recent = (await listRecentMoves(actor, MOST_MOVES)).map(dated);
  const today = dayOf(Date.now());
  const projects = new Map<number, Promise<OfProject>>();
  return Promise.all(
    recent.map(async ({ created_at, day, main_domain_id, transfer_domain_id, ...names }) => {
      const move = { id: names.id, day, main_domain_id, transfer_domain_id };
      let reading = projects.get(names.project_id);
      if (!reading) projects.set(names.project_id, (reading = readProject(names.project_id, engine)));
      const project = await reading;
      const left = project.moves.find((other) => other.id > move.id && other.main_domain_id === transfer_domain_id);
      const to = Math.min(today, day + AFTER, left?.day ?? today);
      const { recovered, curve } = await recoveryOf(move, to, names.project_id, project);
      return Object.assign(names, { moved_on: created_at.slice(0, 10), recovered, curve });
    }),
  );
}
