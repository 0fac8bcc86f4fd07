import { use } from 'react';
import type { Key, Language, Params } from '../../src/shared/i18n/index.ts';
import { isEnglish, useLanguage, useT } from './language.ts';
import { languageNow, missing } from './reader/reader.ts';

const marked = (language: Language, text: string) =>
  language === 'ru' && isEnglish(text) ? <span lang="en">{text}</span> : <>{text}</>;

/** A text that may be in another language than the page, marked with `lang` for screen readers (WCAG 3.1.2). */
export function Message({ text }: { text: string }) {
  return marked(useLanguage(), text);
}

/** A text of the catalogue as content; waits for the part of it that has the text. */
export function T({ k, ...params }: { k: Key } & Params) {
  const t = useT();
  const waited = missing(k);
  if (waited) use(waited);
  // Its translator is another one with another language, so it needs no second watch.
  return marked(languageNow(), t(k, params));
}
