import { PLACEHOLDER, type Placeholder } from './templates.ts';

/** The value of each placeholder. */
export type SiteValues = Record<Placeholder, string>;

/** Replaces placeholders by their values in one pass: placeholders and `$` in a value have no effect. */
export const fillPlaceholders = (text: string, values: SiteValues): string =>
  text.replace(PLACEHOLDER, (word) => values[word as Placeholder]);

const TEXT_ENDINGS = new Set(
  'html htm xhtml css js mjs json txt xml svg php md webmanifest htaccess conf ini csv rss atom'.split(' '),
);

const endingOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1).toLowerCase();

/** Whether a file is searched for placeholders, by its name alone: its bytes may still not be text. */
export const isTextPath = (path: string): boolean => TEXT_ENDINGS.has(endingOf(path));

const escapeJs = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/**
 * Returns the escape for a character that a file's encoding lacks: the language's own in a script, JSON or style sheet, else
 * a numeric entity.
 */
export function escapeFor(path: string): (character: string) => string {
  const ending = endingOf(path);
  if (['js', 'mjs', 'json', 'webmanifest'].includes(ending)) return escapeJs;
  if (ending === 'css') return (character) => `\\${character.codePointAt(0)?.toString(16)} `;
  return (character) => `&#${character.codePointAt(0)};`;
}
