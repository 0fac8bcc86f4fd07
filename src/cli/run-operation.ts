import { runOperation } from '../operations/engine.ts';
import { leaveToPerson } from '../operations/lease.ts';
import type { Actor } from '../services/access/scope.ts';
import { checkedBy } from '../services/checks/check-index.ts';
import { foundBy } from '../services/checks/check-results.ts';
import { failedForAway, findOperation, hasTroubled, listItems } from '../services/operations/operations.ts';
import { viewOf } from '../services/operations/operation-views.ts';
import { askedFor } from '../services/positions/fetch.ts';
import { listOpen, whyOpen } from '../services/positions/results.ts';
import { AppError } from '../shared/errors.ts';
import { dateOf } from '../shared/positions/places.ts';
import { isKey, type Message } from '../shared/i18n/index.ts';
import {
  isFinal,
  renderItem,
  renderOperation,
  type OperationItemView,
  type OperationView,
} from '../shared/operations.ts';
import type { Context, Opened } from './context.ts';
import { watchInterrupt, type Interrupt } from './terminal/interrupt.ts';
import { failureOfCheck, FOUND_COLUMNS, inOrder } from './check-portfolio.ts';
import { prepareFlows } from './flows.ts';
import { endOfIndexCheck, indexResult } from './found/indexation.ts';
import { columnsOf, type Failure, type ItemError, type Result } from './output.ts';
import { domainIn } from './plan-result.ts';
import { itemText } from './plan-text.ts';
import { positionItems, positionsResult } from './found/positions.ts';
import { renderFor } from './render.ts';
import { startProgress } from './terminal/show-progress.ts';

/** The fields of an operation's item. */
export const ITEM_COLUMNS = columnsOf<OperationItemView>({
  item: true,
  lane: true,
  state: true,
  error: true,
  id: false,
  acts: false,
  changed_at: false,
});

/**
 * Returns an operation with all its items as a result; a check has its findings as items. People see only the failed
 * items.
 */
export async function answerOf(context: Context, actor: Actor, operation: OperationView<Message>): Promise<Result> {
  const { say } = context;
  const render = renderFor(context);
  const view = renderOperation(render, operation);
  const list = await listItems(actor, view.id);
  const data = list.data.map((item) => renderItem(render, item));
  const kind = `operation.kind_${view.kind}`;
  const head = `${view.id} ${isKey(kind) ? say(kind) : view.kind}: ${say(`ui.operation_${view.state}`)} ${view.done}/${view.total}`;
  const steps = view.steps.map(({ name, state, error, note = '' }) =>
    `  ${stepText(say, name)}: ${say(`ui.operation_${state}`)} – ${error ?? note}`.replace(/ – $/, ''),
  );
  const failed = data.flatMap(({ item, state, error }) =>
    state === 'failed' ? [`  ! ${itemText(say, item)} – ${error ?? ''}`] : [],
  );
  const { total, done, failed: failures } = view;
  const summary = { total, done, failed: failures };
  const answer = { data: view, summary, text: [head, view.message, ...steps, ...failed].join('\n') };
  if (view.kind === 'positions') return { ...answer, ...(await answerOfPositions(context, actor, view.id)) };
  if (view.kind === 'indexation') return { ...answer, ...(await indexResult(actor, await checkedBy(actor, view.id))) };
  // People see the failed items in the text.
  const errors = context.asked.format === 'human' ? [] : errorsOf(data);
  if (view.kind !== 'check') return { ...answer, errors, items: data, columns: ITEM_COLUMNS };
  return { ...answer, items: inOrder(await foundBy(view.id)), columns: FOUND_COLUMNS };
}

/** Returns the name of a step for people; one that this version does not know keeps its own. */
function stepText(say: Context['say'], name: string): string {
  const key = `cli.step_${name}`;
  return isKey(key) ? say(key) : name;
}

const errorsOf = (items: readonly OperationItemView[]): ItemError[] =>
  items.flatMap(({ item, state, error }) =>
    state === 'failed' ? [{ domain: domainIn(item), code: 'failed', message: error ?? '' }] : [],
  );

