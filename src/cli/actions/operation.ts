import type { Actor } from '../../services/access/scope.ts';
import {
  cancelOwn,
  findOperation,
  listItems,
  listOperations,
  restoreOwn,
  restorePlan,
  retryOwn,
} from '../../services/operations/operations.ts';
import { viewOf } from '../../services/operations/operation-views.ts';
import { NotClaimed } from '../../operations/lease.ts';
import { endLeftOvers } from '../../operations/unheld.ts';
import { AppError, namesMissing } from '../../shared/errors.ts';
import {
  isFinal,
  renderItem,
  renderOperation,
  type OperationItemView,
  type OperationState,
  type OperationView,
} from '../../shared/operations.ts';
import type { OperationRow } from '../../shared/operations/tables.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { blockedSummary, withFindings } from '../blocked-names.ts';
import type { Context } from '../context.ts';
import { prepareFlows } from '../flows.ts';
import { positionsResult } from '../found/positions.ts';
import { columnsOf, type Result } from '../output.ts';
import { domainIn } from '../plan-result.ts';
import { planText, textOf } from '../plan-text.ts';
import { answerOf, endHere, runHere } from '../run-operation.ts';
import { confirm } from '../secret.ts';
import { renderFor } from '../render.ts';

const COLUMNS = columnsOf<OperationView>({
  id: true,
  kind: true,
  state: true,
  done: true,
  total: true,
  failed: true,
  created_at: true,
  message: true,
  steps: false,
  held: false,
  counts: false,
  restorable: false,
  retryable: false,
  cancellable: false,
  waits_until: false,
  turns: false,
  finished_at: false,
});
const PLAN_COLUMNS = columnsOf<OperationItemView & { changes: string }>({
  item: true,
  lane: true,
  state: true,
  changes: true,
  error: true,
  id: false,
  acts: false,
  changed_at: false,
});

interface DryRun {
  dryRun?: boolean;
}

interface ResumeFlags extends DryRun {
  failOnBlocked?: boolean;
  failOnDrop?: number;
}

/** Opens the database. Flows are registered, because they tell what a kind of operation supports, and what was left half ended is ended. */
async function open(context: Context): Promise<Actor> {
  const { actor } = await context.open();
  prepareFlows();
  await endLeftOvers();
  return actor;
}

/** Returns the operation with that id. Throws `not_found` that names the typed number. */
const findTyped = (actor: Actor, id: number): Promise<OperationRow> =>
  findOperation(actor, id).catch(namesMissing('operation', id));

interface ListFlags {
  state?: OperationState;
  limit: number;
  offset: number;
}

/** `operation list`: operations of all processes, the newest first. */
export async function list(context: Context, { state, limit, offset }: ListFlags): Promise<Result> {
  const actor = await open(context);
  const { data, total = 0 } = await listOperations(actor, { state }, { limit, offset });
  const items = data.map((view) => renderOperation(renderFor(context), view));
  return { items, columns: COLUMNS, summary: { total } };
}

/** `operation show`: an operation with all its items. */
export async function show(context: Context, _flags: object, id: number): Promise<Result> {
  const actor = await open(context);
  const view = await viewOf(await findTyped(actor, id));
  return answerOf(context, actor, view);
}

/** An item with its changes joined into one line, for people and tables. */
const itemLine = (item: OperationItemView): object => ({
  ...item,
  changes: item.acts
    .filter(({ state }) => state !== 'noop')
    .map(({ name, before, after }) => `${name}: ${textOf(before)} → ${textOf(after)}`)
    .join('; '),
});

function planOf(context: Context, plan: OperationItemView<Message>[]): Result {
  const items = plan.map((item) => renderItem(renderFor(context), item));
  return {
    text: planText(
      context,
      items.map(({ item, acts, error }) => ({
        item,
        acts: acts.map(({ name, before, after }) => ({ act: name, before, after })),
        error,
      })),
    ),
    items: items.map(itemLine),
    columns: PLAN_COLUMNS,
    summary: { total: plan.length },
    data: { dry_run: true },
    note: () => context.say('cli.dry_run'),
  };
}

