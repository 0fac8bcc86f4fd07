import { claimChat, confirmChat, telegramOf, testChat, unlinkChat } from '../services/notices/telegram-link.ts';
import { confirmPassword } from '../services/access/passwords.ts';
import { OwnPassword } from '../shared/access/factors.ts';
import { translate } from '../shared/i18n/index.ts';
import { TelegramConfirm } from '../shared/notices/telegram.ts';
import { Nothing, route } from './http/route.ts';

export const telegram = {
  'GET /api/telegram': route({
    summary: "The bot, the caller's linked chat, and chats that wait for his confirmation",
    run: ({ actor }) => telegramOf(actor),
  }),
  'POST /api/telegram': route({
    summary: 'A code and a link to the bot, for ten minutes and one use; null while the bot is off',
    sessionOnly: true,
    body: Nothing,
    run: ({ actor }) => claimChat(actor),
  }),
  'POST /api/telegram/confirm': route({
    summary: 'Link the chat that the bot has shown this code in; with the password where a chat is linked already',
    sessionOnly: true,
    body: TelegramConfirm,
    run: ({ signed, body, address }) => confirmChat(signed, body, address),
  }),
  'POST /api/telegram/test': route({
    summary: 'Send a message to the linked chat',
    body: Nothing,
    run: async ({ actor, language }) => {
      await testChat(actor);
      return { message: translate(language, 'telegram.test_sent') };
    },
  }),
  // With the password: whoever ends a link could make one to a chat of his own.
  'POST /api/telegram/unlink': route({
    summary: "End the caller's link, by his password",
    sessionOnly: true,
    body: OwnPassword,
    run: async ({ actor, signed, body, address }) => {
      await confirmPassword(signed, body.password, address, 'password');
      return unlinkChat(actor);
    },
  }),
};
