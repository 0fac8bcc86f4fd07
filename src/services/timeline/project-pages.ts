import { toUnicode } from '../../shared/portfolio/domain-name.ts';
import type { Key, Message } from '../../shared/i18n/index.ts';
import { MOST_RESERVES } from '../../shared/timeline/domain-page.ts';
import type { ReserveView } from '../../shared/transfers/reserve-states.ts';
import type { ProjectPage } from '../../shared/timeline/project-page.ts';
import type { Timeline, TimelineQuery } from '../../shared/timeline/timeline.ts';
import type { Actor } from '../access/scope.ts';
import { findProject, findProjectView } from '../portfolio/projects.ts';
import { readAutoBuy } from '../purchases/auto-buy.ts';
import { countReserves } from '../purchases/reserve-rows.ts';
import { reservesOf } from './domain-pages.ts';
import * as rows from './project-rows.ts';
import { boughtOf, moveOf, type Told } from './sources.ts';
import { mergeSources } from './timeline.ts';

/** Returns some reserves of each kind: those that are ready, the best first, and those that are not, so that both are seen. */
function shownOf(reserves: readonly ReserveView[]): ReserveView[] {
  const ready = reserves.filter(({ state }) => state === 'ready');
  const others = reserves.filter(({ state }) => state !== 'ready');
  const half = MOST_RESERVES / 2;
  const most = Math.max(half, MOST_RESERVES - others.length);
  const first = ready.slice(0, most);
  return [...first, ...others.slice(0, MOST_RESERVES - first.length)];
}

/** Returns the page of the caller's project by its id or name, from what is stored alone. Throws AppError `not_found`. */
export async function readProjectPage(actor: Actor, ref: string): Promise<ProjectPage> {
  const project = await findProjectView(actor, ref);
  const { id } = project;
  const [counts, mains, reserves, settings, bought, moving] = await Promise.all([
    rows.countMains(id),
    rows.listMainFacts(id, MOST_RESERVES),
    reservesOf(actor, id, 0),
    readAutoBuy(actor, id),
    countReserves(id),
    rows.listMovingIn(actor, id),
  ]);
  const { state, wanted_reserves: wanted } = settings;
  return {
    project,
    counts,
    mains,
    reserves: shownOf(reserves),
    reserve_count: reserves.length,
    ready_count: reserves.filter(({ state: how }) => how === 'ready').length,
    buying: { state, wanted, ready: bought.ready, under_way: bought.under_way },
    moving: moving.flatMap((one) => (one.is_own === 1 ? one.id : [])),
    is_moving: moving.length > 0,
  };
}

const WORDS: Record<string, { key: Key; tone: Told['tone'] }> = {
  domain_blocked: { key: 'timeline.name_blocked', tone: 'bad' },
  domain_unblocked: { key: 'timeline.name_unblocked', tone: 'good' },
  domain_down: { key: 'timeline.name_down', tone: 'bad' },
  domain_up: { key: 'timeline.name_up', tone: 'good' },
};

function eventOf({ row, at, kind, unicode_name: name }: rows.ProjectEventRow & { row: number; at: string }): Told {
  const { key, tone } = WORDS[kind] ?? { key: 'timeline.work', tone: 'plain' };
  return { row, at, tone, text: { key, params: { name } }, who: null, operation_id: null };
}

/** Puts the name in front of an entry that is about one name of many. */
const named = (name: string, told: Told): Told => ({
  ...told,
  text: { key: 'timeline.about', params: { name: toUnicode(name) }, also: [told.text] },
});

/**
 * Returns a part of what has happened to the caller's project and its domains, the newest first: blocks and outages as long as events
 * are kept, moves, purchases. Throws AppError `not_found`.
 */
export async function readProjectTimeline(actor: Actor, id: number, query: TimelineQuery): Promise<Timeline<Message>> {
  const project = await findProject(actor, id);
  return mergeSources(
    [
      {
        kind: 'checks',
        list: async (place) => (await rows.listProjectEvents(project.id, 'checks', place)).map(eventOf),
      },
      {
        kind: 'purchases',
        list: async (place) =>
          (await rows.listProjectBought(actor, project.id, place)).map((row) => named(row.domain_name, boughtOf(row))),
      },
      {
        kind: 'moves',
        list: async (place) =>
          (await rows.listProjectMoves(actor, project.id, place)).map((move) => moveOf(null, move)),
      },
      {
        kind: 'blocks',
        list: async (place) => (await rows.listProjectEvents(project.id, 'blocks', place)).map(eventOf),
      },
    ],
    query,
  );
}
