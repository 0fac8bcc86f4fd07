import { en } from './en.ts';
import { ru, type Key } from './ru.ts';

/** `ru` is the default: the specification's own mixture, verbatim. `en` is complete beside it. */
export const LANGUAGES = ['ru', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * The texts by language. In the browser they begin empty and come in parts, in the reader's language alone
 * (`ui/vite/texts.ts`, `ui/kit/reader/texts.ts`): there a text may still be missing.
 */
export const catalogues: Record<Language, Partial<Record<Key, string>>> = { ru, en };
