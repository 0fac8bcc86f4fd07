import type { Plugin } from 'vite';
import { en } from '../../src/shared/i18n/en.ts';
import { ru } from '../../src/shared/i18n/ru.ts';

const CATALOGUES: Record<string, Record<string, string>> = { ru, en };
const KEYS = Object.keys(ru);

const WHOLE = /['"]([a-z][\w.]*\.[\w.]+)['"]/g;
const BEGUN = /`([a-z][\w.]*\.[\w.]*)\$\{/g;

/** The keys that files name: whole ones, and all that begin as a template does (`notices.level_${level}`). */
function keysOf(files: ReadonlyMap<string, string>): Set<string> {
  const code = [...files].filter(([file]) => !file.includes('/i18n/')).map(([, text]) => text);
  const named = new Set(code.flatMap((text) => [...text.matchAll(WHOLE)].map(([, key]) => key)));
  const begun = new Set(code.flatMap((text) => [...text.matchAll(BEGUN)].map(([, start = '']) => start)));
  return new Set(KEYS.filter((key) => named.has(key) || [...begun].some((start) => key.startsWith(start))));
}

const VIRTUAL = 'virtual:texts/';

function partOf(name: string, first: ReadonlySet<string>, hasRest: boolean): string {
  const [language = '', part = ''] = name.split('/');
  const isFirst = part === 'first';
  const kept = Object.entries(CATALOGUES[language] ?? {}).filter(
    ([key]) => first.has(key) === isFirst && (isFirst || hasRest),
  );
  return `export default JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(kept)))});`;
}

/**
 * Serves the catalogues in parts, `virtual:texts/<language>/<part>`: what the given files name, and the rest; without one, where
 * these files are all that there are. The module that would import both languages whole becomes empty.
 */
export function textsInParts(files: ReadonlyMap<string, string>, hasRest: boolean): Plugin {
  const first = keysOf(files);
  return {
    name: 'texts-in-parts',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(VIRTUAL) ? `\0${id}` : undefined),
    load(id) {
      if (id.startsWith(`\0${VIRTUAL}`)) return partOf(id.slice(VIRTUAL.length + 1), first, hasRest);
      if (!id.endsWith('/src/shared/i18n/catalogues.ts')) return undefined;
      return "export const LANGUAGES = ['ru', 'en']; export const catalogues = { ru: {}, en: {} };";
    },
  };
}
