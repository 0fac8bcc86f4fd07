import type { Command } from 'commander';
import type { Context } from '../context.ts';
import type { Result } from '../output.ts';
import { wholeNumber } from '../numbers.ts';
import { act } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const COLUMNS = ['id', 'kind', 'state', 'done', 'total', 'failed', 'created_at', 'message'].map((field) => ({
  field,
  title: field,
}));

/** `operation list|show`: long work, whoever started it. */
export function define(noun: Command, help: HelpTexts): void {
  noun.command('list').description(help['operation list']).action(act(list));
  noun
    .command('show')
    .description(help['operation show'])
    .argument('<id>', help['operation.id'], wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .action(act(show));
}

async function list(context: Context): Promise<Result> {
  const { actor } = await context.open();
  const { listOperations } = await import('../../services/operations.ts');
  const items = await listOperations(actor, context.asked.language);
  return { items, columns: COLUMNS, summary: { total: items.length } };
}

async function show(context: Context, _flags: object, id: number): Promise<Result> {
  const { actor } = await context.open();
  const { findOperation, viewOf } = await import('../../services/operations.ts');
  const view = viewOf(await findOperation(actor, id), context.asked.language);
  const steps = view.steps.map(({ name, state, error }) => `  ${name}: ${state}${error ? ` – ${error}` : ''}`);
  const head = `${view.id} ${view.kind} ${view.state} ${view.done}/${view.total}`;
  return { data: view, text: [head, view.message, ...steps].join('\n') };
}
