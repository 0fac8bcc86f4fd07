import { use } from 'react';
import type { Key, Params } from '../../src/shared/i18n/index.ts';
import { isEnglish, useLanguage, useT } from './language.ts';
import { missing } from './reader/reader.ts';

/** A text that may be in another language than the page, marked with `lang` for screen readers (WCAG 3.1.2). */
export function Message({ text }: { text: string }) {
  return useLanguage() === 'ru' && isEnglish(text) ? <span lang="en">{text}</span> : <>{text}</>;
}

/** A text of the catalogue as content; waits for the part of it that has the text. */
export function T({ k, ...params }: { k: Key } & Params) {
  const t = useT();
  const waited = missing(k);
  if (waited) use(waited);
  return <Message text={t(k, params)} />;
}
