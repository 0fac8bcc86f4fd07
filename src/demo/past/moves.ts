import { MOVES } from '../domains.ts';
import { before, type Domain } from './time.ts';

/** A move of the past: from a name, to a name, when, and whether it began by itself. `isDoubtful`: its redirect was not seen at once. */
export interface Move {
  from: Domain;
  to: Domain;
  at: number;
  isAuto: boolean;
  isDoubtful: boolean;
}

// The move whose redirect was not seen: the one of so many days ago.
const DOUBTFUL_AGO = 24.6;

/** Returns the moves of the projects from each name to the next, the oldest first; none of a portfolio that is too small for all names of a project. */
export function movesOf(domains: readonly Domain[], now: Date): Move[] {
  const moves = MOVES.flatMap(({ left, now: arrived, ago, auto }) => {
    const way = [...left, arrived].flatMap((index) => domains[index] ?? []);
    if (way.length <= left.length) return [];
    return way.slice(1).flatMap((to, step) => {
      const [from, days = 0] = [way[step], ago[step]];
      if (!from) return [];
      return [{ from, to, at: before(now, days), isAuto: auto.includes(step), isDoubtful: days === DOUBTFUL_AGO }];
    });
  });
  return moves.toSorted((one, other) => one.at - other.at);
}
