import type { ProjectView } from '../portfolio/projects.ts';
import type { ReserveFacts, ReserveView } from '../transfers/reserve-states.ts';
import type { Clause } from './state-sentence.ts';

/** Kinds of a project's past, in the order of their filters. */
export const PROJECT_KINDS = ['blocks', 'moves', 'checks', 'purchases'] as const;

/** How many main domains a project has, and how many of them are blocked, or do not answer as they should. */
export interface MainCounts {
  total: number;
  blocked: number;
  broken: number;
}

/**
 * The page of a project. `mains` are those that need somebody first, `reserves` the ready ones first, and some that are not; of each `MOST_RESERVES` at most. `moving` are
 * the transfers that the reader may open and that are under way; `is_moving`: there is any, whoever has begun it.
 */
export interface ProjectPage {
  project: ProjectView;
  counts: MainCounts;
  mains: ReserveFacts[];
  reserves: ReserveView[];
  reserve_count: number;
  ready_count: number;
  /** How reserves are bought: `ready` are those that automatic transfer may take, `under_way` are being bought. */
  buying: { state: 'on' | 'off'; wanted: number; ready: number; under_way: number };
  moving: number[];
  is_moving: boolean;
}

function mainsClause({ counts: { total, blocked, broken }, mains }: ProjectPage): Clause[] {
  const [first] = mains;
  if (!first) return [{ tone: 'doubtful', key: 'project_page.no_mains' }];
  if (total === 1) {
    const params = { name: first.unicode_name };
    if (blocked > 0) return [{ tone: 'bad', key: 'project_page.main_blocked', params }];
    if (broken > 0) return [{ tone: 'bad', key: 'project_page.main_broken', params }];
    const key = first.last_http_check_at === null ? 'project_page.main_unchecked' : 'project_page.main_answers';
    return [{ tone: 'plain', key, params }];
  }
  const bad: Clause[] = [
    ...(blocked > 0
      ? [{ tone: 'bad', key: 'project_page.mains_blocked', params: { n: blocked, total } } as const]
      : []),
    ...(broken > 0 ? [{ tone: 'bad', key: 'project_page.mains_broken', params: { n: broken, total } } as const] : []),
  ];
  return bad.length > 0 ? bad : [{ tone: 'plain', key: 'project_page.mains_well', params: { n: total } }];
}

function reservesClause({ reserve_count, ready_count, is_moving, counts }: ProjectPage): Clause[] {
  const tone = counts.blocked > 0 ? 'bad' : 'doubtful';
  const moves: Clause[] = is_moving ? [{ tone: 'doubtful', key: 'domain_page.moving' }] : [];
  if (ready_count > 0)
    return [...moves, { tone: 'plain', key: 'domain_page.reserves_ready', params: { n: ready_count } }];
  if (reserve_count === 0) return [...moves, { tone, key: 'domain_page.no_reserves' }];
  return [...moves, { tone, key: 'domain_page.none_ready', params: { n: reserve_count } }];
}

/** Returns the state of a project as one sentence of clauses: its main domains, a move that is under way, its reserves. */
export const projectSentence = (page: ProjectPage): Clause[] => [...mainsClause(page), ...reservesClause(page)];
