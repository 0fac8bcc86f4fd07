import type { LineAct } from '../shared/dns/plan-words.ts';
import type { Context } from './context.ts';
import { harmless } from './output.ts';

const SIGNS = { create: '+', change: '±', delete: '−' } as const;

/** What is to be changed of one thing. */
export interface PlannedItem {
  item: string;
  acts: readonly LineAct[];
  error?: string | null;
}

/** A plan for people: each thing, and below it a line a change. */
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
