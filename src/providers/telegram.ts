import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { redactorOf } from '../lib/redactor.ts';
import { requestJson } from './http.ts';
import { paceOf } from './pace.ts';
import { ProviderError } from './provider-error.ts';

/** Telegram's Bot API. Facts: core.telegram.org/bots/api. */
export interface BotLogin {
  /** A part of each address that is called: errors never hold it. */
  token: string;
  url: string;
  /** Milliseconds between two messages to a chat, in place of Telegram's own limit. */
  chatMs?: number;
}

/** A button under a message: `data` comes back in an update, `url` opens in a browser. */
export interface BotButton {
  label: string;
  data?: string;
  url?: string;
}

const Person = z.object({
  id: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  is_bot: z.boolean().optional(),
  first_name: z.string().catch(''),
  last_name: z.string().optional().catch(undefined),
  username: z.string().optional().catch(undefined),
  language_code: z.string().optional().catch(undefined),
});

const Message = z.object({
  message_id: z.number().int(),
  date: z.number(),
  from: Person.optional(),
  chat: z.object({ id: z.number().int(), type: z.string() }),
  text: z.string().optional().catch(undefined),
});

const Update = z.object({
  update_id: z.number().int(),
  message: Message.optional().catch(undefined),
  callback_query: z
    .object({ id: z.string(), from: Person, message: Message.optional().catch(undefined), data: z.string().optional() })
    .optional()
    .catch(undefined),
});
export type BotUpdate = z.output<typeof Update>;

const Envelope = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  error_code: z.number().optional(),
  description: z.string().catch(''),
  parameters: z
    .object({ retry_after: z.number().optional(), migrate_to_chat_id: z.number().int().optional() })
    .optional()
    .catch(undefined),
});

/** The chat takes no messages any more: its user has blocked the bot or is deactivated, or there is no such chat. */
const GONE = /chat not found|bot was blocked|user is deactivated|bot can't initiate|PEER_ID_INVALID|bot was kicked/i;
const CALL_MS = 20_000;
const ALL = { calls: 28, seconds: 1, atOnce: 10 };
const CHAT_MS = 1_050;
const MOST_CHATS = 10_000;

/** The number of the bot in its token, which is not secret. */
export const botIdOf = ({ token }: BotLogin): string => token.split(':', 1)[0] ?? '';

/** An answer of Telegram that refuses a call, by what a caller can do about it. */
function failureOf(status: number, { error_code, description, parameters }: z.output<typeof Envelope>): ProviderError {
  const code = error_code ?? status;
  const text = `${code} ${description}`.slice(0, 300);
  const details = { status, code };
  if (code === 401 || code === 404) return new ProviderError('credentials', text, details);
  if (code === 429)
    return new ProviderError('rate_limited', text, { ...details, retryAfter: parameters?.retry_after ?? 1 });
  if (code >= 500) return new ProviderError('unavailable', text, details);
  if (parameters?.migrate_to_chat_id !== undefined)
    return new ProviderError('refused', text, { ...details, code: `migrated:${parameters.migrate_to_chat_id}` });
  const isGone = (code === 403 || code === 400) && GONE.test(description);
  return new ProviderError('refused', text, { ...details, ...(isGone && { reason: 'absent' }) });
}

/** Returns the chat that a group has become, where an error says so; undefined: it says no such thing. */
export const migratedTo = (error: unknown): number | undefined =>
  error instanceof ProviderError
    ? Number(/^migrated:(-?\d+)$/.exec(String(error.code))?.[1] ?? NaN) || undefined
    : undefined;

async function call<T extends z.ZodType>(
  login: BotLogin,
  method: string,
  body: object,
  result: T,
  { signal, timeoutMs = CALL_MS }: { signal?: AbortSignal | undefined; timeoutMs?: number } = {},
): Promise<z.output<T>> {
  const { hideIn } = redactorOf([login.token, login.token.split(':')[1] ?? '']);
  try {
    const url = new URL(`${login.url}/bot${login.token}/${method}`);
    const { status, json } = await requestJson({
      service: 'telegram',
      method: 'POST',
      url,
      headers: {},
      body,
      timeoutMs,
      signal,
    });
    const envelope = Envelope.safeParse(json);
    if (!envelope.success) {
      const kind = status >= 500 ? 'unavailable' : 'malformed';
      throw new ProviderError(kind, `HTTP ${status} without an answer of the Bot API`, { status });
    }
    if (!envelope.data.ok) throw failureOf(status, envelope.data);
    const parsed = result.safeParse(envelope.data.result);
    if (!parsed.success) throw new ProviderError('malformed', `${method}: another result than is documented`);
    return parsed.data;
  } catch (error) {
    throw hideIn(error);
  }
}

