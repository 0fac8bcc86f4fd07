import { config } from '../lib/config.ts';
import type { NoticeContent } from '../providers/provider.ts';
import type { Content } from '../services/notices/content.ts';
import { renderMessage, translate, type Language } from '../shared/i18n/index.ts';

/** Puts what a notice says into a language, with addresses of the interface where its own is configured. */
export function renderContent({ title, lines, path, buttons }: Content, language: Language): NoticeContent {
  const base = config().publicUrl?.replace(/\/$/, '') ?? null;
  const urlOf = (to: string): string | undefined => (base === null ? undefined : `${base}${to}`);
  return {
    title: renderMessage(language, title),
    lines: lines.map((line) => renderMessage(language, line)),
    link: urlOf(path) ?? null,
    buttons: buttons.flatMap(({ label, data, path: to }): NoticeContent['buttons'] => {
      const text = translate(language, label);
      if (data !== undefined) return [{ label: text, data }];
      const url = to === undefined ? undefined : urlOf(to);
      return url === undefined ? [] : [{ label: text, url }];
    }),
  };
}
