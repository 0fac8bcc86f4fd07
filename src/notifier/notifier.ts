// The door through which notices leave.
import { config } from '../lib/config.ts';
import type { Logger } from '../lib/log.ts';
import { emailChannel } from '../providers/email.ts';
import { webhookChannel } from '../providers/webhook.ts';
import { addChannel, useChannels } from '../services/notices/channels.ts';
import { deliverDue } from '../services/notices/deliveries.ts';
import { groupPending } from '../services/notices/notices.ts';
import { confirmedAddress } from '../services/notices/preferences.ts';
import { telegramRoute } from '../services/notices/telegram-route.ts';
import { renderContent } from './render.ts';

const EVERY_MS = 3_000;

/** Sets up the channels that the configuration has. */
export function openChannels(): void {
  const { mail, ca, allowPrivate, telegram } = config();
  useChannels({}, webhookChannel(allowPrivate));
  if (mail) addChannel('email', { channel: emailChannel(mail.url, mail.from, ca), addressOf: confirmedAddress });
  if (telegram) addChannel('telegram', telegramRoute(telegram));
}

/** Groups what has happened and sends what is due, every few seconds; an error is logged, and the next turn tries again. */
export function startNotifier(log: Logger): { stop: () => Promise<void> } {
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let turn = Promise.resolve();
  const work = async (): Promise<void> => {
    try {
      await groupPending();
      // More than one turn's worth is sent without a pause.
      while (!ending.signal.aborted && (await deliverDue(renderContent, ending.signal)) > 0) continue;
    } catch (error) {
      log.warn({ err: error }, 'notices were not sent');
    }
    if (!ending.signal.aborted) timer = setTimeout(next, EVERY_MS).unref();
  };
  const next = (): void => {
    turn = work();
  };
  timer = setTimeout(next, EVERY_MS).unref();
  return {
    stop: async () => {
      ending.abort();
      clearTimeout(timer);
      await turn;
    },
  };
}
