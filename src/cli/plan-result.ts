import type { Plan } from '../operations/plan.ts';
import type { Context } from './context.ts';
import type { ItemError, Result } from './output.ts';
import { textOf } from './run-operation.ts';

const COLUMNS = ['item', 'act', 'before', 'after'].map((field) => ({ field, title: field, show: textOf }));

/** A plan as the answer of `--dry-run`: an item an act. What could not be looked at makes it exit 5. */
export async function planResult(context: Context, plan: Plan): Promise<Result> {
  const { plannedInWords } = await import('../services/operations.ts');
  const { acts, failed, unchanged, hash } = plannedInWords(plan, context.asked.language);
  const errors: ItemError[] = failed.map(({ item, error }) => ({ domain: item, code: 'failed', message: error }));
  const summary = { total: acts.length, unchanged, failed: errors.length };
  const note = (): string => context.say('cli.planned', summary);
  const result: Result = { items: acts, columns: COLUMNS, summary, errors, data: { dry_run: true, plan: hash }, note };
  const [first] = errors;
  if (!first) return result;
  const message = context.say('cli.some_failed', {
    failed: errors.length,
    total: errors.length + unchanged + new Set(acts.map(({ item }) => item)).size,
    first: `${first.domain}: ${first.message}`,
  });
  return { ...result, exit: 5, failure: { exit: 5, code: 'partial', message } };
}
