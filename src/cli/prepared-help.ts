import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Asked } from './terminal/asked.ts';

/** The file of the build that holds the program's own help in a language. */
export const helpFile = (language: string): string => `help-${language}.txt`;

// With these beside `--help` the text is the same.
const WITHOUT_EFFECT = new Set([
  '--lang',
  'ru',
  'en',
  '--lang=ru',
  '--lang=en',
  '--no-color',
  '--no-input',
  '--quiet',
  '-q',
]);

/**
 * The program's own help as the build wrote it, so that neither commander nor the texts are loaded. Undefined where
 * anything else is asked for, or nothing was built.
 */
export function preparedHelp(argv: string[], { format, language }: Asked): string | undefined {
  const words = argv.filter((word) => !WITHOUT_EFFECT.has(word));
  if (format !== 'human' || words.length === 0 || !words.every((word) => ['--help', '-h'].includes(word)))
    return undefined;
  try {
    return readFileSync(join(import.meta.dirname, helpFile(language)), 'utf8');
  } catch {
    return undefined;
  }
}
