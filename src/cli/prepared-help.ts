import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Asked } from './terminal/asked.ts';

/** Returns the name of the build's file with the program's own help in a language. */
export const helpFile = (language: string): string => `help-${language}.txt`;

// These flags don't change the text of `--help`.
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
 * Returns the program's own help as written by the build, so that neither commander nor the texts are loaded. Undefined
 * for any other request, or without a build.
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
