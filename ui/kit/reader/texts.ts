import { catalogues } from '../../../src/shared/i18n/catalogues.ts';
import type { Key, Language } from '../../../src/shared/i18n/index.ts';

/** A part of the catalogues in one file: `first`, the texts that the dashboard or the sign-in needs; `rest`, all others. */
export type TextPart = 'first' | 'rest';

type Load = () => Promise<{ default: Record<string, string> }>;

const FILES: Record<Language, Record<TextPart, Load>> = {
  ru: {
    first: () => import('virtual:texts/ru/first'),
    rest: () => import('virtual:texts/ru/rest'),
  },
  en: {
    first: () => import('virtual:texts/en/first'),
    rest: () => import('virtual:texts/en/rest'),
  },
};

const loads = new Map<string, Promise<void>>();
const wanted = new Set<TextPart>();

/** Loads a part of a language's texts, once; asked again, it returns the same promise, unless it has failed. */
export function loadTexts(language: Language, part: TextPart): Promise<void> {
  wanted.add(part);
  const name = `${language} ${part}`;
  const known = loads.get(name);
  if (known) return known;
  const load = FILES[language][part]().then(
    (texts) => void Object.assign(catalogues[language], texts.default),
    (error: unknown) => {
      loads.delete(name);
      throw error;
    },
  );
  loads.set(name, load);
  return load;
}

/** Loads in another language what has been loaded in this one. */
export const loadSame = async (language: Language): Promise<void> => {
  await Promise.all([...wanted].map((part) => loadTexts(language, part)));
};

/** Whether the text of a key is here. */
export const hasText = (language: Language, key: Key): boolean => Object.hasOwn(catalogues[language], key);
