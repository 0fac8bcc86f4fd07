import { Option, type Command } from 'commander';
import type { OperationRow } from '../../shared/operations/tables.ts';
import { AppError, noSuch } from '../../shared/errors.ts';
import {
  isFinal,
  OPERATION_STATES,
  type OperationItemView,
  type OperationView,
  type OperationState,
} from '../../shared/operations.ts';
import type { Context } from '../context.ts';
import { wholeNumber } from '../numbers.ts';
import { columnsOf, type Result } from '../output.ts';
import { planText } from '../plan-text.ts';
import { act, type Work } from '../run.ts';
import { answerOf, runHere, textOf } from '../run-operation.ts';
import { confirm } from '../secret.ts';
import type { HelpTexts } from '../texts/ru.ts';

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

/** `operation list|show|resume|cancel|restore`: operations of all processes and users. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('list')
    .description(help['operation list'])
    .addOption(new Option('--state <state>', help['operation.state']).choices(OPERATION_STATES))
    .action(act(list));
  const one = (verb: 'show' | 'resume' | 'cancel' | 'restore', work: Work): Command =>
    noun
      .command(verb)
      .description(help[`operation ${verb}`])
      .argument('<id>', help['operation.id'], wholeNumber(1, Number.MAX_SAFE_INTEGER))
      .action(act(work));
  one('show', show);
  one('resume', resume).option('--dry-run', help.dry_run);
  one('cancel', cancel);
  one('restore', restore).option('--dry-run', help.dry_run);
}

/**
 * Opens the database and loads the services. Flows are registered, because they tell what a kind of operation supports.
 */
async function open(context: Context) {
  const { actor, config } = await context.open();
  const [services, { registerFlows }, { flows }] = await Promise.all([
    import('../../services/operations/operations.ts'),
    import('../../operations/engine.ts'),
    import('../../services/system/flows.ts'),
  ]);
  registerFlows(flows(config));
  return { actor, services };
}

/** Returns the operation with that id. Throws `not_found` that names the typed number. */
async function findTyped({ actor, services }: Awaited<ReturnType<typeof open>>, id: number): Promise<OperationRow> {
  try {
    return await services.findOperation(actor, id);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'not_found') throw error;
    throw noSuch('operation', `#${id}`);
  }
}

async function list(context: Context, { state }: { state?: OperationState }): Promise<Result> {
  const { actor, services } = await open(context);
  const { data: items } = await services.listOperations(actor, context.asked.language, { state });
  return { items, columns: COLUMNS, summary: { total: items.length } };
}

async function show(context: Context, _flags: object, id: number): Promise<Result> {
  const opened = await open(context);
  const view = await opened.services.viewOf(await findTyped(opened, id), context.asked.language);
  return answerOf(context, opened.actor, view);
}

/** An item with its changes joined into one line, for people and tables. */
const itemLine = (item: OperationItemView): object => ({
  ...item,
  changes: item.acts
    .filter(({ state }) => state !== 'noop')
    .map(({ name, before, after }) => `${name}: ${textOf(before)} → ${textOf(after)}`)
    .join('; '),
});

const planOf = async (context: Context, plan: OperationItemView[]): Promise<Result> => ({
  text: await planText(
    context,
    plan.map(({ item, acts, error }) => ({
      item,
      acts: acts.map(({ name, before, after }) => ({ act: name, before, after })),
      error,
    })),
  ),
  items: plan.map(itemLine),
  columns: PLAN_COLUMNS,
  summary: { total: plan.length },
  data: { dry_run: true },
  note: () => context.say('cli.dry_run'),
});

async function resume(context: Context, { dryRun }: DryRun, id: number): Promise<Result> {
  const opened = await open(context);
  const { actor, services } = opened;
  const { language } = context.asked;
  const view = await services.viewOf(await findTyped(opened, id), language);
  if (isFinal(view.state) && !view.retryable) throw new AppError('conflict', 'operation.nothing_left');
  if (dryRun) {
    const { data } = await services.listItems(actor, language, id);
    return planOf(
      context,
      data.filter(({ state }) => state !== 'done' && state !== 'noop'),
    );
  }
  const { failed, cancelled, queued } = view.counts;
  const n = isFinal(view.state) ? failed + cancelled + queued : view.total - view.done;
  await confirm(context, context.say('cli.operation_resume', { id, n }));
  if (isFinal(view.state)) await services.retryOwn(actor, id, true);
  return runHere(context, actor, id);
}

async function restore(context: Context, { dryRun }: DryRun, id: number): Promise<Result> {
  const opened = await open(context);
  const { actor, services } = opened;
  await findTyped(opened, id);
  const plan = await services.restorePlan(actor, context.asked.language, id);
  if (dryRun) return planOf(context, plan);
  await confirm(context, context.say('cli.operation_restore', { id, n: plan.length }));
  return runHere(context, actor, (await services.restoreOwn(actor, id, true)).id);
}

async function cancel(context: Context, _flags: object, id: number): Promise<Result> {
  const opened = await open(context);
  const { actor, services } = opened;
  await findTyped(opened, id);
  await services.cancelOwn(actor, id);
  const view = await services.viewOf(await services.findOperation(actor, id), context.asked.language);
  return { data: view, text: isFinal(view.state) ? view.message : context.say('operation.cancelling') };
}