// Another run of these costs nothing and changes nothing outside.
const FREE_KINDS = new Set(['check', 'expiry']);

/**
 * `operation resume`: continues an operation in this process, or tries what failed again. Work that has not ended was agreed to as it began:
 * the command that is printed on Ctrl-C asks nothing. A retry of ended work is asked about, unless it is free. With the flags about
 * findings it ends as the command that has begun the work.
 */
export async function resume(context: Context, flags: ResumeFlags, id: number): Promise<Result> {
  const actor = await open(context);
  const view = await viewOf(await findTyped(actor, id));
  if (isFinal(view.state) && !view.retryable) throw new AppError('conflict', 'operation.nothing_left');
  if (flags.dryRun) {
    const { data } = await listItems(actor, id);
    return planOf(
      context,
      data.filter(({ state }) => state !== 'done' && state !== 'noop'),
    );
  }
  if (isFinal(view.state)) {
    if (!FREE_KINDS.has(view.kind)) await confirmRetry(context, view);
    await retryOwn(actor, id, true);
  }
  return withFlags(await runHere(context, actor, id), view.kind, flags);
}

/** Applies the flags about findings to the answer of a check or a reading of positions. */
function withFlags(result: Result, kind: string, { failOnBlocked, failOnDrop }: ResumeFlags): Result {
  const items = result.items ?? [];
  if (kind === 'check') {
    return withFindings(result, failOnBlocked, blockedSummary(items).blocked);
  }
  return kind === 'positions' && failOnDrop !== undefined
    ? positionsResult(items as Parameters<typeof positionsResult>[0], failOnDrop, result)
    : result;
}

async function confirmRetry(context: Context, { id, counts, steps }: OperationView<Message>): Promise<void> {
  const { failed, cancelled, queued } = counts;
  const n = failed + cancelled + queued || steps.filter(({ state }) => state !== 'succeeded').length;
  await confirm(context, context.say('cli.operation_resume', { id, n }));
}

/** Adds to a plan that some of its items would be refused: as with any plan, they make it exit 5. */
function withRefused(context: Context, result: Result, refused: OperationItemView<Message>[]): Result {
  const errors = refused.map((item) => {
    const { error } = renderItem(renderFor(context), item);
    return { domain: domainIn(item.item), code: 'failed', message: error ?? '' };
  });
  const [first] = errors;
  if (!first) return result;
  const message = context.say('cli.some_failed', {
    failed: errors.length,
    total: result.items?.length ?? 0,
    first: `${first.domain}: ${first.message}`,
  });
  return { ...result, errors, exit: 5, failure: { exit: 5, code: 'partial', message } };
}

/** `operation restore`: undoes what an operation did, as an operation of its own. */
export async function restore(context: Context, { dryRun }: DryRun, id: number): Promise<Result> {
  const actor = await open(context);
  await findTyped(actor, id);
  const plan = await restorePlan(actor, id);
  const refused = plan.filter(({ acts }) => acts.length === 0);
  if (dryRun) return withRefused(context, planOf(context, plan), refused);
  await confirm(context, context.say('cli.operation_restore', { id, n: plan.length - refused.length }));
  return runHere(context, actor, (await restoreOwn(actor, id, true)).id);
}

/** `operation cancel`: what nobody holds is ended in this process; who holds the operation ends it otherwise. */
export async function cancel(context: Context, _flags: object, id: number): Promise<Result> {
  const actor = await open(context);
  await findTyped(actor, id);
  const { isLeft } = await cancelOwn(actor, id);
  const ended = isLeft ? await endUnlessTaken(context, actor, id) : null;
  if (ended) return ended;
  const view = renderOperation(renderFor(context), await viewOf(await findOperation(actor, id)));
  return { data: view, text: isFinal(view.state) ? view.message : context.say('operation.cancelling') };
}

/** Ends a cancelled operation here; null: another process has begun to do so. */
const endUnlessTaken = (context: Context, actor: Actor, id: number): Promise<Result | null> =>
  endHere(context, actor, id).catch((error: unknown) => {
    if (error instanceof NotClaimed) return null;
    throw error;
  });
