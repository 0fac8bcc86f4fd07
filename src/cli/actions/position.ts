import type { Actor } from '../../services/access/scope.ts';
import { projectNamed } from '../../services/portfolio/projects.ts';
import { fetchCost } from '../../services/positions/cost.ts';
import { startFetch } from '../../services/positions/fetch.ts';
import { ENGINES, type Engine } from '../../shared/engines.ts';
import { AppError } from '../../shared/errors.ts';
import type { Key } from '../../shared/i18n/index.ts';
import type { FetchCost } from '../../shared/positions/positions.ts';
import { usageError, type Context } from '../context.ts';
import { failureOf } from '../failure.ts';
import { prepareFlows } from '../flows.ts';
import { columnsOf, type Failure, type ItemError, type Result } from '../output.ts';
import { positionItems, positionsResult } from '../found/positions.ts';
import { answerOfPositions, runHere } from '../run-operation.ts';
import { confirm } from '../secret.ts';
import { watchInterrupt } from '../terminal/interrupt.ts';

interface Flags {
  project: string;
  engine?: Engine;
  wait?: boolean;
  dryRun?: boolean;
  days?: number;
  failOnDrop?: number;
}

type PlannedFetch = { engine: Engine } & Omit<FetchCost, 'has_account' | 'operation_id'>;

const PLANNED_COLUMNS = columnsOf<PlannedFetch>({
  engine: true,
  source: true,
  requests: true,
  price: true,
  currency: true,
  balance: true,
  left_today: true,
});

const enginesOf = ({ engine }: Flags): readonly Engine[] => (engine ? [engine] : ENGINES);

/** `position show`: exit 3 where a keyword has lost as many places as `--fail-on-drop` says. */
export async function show(context: Context, flags: Flags): Promise<Result> {
  const { actor } = await context.open();
  const { id: projectId } = await projectNamed(actor, flags.project);
  const lists = await Promise.all(
    enginesOf(flags).map((engine) => positionItems(actor, { projectId, engine, days: flags.days ?? 30 })),
  );
  return positionsResult(lists.flat(), flags.failOnDrop);
}

const NO_ACCOUNTS = new Set<Key>(['positions.no_account', 'positions.no_xmlriver', 'positions.no_arsenkin']);

/** Returns what readings take at most. Throws AppError where nothing can be read. */
async function planOf(actor: Actor, projectId: number, engines: readonly Engine[]): Promise<PlannedFetch[]> {
  const plans: PlannedFetch[] = [];
  for (const engine of engines) {
    const { has_account, operation_id: _, ...cost } = await fetchCost(actor, projectId, engine);
    if (!has_account) throw new AppError('not_configured', 'positions.no_account');
    if (cost.requests === 0) throw new AppError('refused', 'positions.no_keywords');
    plans.push({ engine, ...cost });
  }
  return plans;
}

/** Returns the sum of the prices, all of one source; null where one is not known. */
function sumOf(plans: readonly PlannedFetch[]): string | null {
  if (plans.some(({ price }) => price === null)) return null;
  const sum = plans.reduce((all, { price }) => all + Number(price), 0);
  return plans[0]?.currency === 'limits' ? String(sum) : sum.toFixed(2);
}

/** Queues a reading; with `here` for this process. Throws AppError `not_configured` without an account. */
async function start(actor: Actor, projectId: number, type: Engine, here: boolean): Promise<number> {
  try {
    return (await startFetch(actor, { projectId, keywordId: null, type }, here)).id;
  } catch (error) {
    throw error instanceof AppError && NO_ACCOUNTS.has(error.key) ? new AppError('not_configured', error.key) : error;
  }
}

/** Reads one engine after the other in this process, until all are read or Ctrl-C. */
async function fetchHere(context: Context, actor: Actor, projectId: number, flags: Flags): Promise<Result> {
  const interrupt = watchInterrupt();
  const engines = enginesOf(flags);
  const operations: number[] = [];
  const answers: Result[] = [];
  const failures: Failure[] = [];
  for (const [index, engine] of engines.entries()) {
    if (interrupt.signal.aborted) break;
    try {
      const id = await start(actor, projectId, engine, true);
      operations.push(id);
      const { failure } = await runHere(context, actor, id, interrupt);
      answers.push(await answerOfPositions(context, actor, id));
      if (failure) failures.push(withRest(failure, projectId, engines.slice(index + 1), flags, context));
    } catch (error) {
      // A failure must not hide the readings of earlier engines, which were paid for.
      if (!(error instanceof AppError) || answers.length === 0) throw error;
      failures.push(failureOf(error, context.asked.language, context.program));
    }
  }
  const items = answers.flatMap((answer) => answer.items ?? []);
  const errors = answers.flatMap((answer): ItemError[] => answer.errors ?? []);
  const failure = failures.find(({ code }) => code === 'interrupted') ?? failures[0];
  const more = { data: { operations }, errors, ...(failure && { failure, exit: failure.exit }) };
  return positionsResult(items as Parameters<typeof positionsResult>[0], flags.failOnDrop, more);
}

/** Adds to the command that resumes an interrupted reading its flag, or the command that reads the engines which were not begun: 3 would keep that from it. */
function withRest(
  failure: Failure,
  projectId: number,
  rest: readonly Engine[],
  { failOnDrop }: Flags,
  { options, program, sameFlags }: Context,
): Failure {
  if (failure.code !== 'interrupted') return failure;
  const onDrop = failOnDrop === undefined ? '' : ` --fail-on-drop ${failOnDrop}`;
  if (rest.length === 0) return { ...failure, message: failure.message + onDrop };
  const flags = [options.yes ? ' --yes' : '', onDrop, sameFlags].join('');
  const commands = rest.map(
    (engine) => ` && ${program} position fetch --project ${projectId} --engine ${engine} --wait${flags}`,
  );
  return { ...failure, message: failure.message + commands.join('') };
}

/** `position fetch`: asks, and queues a reading for each engine; with `--wait` runs them here and prints the positions. */
export async function fetch(context: Context, flags: Flags): Promise<Result> {
  const { say, options } = context;
  if (flags.failOnDrop !== undefined && !flags.wait) throw usageError('positions.needs_wait');
  const { actor } = await context.open();
  prepareFlows();
  const { id, name } = await projectNamed(actor, flags.project);
  const engines = enginesOf(flags);
  if (flags.dryRun || !options.yes) {
    const plans = await planOf(actor, id, engines);
    const n = plans.reduce((sum, { requests }) => sum + requests, 0);
    const sum = sumOf(plans);
    const currency = plans[0]?.currency ?? 'RUB';
    if (flags.dryRun) {
      const data = { dry_run: true, requests: n, sum, currency };
      const summary = { total: plans.length };
      return { items: plans, columns: PLANNED_COLUMNS, summary, data, note: () => say('cli.dry_run') };
    }
    const cost =
      currency === 'limits' && sum !== null
        ? say('search_account.limits', { n: Number(sum) })
        : `${sum ?? '?'} ${currency}`;
    await confirm(context, say('positions.confirm', { project: name, n, cost }));
  }
  if (flags.wait) return fetchHere(context, actor, id, flags);
  const operations: number[] = [];
  for (const engine of engines) operations.push(await start(actor, id, engine, false));
  return { data: { operations }, text: say('positions.requested') };
}
