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

/** Returns the name of an item for people: without the kind of its work, which the heading tells. */
export function itemText(say: Context['say'], item: string): string {
  const name = item.slice(item.indexOf(' ') + 1);
  const [, zone = '', id = ''] = /^(\S+) account (\d+)$/.exec(name) ?? [];
  return id === '' ? name : say('cli.item_account', { zone, id });
}

/** Formats a plan for people: each item with one line per change. */
export function planText({ say }: Context, items: readonly PlannedItem[]): string {
  return items
    .flatMap(({ item, acts, error }) => [
      harmless(itemText(say, item)),
      ...planLines(say, acts).map(({ sign, what }) => `  ${SIGNS[sign]} ${harmless(what)}`),
      ...(error ? [`  ! ${error}`] : []),
    ])
    .join('\n');
}
