import type { Engine } from '../../shared/engines.ts';
import { dayOf } from '../../shared/positions/places.ts';
import type { MoveRecovery } from '../../shared/positions/positions.ts';
import { visibilityOf } from '../../shared/positions/visibility.ts';
import type { Actor } from '../access/scope.ts';
import { listRecentMoves } from './grid-rows.ts';
import { kindOf, readGrid, valueOf } from './grids.ts';
import { listKeywordRows } from './rows.ts';

const MOST_MOVES = 30;
// What a main was worth is the best day of the time before its move: it sinks once it is blocked.
const BEFORE = 21;
const AFTER = 60;

/**
 * Returns how the newest moves of the caller's projects have recovered: the visibility of the new main on each day after the move, in
 * percent of the best day of the former one in the three weeks before it.
 */
export async function listRecoveries(actor: Actor, engine: Engine): Promise<MoveRecovery[]> {
  const moves = await listRecentMoves(actor, MOST_MOVES);
  const today = dayOf(Date.now());
  return Promise.all(
    moves.map(async ({ created_at, main_domain_id, transfer_domain_id, ...move }) => {
      const moved = dayOf(created_at);
      const left = moves.filter((other) => other.main_domain_id === transfer_domain_id && other.id > move.id);
      const to = Math.min(today, moved + AFTER, ...left.map((other) => dayOf(other.created_at)));
      const kind = await kindOf(move.project_id, engine);
      const [grid, keywords] = await Promise.all([
        readGrid({ project_id: move.project_id, keyword_id: null, from: moved - BEFORE, to, ...kind }),
        listKeywordRows(move.project_id),
      ]);
      const worthOf = (day: number, domainId: number | null): number | null =>
        domainId === null
          ? null
          : visibilityOf(keywords.map(({ id }) => valueOf(grid.cell(day, id), new Set([domainId])).value));
      const days = new Set(grid.days);
      const before = grid.days.filter((day) => day <= moved).map((day) => worthOf(day, main_domain_id) ?? 0);
      const best = Math.max(0, ...before);
      const curve = Array.from({ length: Math.max(0, to - moved + 1) }, (_, after) => {
        const worth = days.has(moved + after) ? worthOf(moved + after, transfer_domain_id) : null;
        return worth === null || best === 0 ? null : Math.round((worth / best) * 100);
      });
      const recovered = curve.findLast((part) => part !== null) ?? null;
      return Object.assign(move, { moved_on: created_at.slice(0, 10), recovered, curve });
    }),
  );
}
