import { ProviderError } from './provider-error.ts';
import type { NoticeChannel, NoticeContent, Sent } from './provider.ts';
import { escapeHtml } from '../lib/html.ts';
import { migratedTo, sendPart, splitText, type BotButton, type BotLogin } from './telegram.ts';

// Escaped, a character may become six: cut before that, so that none is cut within.
const LONGEST_LINE = 600;
const LONGEST = 3_800;
const AWAY_SECONDS = 30;
const REFUSED_SECONDS = 600;

function sentBy(error: unknown): Sent {
  if (!(error instanceof ProviderError)) throw error;
  if (error.reason === 'absent') return { outcome: 'gone', reason: 'telegram.gone' };
  if (error.kind === 'rate_limited')
    return { outcome: 'later', seconds: error.retryAfter ?? 1, reason: 'telegram.busy' };
  if (error.kind === 'credentials') return { outcome: 'later', seconds: REFUSED_SECONDS, reason: 'telegram.refused' };
  if (error.kind === 'refused') return { outcome: 'failed', reason: 'telegram.rejected' };
  return { outcome: 'later', seconds: AWAY_SECONDS, reason: 'telegram.away' };
}

/** Makes the HTML of a notice, in parts that a message takes. */
function partsOf({ title, lines, link, buttons }: NoticeContent): string[] {
  const cut = (text: string): string[] => splitText(text, LONGEST_LINE).map(escapeHtml);
  // The link stands in the text where no button opens it.
  const isLinked = link === null || buttons.some(({ url }) => url === link);
  const html = [...cut(title).map((text) => `<b>${text}</b>`), ...lines.flatMap(cut), ...(isLinked ? [] : cut(link))];
  return splitText(html.join('\n'), LONGEST);
}

async function sendAll(login: BotLogin, chat_id: number, content: NoticeContent, signal: AbortSignal): Promise<number> {
  const parts = partsOf(content);
  const shown: BotButton[] = content.buttons;
  let first = 0;
  for (const [index, html] of parts.entries()) {
    const buttons = index === parts.length - 1 ? shown : [];
    const sent = await sendPart(login, { chat_id, html, buttons }, signal);
    first ||= sent;
  }
  return first;
}

/**
 * The channel of a bot; an address is the number of a chat. A group that has become another chat is followed, and `onMoved` is told,
 * so that the next message goes there at once.
 */
export const telegramChannel = (
  login: BotLogin,
  onMoved: (from: number, to: number) => Promise<void>,
): NoticeChannel => ({
  send: async (address, content, signal) => {
    const to = (chat: number): Promise<Sent> =>
      sendAll(login, chat, content, signal).then((ref) => ({ outcome: 'sent' as const, ref: String(ref) }));
    try {
      return await to(Number(address));
    } catch (error) {
      const moved = migratedTo(error);
      if (moved === undefined) return sentBy(error);
      await onMoved(Number(address), moved);
      return to(moved).catch(sentBy);
    }
  },
});
