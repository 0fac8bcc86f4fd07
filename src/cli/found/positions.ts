import type { Actor } from '../../services/access/scope.ts';
import { projectPositions } from '../../services/positions/grids.ts';
import type { Engine } from '../../shared/engines.ts';
import { dropOf } from '../../shared/positions/drops.ts';
import { withFindings } from '../blocked-names.ts';
import { columnsOf, minorOf, type Result } from '../output.ts';

/** A position in the output: the last known place of a keyword and the one before; 0 is not within the depth, null no check. */
interface PositionItem {
  engine: Engine;
  keyword: string;
  date: string | null;
  place: number | null;
  before: number | null;
  /** Places lost since the check before, less than zero for places won; null: not known. */
  drop: number | null;
  url: string | null;
}

export const POSITION_COLUMNS = minorOf(
  columnsOf<PositionItem>({
    engine: true,
    keyword: true,
    date: true,
    place: true,
    before: true,
    drop: true,
    url: true,
  }),
  'date',
  'url',
);

/** Which positions: those over so many days up to one, which is the latest day with a check unless it is given. */
interface Shown {
  projectId: number;
  engine: Engine;
  days?: number;
  until?: string;
}

/**
 * Returns the positions of a project's keywords. A drop is told for keywords that were checked on the last day alone: it lies between
 * that check and the one before, and without a check there is none.
 */
export async function positionItems(actor: Actor, { projectId, engine, days, until }: Shown): Promise<PositionItem[]> {
  const { dates, keywords, values, depths, found, pages } = await projectPositions(actor, projectId, engine, days);
  const lastDate = until ?? dates.at(-1);
  return keywords.map(({ value: keyword }, k): PositionItem => {
    const known = dates.flatMap((date, d) => {
      const place = values[d]?.[k] ?? null;
      if (place === null || (until !== undefined && date > until)) return [];
      return [{ date, place, depth: depths[d]?.[k] ?? 0, page: found[d]?.[k] ?? null }];
    });
    const last = known.at(-1);
    const before = known.at(-2);
    return {
      engine,
      keyword,
      date: last?.date ?? null,
      place: last?.place ?? null,
      before: before?.place ?? null,
      drop: last && before && last.date === lastDate ? dropOf(last, before) : null,
      url: last?.page == null ? null : (pages[last.page] ?? null),
    };
  });
}

/** Returns positions as a result: exit 3 where a keyword has lost so many places or more. */
export function positionsResult(items: PositionItem[], failOnDrop: number | undefined, more: Result = {}): Result {
  const dropped = failOnDrop === undefined ? 0 : items.filter(({ drop }) => drop !== null && drop >= failOnDrop).length;
  const result = { ...more, items, columns: POSITION_COLUMNS, summary: { total: items.length, dropped } };
  return withFindings(result, dropped > 0, dropped);
}