/** Returns the positions that an operation has read, all of them, and the keywords that it could not read. */
export async function answerOfPositions(context: Context, actor: Actor, id: number): Promise<Result> {
  const { project_id: projectId, engine, day, keyword } = await askedFor(actor, id);
  // The project may be deleted, or somebody else's by now.
  const items = await positionItems(actor, { projectId, engine, until: dateOf(day) }).catch((error: unknown) => {
    if (error instanceof AppError && error.kind === 'not_found') return [];
    throw error;
  });
  const errors = (await listOpen(actor, id)).map(({ keyword: open, error }): ItemError => {
    return { keyword: open, code: error.key, message: renderFor(context)(error) };
  });
  const own = keyword === null ? items : items.filter((item) => item.keyword === keyword);
  return { ...positionsResult(own, undefined), errors };
}

/**
 * Runs an operation in this process to its end, or until the first Ctrl-C, from which on it waits for a person. Throws `busy` if another
 * process holds it.
 */
export async function runHere(
  context: Context,
  actor: Actor,
  id: number,
  interrupt: Interrupt = watchInterrupt(),
): Promise<Result> {
  const progress = startProgress(context, context.command, context.say('cli.operation_running', { id }));
  try {
    await runOperation(id, { byPerson: true, signal: interrupt.signal, onProgress: progress.update });
  } finally {
    await progress.end();
  }
  // Its parts that were not begun, such as the site of a bought name, wait with it.
  if (interrupt.signal.aborted) await leaveToPerson();
  const view = await viewOf(await findOperation(actor, id));
  return { ...(await answerOf(context, actor, view)), ...(await endOf(context, actor, view, interrupt)) };
}

/** Returns how a command ends by its operation, as the command that has begun the operation would. */
async function endOf(
  context: Context,
  actor: Actor,
  view: OperationView<Message>,
  interrupt: Interrupt,
): Promise<Pick<Result, 'failure' | 'exit'>> {
  const { id, kind } = view;
  if (CHECKS.has(kind)) {
    const failure = failureOfCheck(context, renderOperation(renderFor(context), view), interrupt);
    const end = failure ? { failure, exit: failure.exit } : {};
    return kind === 'indexation' ? endOfIndexCheck(actor, id, end) : end;
  }
  const why = (await failedForAway(id)) ? 'away' : await whyOpen(id);
  const failure = failureOf(context, view, interrupt, why);
  return failure ? { failure, exit: failure.exit } : {};
}

// Their commands have ends of their own.
const CHECKS = new Set(['check', 'expiry', 'indexation']);

/**
 * Ends a cancelled operation in this process: what was begun is looked up, or given back. It has failed where it did not end as cancelled,
 * and in part where an item has failed. Throws `busy` if another process holds it.
 */
export async function endHere(context: Context, actor: Actor, id: number): Promise<Result> {
  const { failure, exit, ...result } = await runHere(context, actor, id);
  if (failure?.code !== 'cancelled') return { ...result, ...(failure && { failure, exit: exit ?? failure.exit }) };
  if (!(await hasTroubled(id))) return result;
  return { ...result, failure: { ...failure, exit: 5, code: 'partial' }, exit: 5 };
}

function failureOf(
  context: Context,
  view: OperationView<Message>,
  interrupt: Interrupt,
  why: 'away' | 'account' | null,
): Failure | undefined {
  const { say } = context;
  const { id, state, done, total, message } = view;
  if (!isFinal(state) && interrupt.signal.aborted) {
    const text = say('cli.operation_interrupted', { id, done, total });
    return { exit: interrupt.exit(), code: 'interrupted', message: text };
  }
  if (!isFinal(state)) return { exit: 75, code: 'busy', message: say('operation.busy_elsewhere', { id }) };
  if (state === 'succeeded') return undefined;
  const exit = why === 'away' ? 6 : why === 'account' ? 4 : 1;
  return { exit: state === 'partial' ? 5 : exit, code: state, message: renderFor(context)(message) };
}

/** Queues an operation for this process and runs it to its end. Throws `busy` if the same work runs elsewhere. */
export async function runOperationHere(
  context: Context,
  { actor }: Pick<Opened, 'config' | 'actor'>,
  start: () => Promise<{ id: number }>,
): Promise<Result> {
  prepareFlows();
  const { id } = await start();
  return runHere(context, actor, id);
}
