import { startTelegram } from '../../src/demo/telegram.ts';
import { newTelegram, type FakePerson, type SentMessage, type TelegramFake } from '../../src/demo/telegram-state.ts';
import { request, startServer, type Person, type TestServer } from '../support/server.ts';

/** Milliseconds between two messages to a chat, which nobody limits here. */
export const CHAT_MS = 1;
export const TOKEN = '700100:AAEmarkerOfTheBotTokenThatNobodyMaySee';
export const ANNA: FakePerson = { id: 111_222, first_name: 'Anna', username: 'Anna_Seo', language_code: 'en' };
export const BORIS: FakePerson = { id: 333_444, first_name: 'Boris', username: 'boris', language_code: 'ru' };

/** A server whose bot talks to a fake of Telegram. */
export interface BotWorld {
  server: TestServer;
  telegram: TelegramFake;
  /** Waits for a message to a chat after the first `seen` ones. */
  next: (person: FakePerson, seen?: number) => Promise<SentMessage>;
  /** Writes to the bot and returns its reply. */
  say: (person: FakePerson, text: string) => Promise<SentMessage>;
  close: () => Promise<void>;
}

/** Waits until a condition holds; the net against hanging is as wide as that of a test, as Telegram holds a poll for half a minute. */
export async function until<T>(look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  for (let turn = 0; turn < 40_000; turn += 1) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('it never became true');
}

/** Returns the messages of a chat. */
export const sentTo = ({ state }: TelegramFake, { id }: FakePerson): SentMessage[] =>
  state.sent.filter(({ chat_id }) => chat_id === id);

export async function startBotWorld(): Promise<BotWorld> {
  const telegram = await startTelegram(newTelegram(TOKEN, 'seo_test_bot'));
  const server = await startServer({
    telegram: { token: TOKEN, url: telegram.url, chatMs: CHAT_MS },
    publicUrl: 'https://seo.example',
  });
  await until(
    async () =>
      (await request(server, 'GET /api/telegram', { token: server.admin.token, headers: HOST })).body.bot.state ===
      'on',
  );
  const next: BotWorld['next'] = (person, seen = 0) => until(() => sentTo(telegram, person)[seen]);
  return {
    server,
    telegram,
    next,
    say: (person, text) => {
      const seen = sentTo(telegram, person).length;
      telegram.write(person, text);
      return next(person, seen);
    },
    close: async () => {
      await server.close();
      await telegram.close();
    },
  };
}

const HOST = { host: '127.0.0.1' };

/** Makes a call as a person. */
export const ask = ({ server }: BotWorld, { token }: Pick<Person, 'token'>, call: string, body?: unknown) =>
  request(server, call, { token, headers: HOST, ...(body !== undefined && { body }) });

/** The code in a message of the bot. */
export const codeIn = ({ text }: SentMessage): string => /<code>([^<]+)<\/code>/.exec(text)?.[1] ?? '';

/** Opens the bot by a link and returns the code that it shows. */
export async function showCode({ telegram }: BotWorld, person: FakePerson, start: string): Promise<string> {
  const seen = sentTo(telegram, person).length;
  telegram.write(person, `/start ${start}`);
  return until(() =>
    sentTo(telegram, person)
      .slice(seen)
      .map(codeIn)
      .find((code) => code !== ''),
  );
}

/** Links a person's chat to a user. */
export async function link(world: BotWorld, user: Person, person: FakePerson, more: object = {}): Promise<void> {
  const { body } = await ask(world, user, 'POST /api/telegram', {});
  const shown = await showCode(world, person, body.code);
  const seen = sentTo(world.telegram, person).length;
  const answer = await ask(world, user, 'POST /api/telegram/confirm', { code: shown, ...more });
  if (answer.status !== 200) throw new Error(answer.text);
  await world.next(person, seen);
}
