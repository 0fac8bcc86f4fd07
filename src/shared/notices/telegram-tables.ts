import {
  audited,
  hash,
  id,
  integer,
  json,
  machine,
  optional,
  reference,
  table,
  text,
  time,
  type Row,
} from '../table.ts';
import type { BotState } from './telegram.ts';

/**
 * The telegram_links table: the one private chat of a user. `telegram_id` is the person's number at Telegram and decides who
 * acts; `name` and `username` are display texts. `gone_at`: Telegram said that the chat takes no messages.
 */
export const telegramLinks = table('telegram_links', audited('name'), {
  id: id(),
  user_id: reference('users', 'CASCADE'),
  telegram_id: integer(),
  chat_id: integer(),
  name: text(),
  username: optional(text()),
  language: text<'ru' | 'en'>(),
  gone_at: optional(time()),
  linked_at: time(),
});
export type TelegramLinkRow = Row<typeof telegramLinks>;

/** The telegram_claims table: the hash of the code in a user's link to the bot; null: it was used. */
export const telegramClaims = table(
  'telegram_claims',
  machine('a code for ten minutes; the link that it leads to is audited'),
  {
    user_id: reference('users', 'CASCADE'),
    code_hash: optional(hash()),
    expires_at: optional(time()),
  },
  { key: ['user_id'] },
);
export type TelegramClaimRow = Row<typeof telegramClaims>;

/** The telegram_pendings table: chats that want to be a user's; `code_hash` is that of the code that the bot has shown there. */
export const telegramPendings = table('telegram_pendings', machine('for ten minutes; the link is audited'), {
  id: id(),
  user_id: reference('users', 'CASCADE'),
  telegram_id: integer(),
  chat_id: integer(),
  name: text(),
  username: optional(text()),
  language: text<'ru' | 'en'>(),
  code_hash: hash(),
  created_at: time(),
  expires_at: time(),
});
export type TelegramPendingRow = Row<typeof telegramPendings>;

/** The telegram_bots table: a row for each bot by its number, who polls for it and until when, and how that goes. */
export const telegramBots = table('telegram_bots', machine('what the poller has found'), {
  id: id(),
  bot_id: text(),
  username: optional(text()),
  state: text<BotState>(),
  lease_owner: optional(text()),
  lease_until: optional(time()),
});
export type TelegramBotRow = Row<typeof telegramBots>;

/** The telegram_updates table: updates whose work is done, so that none is done twice. */
export const telegramUpdates = table(
  'telegram_updates',
  machine('what was handled; what it changed is audited'),
  { bot_id: text(), update_id: integer(), at: time() },
  { key: ['bot_id', 'update_id'] },
);
export type TelegramUpdateRow = Row<typeof telegramUpdates>;

/** The telegram_messages table: messages of the bot that are still to be sent, stored with the work that they tell of. */
export const telegramMessages = table('telegram_messages', machine('deleted once it is sent'), {
  id: id(),
  chat_id: integer(),
  language: text<'ru' | 'en'>(),
  lines: json(),
  buttons: json(),
  created_at: time(),
  due_at: time(),
  tries: integer(),
});
export type TelegramMessageRow = Row<typeof telegramMessages>;
