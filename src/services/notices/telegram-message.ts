import { config } from '../../lib/config.ts';
import { escapeHtml } from '../../lib/html.ts';
import { sendPart, splitText, type BotButton, type BotLogin } from '../../providers/telegram.ts';
import type { TelegramLine } from '../../shared/notices/telegram.ts';
import type { QueuedMessage } from './telegram-outbox.ts';

/** Puts a line into a language, as plain text. */
export type RenderLine = (language: 'ru' | 'en', line: TelegramLine) => string;

const STYLES = { bold: 'b', code: 'code' } as const;

// A longer line is cut before it is escaped, where each character may become six: a cut within `&amp;` would be refused.
const CUT = 600;
const LONG_LINE = 4_000;

/** Returns a text as lines of Telegram's HTML; one that is too long for a message as several. */
function htmlOf(text: string, style: TelegramLine['style']): string[] {
  const whole = escapeHtml(text);
  const pieces = whole.length <= LONG_LINE ? [whole] : splitText(text, CUT).map(escapeHtml);
  return style ? pieces.map((piece) => `<${STYLES[style]}>${piece}</${STYLES[style]}>`) : pieces;
}

/** Sends a stored message in parts; its buttons stand under the last one. */
export async function sendMessage(login: BotLogin, line: RenderLine, message: QueuedMessage): Promise<void> {
  const { chat_id, language, lines, buttons } = message;
  const html = lines.flatMap((one) => htmlOf(line(language, one), one.style));
  const { publicUrl } = config();
  const shown = buttons.flatMap(({ label, data, path }): BotButton[] => {
    const text = line(language, label);
    if (path === undefined) return data === undefined ? [] : [{ label: text, data }];
    return publicUrl === null ? [] : [{ label: text, url: new URL(path, publicUrl).href }];
  });
  const parts = splitText(html.join('\n'));
  for (const [index, part] of parts.entries())
    await sendPart(login, { chat_id, html: part, buttons: index === parts.length - 1 ? shown : [] });
}
