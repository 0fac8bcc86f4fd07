import { randomBytes } from 'node:crypto';
import { troubleOf } from '../lib/database-trouble.ts';
import { requestIdOf } from '../lib/tracing/request-id.ts';
import { inSpan } from '../lib/tracing/spans.ts';
import type { Logger } from '../lib/log.ts';
import { actFor } from '../services/access/calls.ts';
import type { Actor } from '../services/access/scope.ts';
import { mustEnrol } from '../services/access/session.ts';
import { reviveChat, type ChatPerson } from '../services/notices/telegram-link.ts';
import { queueMessage } from '../services/notices/telegram-outbox.ts';
import { runBot, type Bot, type BotDoor, type RunningBot } from '../services/notices/telegram-polling.ts';
import { findLinkOfPerson, type LinkedUser } from '../services/notices/telegram-rows.ts';
import { AppError } from '../shared/errors.ts';
import { renderMessage, translate, type Language } from '../shared/i18n/index.ts';
import type { TelegramReply } from '../shared/notices/telegram.ts';
import { pressButton } from './buttons.ts';
import { runCommand, type Outcome } from './commands.ts';
import { parseCommand } from './parse.ts';
import { chatThrottle, type Turn } from './throttle.ts';

const COMMANDS = ['status', 'check', 'why', 'mute', 'reg', 'stop', 'help'] as const;

const commandsIn = (language: Language) =>
  COMMANDS.map((command) => ({ command, description: translate(language, `telegram.command_${command}`) }));

// Cleans a name from Telegram: control and direction characters, which Telegram allows, would spoil the line that shows it.
const harmless = (text: string): string => text.replaceAll(/\p{C}/gu, '').trim().slice(0, 64);

type Update = Parameters<BotDoor['handle']>[0];
type From = NonNullable<Update['callback_query']>['from'];

function personOf(from: From, chat_id: number): ChatPerson {
  const name = harmless([from.first_name, from.last_name].filter(Boolean).join(' '));
  const username = from.username !== undefined && /^\w{1,64}$/.test(from.username) ? from.username : null;
  const language = /^en\b/i.test(from.language_code ?? '') ? 'en' : 'ru';
  return { telegram_id: from.id, chat_id, name: name === '' ? String(from.id) : name, username, language };
}

/** Returns the user of a chat as he is now; null: there is none, he is disabled, or has to add a second factor before anything else. */
const actorOf = (link: LinkedUser | undefined): Actor | null =>
  link?.active && !mustEnrol(link) ? { id: link.user_id, login: link.login, role: link.role } : null;

/**
 * Runs the work of an update; what a person can act on becomes the reply. A fault of ours is logged and told with its number: an
 * update that is answered with nothing would look as if it had not arrived.
 */
async function replyOf(log: Logger, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return { lines: [{ key: error.key, params: error.params }] };
    if (troubleOf(error) !== undefined) throw error;
    const id = randomBytes(4).toString('hex');
    log.error({ err: error, incident: id }, 'an update of the bot failed');
    return { lines: [{ key: 'error.internal', params: { id } }] };
  }
}

/** Stores the reply together with the note that the update was handled. */
const settle = (bot: Bot, update_id: number, person: ChatPerson, outcome: Outcome): Promise<void> =>
  bot.once(update_id, async () => {
    // A chat that writes takes messages.
    await reviveChat(person);
    const reply: TelegramReply = typeof outcome === 'function' ? await outcome() : outcome;
    await queueMessage(person, reply);
  });

interface Sender {
  person: ChatPerson;
  link: LinkedUser | undefined;
  actor: Actor | null;
}

async function senderOf(from: From, chat_id: number): Promise<Sender> {
  const link = await findLinkOfPerson(from.id);
  return { person: personOf(from, chat_id), link, actor: actorOf(link) };
}

const as = <T>(actor: Actor | null, call: string, work: () => Promise<T>): Promise<T> =>
  actFor(actor ?? { id: null, login: 'telegram' }, { name: 'telegram', call, request_id: requestIdOf() }, () =>
    inSpan({ name: `telegram ${call}` }, work),
  );

interface Handling {
  bot: Bot;
  turnOf: (chat: number) => Turn;
  log: Logger;
}

async function handleMessage(update: Update, { bot, turnOf, log }: Handling): Promise<void> {
  const { message } = update;
  // Groups, channels and other bots get no answer: what is said there is for everybody in them.
  if (!message?.from || message.from.is_bot || message.chat.type !== 'private' || message.chat.id !== message.from.id)
    return;
  const turn = turnOf(message.chat.id);
  if (turn === 'no') return;
  const { person, link, actor } = await senderOf(message.from, message.chat.id);
  const command = parseCommand(message.text ?? '', null);
  await as(actor, command ? `/${command.name}` : 'message', async () => {
    const outcome = await replyOf(log, async () => {
      if (turn === 'last') return { lines: [{ key: 'telegram.slow_down' }] };
      if (!command) return { lines: [{ key: 'telegram.unknown_command' }] };
      return runCommand(command, person, link, actor);
    });
    await settle(bot, update.update_id, person, outcome);
  });
}

async function handlePress(update: Update, { bot, turnOf, log }: Handling): Promise<void> {
  const press = update.callback_query;
  if (!press || press.from.is_bot) return;
  const { person, link, actor } = await senderOf(press.from, press.from.id);
  const chat = press.message?.chat;
  // A button counts in the private chat of the linked person alone, whoever else may see it.
  const isOwn = chat?.type === 'private' && chat.id === press.from.id && link?.chat_id === chat.id;
  const refused = !isOwn || actor === null;
  if (refused || turnOf(press.from.id) !== 'yes') {
    return bot.answer(press.id, translate(person.language, refused ? 'telegram.not_yours' : 'telegram.slow_down'));
  }
  await bot.answer(press.id, translate(person.language, 'telegram.working'));
  await as(actor, 'button', async () => {
    const { data = '', message } = press;
    const outcome = await replyOf(log, () =>
      pressButton(data, actor, { update_id: update.update_id, shownAt: message?.date ?? 0, language: person.language }),
    );
    await settle(bot, update.update_id, person, outcome);
    if (data.startsWith('start:') && message) await bot.settle(message.chat.id, message.message_id);
  });
}

/** Runs the Telegram bot where one is configured: private chats, commands and buttons, each in the name of the linked user. */
export function startBot(log: Logger): RunningBot {
  const turnOf = chatThrottle();
  return runBot(
    {
      handle: async (update, bot) => {
        if (update.callback_query) await handlePress(update, { bot, turnOf, log });
        else await handleMessage(update, { bot, turnOf, log });
      },
      line: (language, line) => ('text' in line ? line.text : renderMessage(language, line)),
      commands: { ru: commandsIn('ru'), en: commandsIn('en') },
    },
    log,
  );
}
