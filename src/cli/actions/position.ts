import { startFetch } from '../../services/positions/fetch.ts';
import { projectPositions } from '../../services/positions/grids.ts';
import { projectNamed } from '../../services/portfolio/projects.ts';
import type { Actor } from '../../services/access/scope.ts';
import { ENGINES, type Engine } from '../../shared/engines.ts';
import type { Context } from '../context.ts';
import { prepareFlows } from '../flows.ts';
import { columnsOf, type Result } from '../output.ts';
import { runHere } from '../run-operation.ts';

interface Flags {
  project: string;
  engine?: Engine;
  wait?: boolean;
  days?: number;
  failOnDrop?: number;
}

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

const COLUMNS = columnsOf<PositionItem>({
  engine: true,
  keyword: true,
  date: true,
  place: true,
  before: true,
  drop: true,
  url: true,
});

const enginesOf = ({ engine }: Flags): readonly Engine[] => (engine ? [engine] : ENGINES);

// Out of the depth is counted as the first place behind it.
const placeOf = (value: number, depth: number | null): number => (value === 0 ? (depth ?? 100) + 1 : value);

async function itemsOf(actor: Actor, projectId: number, engine: Engine, days: number): Promise<PositionItem[]> {
  const { dates, keywords, values, depths, found, pages } = await projectPositions(actor, projectId, engine, days);
  return keywords.map(({ value: keyword }, k): PositionItem => {
    const known = dates.flatMap((date, d) => {
      const value = values[d]?.[k] ?? null;
      return value === null ? [] : [{ date, value, depth: depths[d]?.[k] ?? null, page: found[d]?.[k] ?? null }];
    });
    const last = known.at(-1);
    const before = known.at(-2);
    return {
      engine,
      keyword,
      date: last?.date ?? null,
      place: last?.value ?? null,
      before: before?.value ?? null,
      drop: last && before ? placeOf(last.value, last.depth) - placeOf(before.value, before.depth) : null,
      url: last?.page == null ? null : (pages[last.page] ?? null),
    };
  });
}

async function shown(actor: Actor, projectId: number, flags: Flags): Promise<Result> {
  const lists = await Promise.all(
    enginesOf(flags).map((engine) => itemsOf(actor, projectId, engine, flags.days ?? 30)),
  );
  const items = lists.flat();
  const { failOnDrop } = flags;
  const dropped = failOnDrop === undefined ? [] : items.filter(({ drop }) => drop !== null && drop >= failOnDrop);
  const summary = { total: items.length, dropped: dropped.length };
  return { items, columns: COLUMNS, summary, ...(dropped.length > 0 && { exit: 3 as const }) };
}

/** `position show`: exit 3 where a keyword has lost as many places as `--fail-on-drop` says. */
export async function show(context: Context, flags: Flags): Promise<Result> {
  const { actor } = await context.open();
  const { id } = await projectNamed(actor, flags.project);
  return shown(actor, id, flags);
}

/** `position fetch`: queues a reading for each engine; with `--wait` runs them here and prints the positions. */
export async function fetch(context: Context, flags: Flags): Promise<Result> {
  const { actor } = await context.open();
  prepareFlows();
  const project = await projectNamed(actor, flags.project);
  const started: { id: number }[] = [];
  let last: Result = {};
  for (const type of enginesOf(flags)) {
    const request = { projectId: project.id, keywordId: null, type };
    const operation = await startFetch(actor, request, flags.wait === true);
    started.push(operation);
    if (!flags.wait) continue;
    const ended = await runHere(context, actor, operation.id);
    if (ended.failure && !last.failure) last = ended;
  }
  if (!flags.wait) {
    const ids = started.map(({ id }) => id);
    return { data: { operations: ids }, text: context.say('positions.requested') };
  }
  const result = await shown(actor, project.id, flags);
  return last.failure ? { ...result, exit: last.failure.exit, failure: last.failure } : result;
}
