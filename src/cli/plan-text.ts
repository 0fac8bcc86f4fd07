import type { LineAct } from '../shared/dns/plan-words.ts';
import type { Context } from './context.ts';
import { harmless } from './output.ts';

const SIGNS = { create: '+', change: '±', delete: '−' } as const;

/** The planned changes of one item. */
export interface PlannedItem {
  item: string;
  acts: readonly LineAct[];
  error?: string | null;
}

/** Formats a plan for people: each item with one line per change. */
export async function planText({ say }: Context, items: readonly PlannedItem[]): Promise<string> {
  const { planLines } = await import('../shared/dns/plan-words.ts');
  return items
    .flatMap(({ item, acts, error }) => [
      harmless(item),
      ...planLines(say, acts).map(({ sign, what }) => `  ${SIGNS[sign]} ${harmless(what)}`),
      ...(error ? [`  ! ${error}`] : []),
    ])
    .join('\n');
}
