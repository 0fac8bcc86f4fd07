import { transaction } from '../../../db/index.ts';
import type { BotLogin } from '../../providers/telegram.ts';
import { telegramChannel } from '../../providers/telegram-channel.ts';
import type { PersonalRoute } from './channels.ts';
import { findLinkOfUser, moveChat, setLinkGone } from './telegram-rows.ts';

/** Returns the way of notices to linked chats. A chat that takes no messages is noted, and gets none until it writes again. */
export function telegramRoute(login: BotLogin): PersonalRoute {
  const { send } = telegramChannel(login, (from, to) => transaction(() => moveChat(from, to)));
  return {
    channel: {
      send: async (address, ...rest) => {
        const sent = await send(address, ...rest);
        if (sent.outcome === 'gone') await transaction(() => setLinkGone(Number(address), new Date().toISOString()));
        return sent;
      },
    },
    addressOf: async (user_id) => {
      const link = await findLinkOfUser(user_id);
      return link && link.gone_at === null ? String(link.chat_id) : null;
    },
  };
}
