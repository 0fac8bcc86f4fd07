import { PLACEHOLDER, type Placeholder } from './templates.ts';

/** What stands in for each placeholder. */
export type SiteValues = Record<Placeholder, string>;

/** Puts the values in. One pass: what a value says is never looked at again, and `$` means nothing in it. */
export const fillPlaceholders = (text: string, values: SiteValues): string =>
  text.replace(PLACEHOLDER, (word) => values[word as Placeholder]);

const TEXT_ENDINGS = new Set(
  'html htm xhtml css js mjs json txt xml svg php md webmanifest htaccess conf ini csv rss atom'.split(' '),
);

const endingOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1).toLowerCase();

/** Whether a file is looked at for placeholders, by its name; whether its bytes are text is another question. */
export const isTextPath = (path: string): boolean => TEXT_ENDINGS.has(endingOf(path));

const escapeJs = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/**
 * How a file says a character that its encoding lacks: a script and a style sheet as an escape of theirs, everything else
 * as a numeric entity.
 */
export function escapeFor(path: string): (character: string) => string {
  const ending = endingOf(path);
  if (['js', 'mjs', 'json', 'webmanifest'].includes(ending)) return escapeJs;
  if (ending === 'css') return (character) => `\\${character.codePointAt(0)?.toString(16)} `;
  return (character) => `&#${character.codePointAt(0)};`;
}
