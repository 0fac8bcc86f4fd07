// The door through which notices leave.
import { config } from '../lib/config.ts';
import type { Logger } from '../lib/log.ts';
import { emailChannel } from '../providers/email.ts';
import { webhookChannel } from '../providers/webhook.ts';
import { addChannel, useChannels } from '../services/notices/channels.ts';
import { deliverDue } from '../services/notices/deliveries.ts';
import { groupPending } from '../services/notices/notices.ts';
import { confirmedAddress } from '../services/notices/email-address.ts';
import { telegramRoute } from '../services/notices/telegram-route.ts';
import { CHANNELS } from '../shared/notices/notices.ts';
import { renderContent } from './render.ts';

const EVERY_MS = 3_000;
const WAYS = [...CHANNELS, 'webhook'] as const;

/** Sets up the channels that the configuration has. */
export function openChannels(): void {
  const { mail, ca, allowPrivate, telegram } = config();
  useChannels({}, webhookChannel(allowPrivate));
  if (mail) addChannel('email', { channel: emailChannel(mail.url, mail.from, ca), addressOf: confirmedAddress });
  if (telegram) addChannel('telegram', telegramRoute(telegram));
}

/** Repeats work every few seconds; an error is logged, and the next turn tries again. Returns what waits for the turn under way, once `ending` is aborted. */
function repeat(work: () => Promise<void>, log: Logger, ending: AbortSignal): () => Promise<void> {
  let timer: NodeJS.Timeout;
  let turn = Promise.resolve();
  const wait = (): void => {
    timer = setTimeout(() => {
      turn = run();
    }, EVERY_MS).unref();
  };
  const run = async (): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error }, 'notices were not sent');
    }
    if (!ending.aborted) wait();
  };
  wait();
  return async () => {
    clearTimeout(timer);
    await turn;
  };
}

/** Groups what has happened, and sends what is due over each channel, every few seconds: a channel that hangs keeps nothing else waiting. */
export function startNotifier(log: Logger): { stop: () => Promise<void> } {
  const ending = new AbortController();
  const { signal } = ending;
  // More than one turn's worth is sent without a pause.
  const send = async (channel: (typeof WAYS)[number]): Promise<void> => {
    while (!signal.aborted && (await deliverDue(renderContent, { channel, ending: signal })) > 0) continue;
  };
  const stops = [() => groupPending(), ...WAYS.map((channel) => () => send(channel))].map((work) =>
    repeat(work, log, signal),
  );
  return {
    stop: async () => {
      ending.abort();
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}
