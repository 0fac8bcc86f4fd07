import type { Context } from '../../context.ts';
import type { Result } from '../../output.ts';
import { domainNamed } from '../../found/named.ts';
import { selectedDomains, selectionOf } from '../../selected.ts';
import type { SelectionFlags } from '../../selection.ts';
import { fieldLines } from '../../terminal/layout.ts';
import { COLUMNS } from './columns.ts';

interface ListFlags extends SelectionFlags {
  type?: 'main' | 'transfer';
  search?: string;
}

/** `domain list`: all domains, or those that the flags select. */
export async function list(context: Context, flags: ListFlags): Promise<Result> {
  const { actor } = await context.open();
  const { type, search } = flags;
  const selection = { ...(await selectionOf(actor, flags)), ...(type ? { type } : {}) };
  const items = await selectedDomains(actor, selection, search);
  return { items, columns: COLUMNS, summary: { total: items.length } };
}

/** `domain show`, by name. */
export async function show(context: Context, _flags: object, name: string): Promise<Result> {
  const { actor } = await context.open();
  const view = await domainNamed(actor, name);
  const lines = await fieldLines(
    context.asked,
    Object.entries(view).filter(([, value]) => value !== null),
  );
  return { data: view, text: lines.join('\n') };
}
