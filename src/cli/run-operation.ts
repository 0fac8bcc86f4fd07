import type { Actor } from '../services/scope.ts';
import { isFinal, type OperationItemView, type OperationView } from '../shared/operations.ts';
import type { Context, Opened } from './context.ts';
import { watchInterrupt, type Interrupt } from './interrupt.ts';
import type { Failure, Result } from './output.ts';
import { startProgress } from './show-progress.ts';

/** A value of an act as text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

/** An operation as an answer: what it is, its steps, and the items that failed. */
export function answerOf(view: OperationView, failed: OperationItemView[]): Result {
  const head = `${view.id} ${view.kind} ${view.state} ${view.done}/${view.total}`;
  const steps = view.steps.map(({ name, state, error }) => `  ${name}: ${state}${error ? ` – ${error}` : ''}`);
  const items = failed.map(({ item, error }) => `  ! ${item} – ${error ?? ''}`);
  return { data: view, items: failed, text: [head, view.message, ...steps, ...items].join('\n') };
}

/** Runs an operation in this process to its end, or to the first Ctrl-C. Throws `busy` where another process holds it. */
export async function runHere(context: Context, actor: Actor, id: number): Promise<Result> {
  const interrupt = watchInterrupt();
  const [{ runOperation }, { failedForAway, findOperation, listItems, viewOf }] = await Promise.all([
    import('../operations/engine.ts'),
    import('../services/operations.ts'),
  ]);
  const progress = startProgress(context, 'operation resume', context.say('cli.operation_running', { id }));
  try {
    await runOperation(id, { signal: interrupt.signal, onProgress: progress.update });
  } finally {
    await progress.end();
  }
  const { language } = context.asked;
  const view = await viewOf(await findOperation(actor, id), language);
  const { data } = await listItems(actor, language, id, { state: 'failed' });
  const failure = failureOf(context, view, interrupt, await failedForAway(id));
  return { ...answerOf(view, data), ...(failure && { failure, exit: failure.exit }) };
}

function failureOf({ say }: Context, view: OperationView, interrupt: Interrupt, isAway: boolean): Failure | undefined {
  const { id, state, done, total, message } = view;
  if (!isFinal(state) && interrupt.signal.aborted) {
    const text = say('cli.operation_interrupted', { id, done, total });
    return { exit: interrupt.exit(), code: 'interrupted', message: text };
  }
  if (!isFinal(state)) return { exit: 75, code: 'busy', message: say('operation.busy', { id }) };
  if (state === 'succeeded') return undefined;
  return { exit: state === 'partial' ? 5 : isAway ? 6 : 1, code: state, message };
}

/** Queues work for this process and runs it to its end. Throws `busy` where the same work is under way elsewhere. */
export async function runOperationHere(
  context: Context,
  { config, actor }: Pick<Opened, 'config' | 'actor'>,
  start: () => Promise<{ id: number }>,
): Promise<Result> {
  const [{ registerFlows }, { flows }] = await Promise.all([
    import('../operations/engine.ts'),
    import('../services/flows.ts'),
  ]);
  registerFlows(flows(config));
  const { id } = await start();
  return runHere(context, actor, id);
}
