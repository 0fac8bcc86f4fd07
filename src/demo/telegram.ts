import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { bodyOf, onLoopback } from './loopback.ts';
import { answerPage } from './telegram-page.ts';
import type { FakePerson, SentMessage, TelegramFault, TelegramState, TelegramFake } from './telegram-state.ts';

type Reply = object;
const ok = (result: unknown): Reply => ({ ok: true, result });
const error = (error_code: number, description: string, parameters?: object): Reply => ({
  ok: false,
  error_code,
  description,
  ...(parameters && { parameters }),
});

const MOST_CHARACTERS = 4_096;
const visible = (html: string): string => html.replaceAll(/<[^>]*>/g, '').replaceAll(/&(?:amp|lt|gt|quot);/g, '&');
const ALLOWED_TAGS = /^<\/?(?:b|i|u|s|code|pre|a|blockquote)(?: href="[^"<>]*")?>$/;
const badTag = (html: string): boolean => (html.match(/<[^>]*>?/g) ?? []).some((tag) => !ALLOWED_TAGS.test(tag));

interface TelegramOptions {
  onChange?: () => void;
  pollMs?: number;
  /** Whose chats the page of the fake shows; without them it has none. */
  people?: readonly FakePerson[];
}

// A demo may run for weeks.
const MOST_KEPT = 1_000;

/** Adds a message, and forgets the oldest. */
function keep<T>(messages: T[], message: T): void {
  messages.push(message);
  if (messages.length > MOST_KEPT) messages.splice(0, messages.length - MOST_KEPT);
}

const secondsOf = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** The updates that wait for the bot. `wake` ends the poll that waits for one. */
interface Updates extends Pick<TelegramFake, 'push' | 'repeat'> {
  poll: (body: Record<string, unknown>, response: ServerResponse) => Promise<Reply>;
  wake: () => void;
}

/** Opens the queue of updates of a bot. A poll waits for as long as it says, `pollMs` at most. */
function updatesOf(state: TelegramState, pollMs: number, onChange: () => void): Updates {
  const handled: { update_id: number }[] = [];
  let wake: () => void = () => undefined;
  let polling = 0;

  const confirm = (offset: number): void => {
    handled.push(...state.updates.filter(({ update_id }) => update_id < offset));
    state.updates = state.updates.filter(({ update_id }) => update_id >= offset);
  };

  return {
    push: (update) => {
      const update_id = state.nextUpdate;
      state.nextUpdate += 1;
      state.updates.push({ update_id, ...update });
      onChange();
      wake();
      return update_id;
    },
    repeat: (update_id) => {
      const isThis = (update: { update_id: number }) => update.update_id === update_id;
      if (state.updates.some(isThis)) return;
      const known = handled.find(isThis);
      if (!known) throw new Error(`Telegram has given no update ${update_id}`);
      state.updates.push(known);
      wake();
    },
    poll: async ({ offset, timeout = 0 }, response) => {
      if (polling > 0) return error(409, 'Conflict: terminated by other getUpdates request');
      if (typeof offset === 'number') confirm(offset);
      polling += 1;
      try {
        if (state.updates.length === 0) {
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, Math.min(Number(timeout) * 1000, pollMs));
            wake = () => {
              clearTimeout(timer);
              resolve();
            };
            response.once('close', wake);
          });
        }
        return ok(state.updates.slice(0, 100));
      } finally {
        polling -= 1;
      }
    },
    wake: () => wake(),
  };
}

/** Answers `sendMessage`. */
function send(state: TelegramState, body: Record<string, unknown>, onChange: () => void): Reply {
  const { chat_id, text, reply_markup } = body;
  const [chat, html] = [Number(chat_id), String(text)];
  const moved = state.migrated[String(chat)];
  if (moved !== undefined)
    return error(400, 'Bad Request: group chat was upgraded to a supergroup chat', { migrate_to_chat_id: moved });
  if (state.blocked.includes(chat)) return error(403, 'Forbidden: bot was blocked by the user');
  if (badTag(html)) return error(400, "Bad Request: can't parse entities");
  if (visible(html).trim() === '') return error(400, 'Bad Request: message text is empty');
  if (visible(html).length > MOST_CHARACTERS) return error(400, 'Bad Request: message is too long');
  const rows = (reply_markup as { inline_keyboard?: SentMessage['buttons'][] } | undefined)?.inline_keyboard ?? [];
  const buttons = rows.flat();
  if (buttons.some(({ callback_data }) => Buffer.byteLength(callback_data ?? '') > 64))
    return error(400, 'Bad Request: BUTTON_DATA_INVALID');
  const message = { chat_id: chat, message_id: state.nextMessage, text: html, at: new Date().toISOString(), buttons };
  state.nextMessage += 1;
  keep(state.sent, message);
  onChange();
  return ok({
    message_id: message.message_id,
    date: secondsOf(Date.now()),
    chat: { id: chat, type: 'private' },
  });
}

