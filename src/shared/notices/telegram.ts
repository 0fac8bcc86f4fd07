import { z } from 'zod';
import type { Message } from '../i18n/index.ts';
import { line, message } from '../text.ts';

/**
 * How the bot runs: `off` no token is configured, `starting` nobody has polled yet, `on`, `refused` Telegram does not know the token,
 * `conflict` another program polls with it, `away` Telegram does not answer.
 */
export type BotState = 'off' | 'starting' | 'on' | 'refused' | 'conflict' | 'away';

/** A line of a message of the bot, which is put into the reader's language when it is sent. `code` is copied by a tap. */
export type TelegramLine = (Message | { text: string }) & { style?: 'bold' | 'code' };

/** A button under a message: `data` (64 bytes at most) comes back to the bot, `path` opens that page of ours. */
export interface TelegramButton {
  label: Message;
  data?: string;
  path?: string;
}

/** A message of the bot before it has a language. */
export interface TelegramReply {
  lines: TelegramLine[];
  buttons?: TelegramButton[];
}

/** The code that the bot shows: eight letters and digits, without those that look alike. */
export const CODE_LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** The code as typed: case, blanks and hyphens do not count. The password is asked for where a chat is linked already. */
export const TelegramConfirm = z.object({
  code: line(40)
    .transform((value) => value.replaceAll(/[\s-]/g, '').toUpperCase())
    .refine((value) => new RegExp(`^[${CODE_LETTERS}]{8}$`).test(value), message('telegram.code_shape')),
  password: z.string().max(1_024).optional(),
});
export type TelegramConfirm = z.output<typeof TelegramConfirm>;

/** A chat as the settings show it. `name` and `username` are what Telegram said when it was linked. */
export interface TelegramChat {
  telegram_id: number;
  name: string;
  username: string | null;
}

/** The Telegram of a user. `pending` are chats that wait for their code, newest first; `demo_url` is the page of the demo's chats. */
export interface TelegramView {
  bot: { state: BotState; username: string | null };
  claimed: string | null;
  demo_url: string | null;
  link: (TelegramChat & { linked_at: string; muted_until: string | null; gone_at: string | null }) | null;
  pending: (TelegramChat & { created_at: string; expires_at: string })[];
}

/** A way to the bot: `code` for `/start`, valid for ten minutes and one use; `link` opens the bot with it. Null where the bot is off. */
export interface TelegramClaim {
  code: string | null;
  link: string | null;
}
