import { daysFrom } from './domains.ts';
import { newTelegram, type FakePerson, type TelegramState } from './telegram-state.ts';

/** Telegram in the demo: nobody knows this token outside of it. */
const TOKEN = '700000001:demo-token-of-the-made-up-bot';
const USERNAME = 'seo_admin_demo_bot';

const ANNA: FakePerson = { id: 710_001, first_name: 'Анна', username: 'demo_anna', language_code: 'ru' };
const OLEG: FakePerson = { id: 710_002, first_name: 'Олег', username: 'demo_oleg', language_code: 'ru' };

/** The people of the demo at Telegram: the chat of the first is the user `demo`'s; the second may link `operator`. */
export const TELEGRAM_PEOPLE: readonly FakePerson[] = [ANNA, OLEG];

/** The names at Telegram that the demo's users have entered, in their order. */
export const TELEGRAM_NAMES = TELEGRAM_PEOPLE.map(({ username }) => username ?? null);

const LINKED_DAYS = -30;

/** The chats that are linked at the beginning. */
export const telegramRows = (now: Date): Record<string, string | number>[] => [
  {
    user_id: 1,
    telegram_id: ANNA.id,
    chat_id: ANNA.id,
    name: ANNA.first_name,
    username: ANNA.username ?? '',
    language: 'ru',
    linked_at: daysFrom(now, LINKED_DAYS),
  },
];

/** Makes Telegram's state at the beginning of a demo: one chat, linked to the user demo. */
export function demoTelegram(now: Date): TelegramState {
  const state = newTelegram(TOKEN, USERNAME);
  const at = daysFrom(now, LINKED_DAYS);
  state.written.push({ chat_id: ANNA.id, message_id: 1, text: '/reg', at });
  state.sent.push({
    chat_id: ANNA.id,
    message_id: 2,
    text: 'Этот чат привязан к пользователю demo. Команды: /help',
    at,
    buttons: [],
  });
  state.nextMessage = 3;
  return state;
}
