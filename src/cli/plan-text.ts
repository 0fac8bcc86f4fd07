import { planLines, type LineAct } from '../shared/dns/plan-words.ts';
import type { Context } from './context.ts';
import { harmless } from './output.ts';

/** Formats a value of an act as text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

const SIGNS = { create: '+', change: '±', delete: '−' } as const;

/** The planned changes of one item. */
export interface PlannedItem {
  item: string;
  acts: readonly LineAct[];
  error?: string | null;
}

/** Formats a plan for people: each item with one line per change. */
export function planText({ say }: Context, items: readonly PlannedItem[]): string {
  return items
    .flatMap(({ item, acts, error }) => [
      harmless(item),
      ...planLines(say, acts).map(({ sign, what }) => `  ${SIGNS[sign]} ${harmless(what)}`),
      ...(error ? [`  ! ${error}`] : []),
    ])
    .join('\n');
}