/** Answers `editMessageReplyMarkup`, by which the bot takes the buttons of a message away. */
function dropButtons(state: TelegramState, body: Record<string, unknown>): Reply {
  const found = state.sent.find(
    ({ chat_id, message_id }) => chat_id === body['chat_id'] && message_id === body['message_id'],
  );
  if (!found) return error(400, 'Bad Request: message to edit not found');
  found.buttons = [];
  return ok(true);
}

/** Actions of people in their chats, each of which becomes an update. */
function chatsOf(state: TelegramState, push: Updates['push']): Pick<TelegramFake, 'write' | 'press'> {
  return {
    write: (person, text, more = {}) => {
      const message_id = state.nextMessage;
      state.nextMessage += 1;
      keep(state.written, { chat_id: person.id, message_id, text, at: new Date().toISOString() });
      return push({
        message: {
          message_id,
          date: secondsOf(Date.now()),
          from: { is_bot: false, ...person },
          chat: { id: person.id, type: 'private' },
          text,
          ...more,
        },
      });
    },
    press: (person, { chat_id, message_id }, data, more = {}) => {
      const found = state.sent.find((one) => one.chat_id === chat_id && one.message_id === message_id);
      return push({
        callback_query: {
          id: `q${state.nextUpdate}`,
          from: { is_bot: false, ...person },
          // The date of the message with the button, not of the press.
          message: {
            message_id,
            date: secondsOf(found ? Date.parse(found.at) : Date.now()),
            chat: { id: chat_id, type: 'private' },
          },
          data,
          ...more,
        },
      });
    },
  };
}

function takeFault(faults: TelegramFault[], method: string): TelegramFault | undefined {
  const fault = faults.find((one) => one.method === method);
  if (fault) fault.times -= 1;
  if (fault && fault.times <= 0) faults.splice(faults.indexOf(fault), 1);
  return fault;
}

/** Returns the error that a fault answers with in place of the work; undefined: the work is done. */
function refusalOf(fault: TelegramFault | undefined, { url, headers }: IncomingMessage): Reply | undefined {
  if (fault?.kind === 'echo') return error(500, `Internal: ${url} ${JSON.stringify(headers)}`);
  if (fault?.kind !== 'error') return undefined;
  const parameters = {
    ...(fault.retry_after !== undefined && { retry_after: fault.retry_after }),
    ...(fault.migrate_to !== undefined && { migrate_to_chat_id: fault.migrate_to }),
  };
  return error(fault.code ?? 500, fault.description ?? 'Internal Server Error', parameters);
}

/** Starts the fake. A poll waits for updates for as long as it says, `pollMs` at most. */
export async function startTelegram(
  state: TelegramState,
  { onChange = () => undefined, pollMs = 60_000, people = [] }: TelegramOptions = {},
): Promise<TelegramFake> {
  const faults: TelegramFault[] = [];
  const calls: string[] = [];
  const { push, repeat, poll, wake } = updatesOf(state, pollMs, onChange);
  const { write, press } = chatsOf(state, push);

  const reply = async (method: string, body: Record<string, unknown>, response: ServerResponse): Promise<Reply> => {
    if (method === 'getMe')
      return ok({ id: Number(state.token.split(':')[0]), is_bot: true, username: state.username });
    if (method === 'getUpdates') return poll(body, response);
    if (method === 'sendMessage') return send(state, body, onChange);
    if (method === 'editMessageReplyMarkup') return dropButtons(state, body);
    if (['answerCallbackQuery', 'setMyCommands', 'deleteWebhook'].includes(method)) return ok(true);
    return error(404, 'Not Found');
  };

  const server = createServer((request, response) => {
    const handle = async (): Promise<void> => {
      if (people.length > 0 && !request.url?.startsWith('/bot'))
        return answerPage({ state, people, write, press }, request, response);
      const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
      const body = await bodyOf(request);
      calls.push(method);
      const answer = (reply: Reply): void => {
        const status = 'error_code' in reply ? Number(reply.error_code) : 200;
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
      };
      if (token !== state.token) return answer(error(401, 'Unauthorized'));
      const fault = takeFault(faults, method);
      if (fault?.kind === 'hang') return;
      const refusal = refusalOf(fault, request);
      if (refusal) return answer(refusal);
      const done = await reply(method, body, response);
      if (fault?.kind === 'lost') return void response.destroy();
      answer(done);
    };
    void handle().catch(() => response.destroy());
  });
  const { url, close } = await onLoopback(server);
  return {
    url,
    state,
    faults,
    calls,
    push,
    write,
    press,
    repeat,
    close: async () => {
      wake();
      await close();
    },
  };
}