/** Returns the bot's name. Throws ProviderError `credentials` for a token that is not valid. */
export const readBot = (login: BotLogin, signal?: AbortSignal): Promise<{ id: number; username: string }> =>
  call(login, 'getMe', {}, z.object({ id: z.number(), username: z.string() }), { signal });

/**
 * Waits up to `seconds` for updates, and confirms those before `offset`. An update of a shape that is not known has its number
 * alone. Throws ProviderError with `code` 409 where another program polls, or a webhook is set.
 */
export async function pollUpdates(
  login: BotLogin,
  { offset, seconds }: { offset: number | undefined; seconds: number },
  signal: AbortSignal,
): Promise<BotUpdate[]> {
  const body = {
    ...(offset !== undefined && { offset }),
    timeout: seconds,
    limit: 100,
    allowed_updates: ['message', 'callback_query'],
  };
  return call(login, 'getUpdates', body, z.array(Update), { signal, timeoutMs: (seconds + 15) * 1000 });
}

/** Removes the webhook, which would get the updates instead; those that wait are kept. */
export const removeWebhook = (login: BotLogin, signal?: AbortSignal): Promise<unknown> =>
  call(login, 'deleteWebhook', { drop_pending_updates: false }, z.unknown(), { signal });

/** Sets the commands that Telegram offers while somebody types, in one language or in all others. */
export const setCommands = (
  login: BotLogin,
  commands: { command: string; description: string }[],
  language_code: string,
  signal?: AbortSignal,
): Promise<unknown> => call(login, 'setMyCommands', { commands, language_code }, z.unknown(), { signal });

/** Ends the waiting of a button that was pressed, with a text that is shown for a moment. */
export const answerCallback = (login: BotLogin, id: string, text: string, signal?: AbortSignal): Promise<unknown> =>
  call(login, 'answerCallbackQuery', { callback_query_id: id, text: text.slice(0, 200) }, z.unknown(), { signal });

/** Takes the buttons of a message away. */
export const removeButtons = (
  login: BotLogin,
  chat_id: number,
  message_id: number,
  signal?: AbortSignal,
): Promise<unknown> => call(login, 'editMessageReplyMarkup', { chat_id, message_id }, z.unknown(), { signal });

const LONGEST = 4_096;

/** Splits a text at ends of lines, and a longer line between characters, so that no part has more than `most` UTF-16 units. */
export function splitText(text: string, most = LONGEST): string[] {
  const parts: string[] = [];
  let part = '';
  const take = (line: string): void => {
    if (part !== '' && part.length + 1 + line.length > most) {
      parts.push(part);
      part = line;
    } else part = part === '' ? line : `${part}\n${line}`;
  };
  for (const line of text.split('\n')) {
    let rest = line;
    while (rest.length > most) {
      const isPair = /[\uD800-\uDBFF]/.test(rest.charAt(most - 1));
      const cut = isPair ? most - 1 : most;
      take(rest.slice(0, cut));
      rest = rest.slice(cut);
    }
    take(rest);
  }
  parts.push(part);
  return parts.filter((one) => one.trim() !== '');
}

const nextAt = new Map<string, number>();

/** Waits until a chat may get its next message: one in `chatMs`. */
async function chatTurn(key: string, chatMs: number, signal?: AbortSignal): Promise<void> {
  const now = performance.now();
  if (nextAt.size > MOST_CHATS) for (const [chat, at] of nextAt) if (at < now) nextAt.delete(chat);
  const at = Math.max(now, nextAt.get(key) ?? 0);
  nextAt.set(key, at + chatMs);
  if (at > now) await sleep(at - now, undefined, signal ? { signal } : {});
}

interface Outgoing {
  chat_id: number;
  /** HTML of Telegram: names in it are escaped. */
  html: string;
  buttons: readonly BotButton[];
}

const keyboard = (buttons: readonly BotButton[]): object => ({
  reply_markup: {
    inline_keyboard: buttons.map(({ label, data, url }) => [
      { text: label, ...(url === undefined ? { callback_data: data ?? '' } : { url }) },
    ]),
  },
});

/**
 * Sends one message of at most 4,096 characters at the service's pace (one a second to a chat, thirty in all) and returns its number.
 * Throws ProviderError `rate_limited` with `retryAfter`, `refused` with the reason `absent` where the chat takes none.
 */
export async function sendPart(
  login: BotLogin,
  { chat_id, html, buttons }: Outgoing,
  signal?: AbortSignal,
): Promise<number> {
  const key = `telegram ${botIdOf(login)}`;
  await chatTurn(`${key} ${chat_id}`, login.chatMs ?? CHAT_MS, signal);
  const body = {
    chat_id,
    text: html,
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
    ...(buttons.length > 0 && keyboard(buttons)),
  };
  const pace = paceOf(key, ALL);
  const { message_id } = await pace.run(
    () => call(login, 'sendMessage', body, z.object({ message_id: z.number() }), { signal }),
    signal,
  );
  return message_id;
}
