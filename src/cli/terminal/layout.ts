import type { Asked } from './asked.ts';
import { USUAL_TERMINAL, type Layout } from './fit.ts';

// The columns of the narrowest terminal that tables are fitted to.
const NARROWEST_TERMINAL = 40;

/** Returns how tables are shown on the terminal; undefined: stdout is none, or what it gets is for programs. */
export async function layoutOf({ format, language }: Asked): Promise<Layout | undefined> {
  if (format !== 'human' || !process.stdout.isTTY) return undefined;
  const { RU_HEADINGS } = await import('../texts/headings.ts');
  const heading = (title: string): string => (language === 'ru' ? (RU_HEADINGS[title] ?? title) : title);
  return { width: Math.max(NARROWEST_TERMINAL, process.stdout.columns || USUAL_TERMINAL), heading };
}

/** Formats the fields of a document for people, one a line; on the terminal they are called as the headings of tables are. */
export async function fieldLines(
  asked: Asked,
  fields: readonly (readonly [name: string, value: unknown])[],
): Promise<string[]> {
  const layout = await layoutOf(asked);
  return fields.map(([name, value]) => `${layout?.heading(name) ?? name}: ${String(value)}`);
}
