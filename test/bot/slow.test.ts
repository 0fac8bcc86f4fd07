// Commands that take long: what goes on beside them, their order, their number, and a process that is killed meanwhile.
import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import { startBot } from '../../src/bot/index.ts';
import { startTelegram } from '../../src/demo/telegram.ts';
import { newTelegram, type FakePerson, type TelegramFake } from '../../src/demo/telegram-state.ts';
import { useConfig, type Config } from '../../src/lib/config.ts';
import { createLog } from '../../src/lib/log.ts';
import { startChild } from '../support/child.ts';
import { request, startServer, type TestServer } from '../support/server.ts';
import { CHAT_MS, sentTo, TOKEN, until } from './support.ts';

const PEOPLE = Array.from({ length: 7 }, (_, index): FakePerson => ({
  id: 5_000 + index,
  first_name: `P${index}`,
  language_code: 'en',
}));
const [ANNA, BORIS] = PEOPLE as [FakePerson, FakePerson];

/** A site that takes connections and says nothing. */
interface Silent {
  port: number;
  waiting: Set<Socket>;
  /** Ends those that wait, and those that come from now on. */
  release: () => void;
  hold: () => void;
  server: Server;
}

async function startSilent(): Promise<Silent> {
  const waiting = new Set<Socket>();
  let isHeld = true;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (isHeld) waiting.add(socket);
    else socket.destroy();
    socket.once('close', () => waiting.delete(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const release = (): void => {
    isHeld = false;
    for (const socket of waiting) socket.destroy();
  };
  return { port: (server.address() as { port: number }).port, waiting, release, hold: () => (isHeld = true), server };
}

let server: TestServer;
let site: Silent;
let telegram: TelegramFake;
let settings: Pick<Config, 'telegram' | 'allowPrivate' | 'connectTo'>;
let bot: ReturnType<typeof startBot> | undefined;

beforeAll(async () => {
  site = await startSilent();
  telegram = await startTelegram(newTelegram(TOKEN, 'seo_test_bot'));
  server = await startServer();
  settings = {
    telegram: { token: TOKEN, url: telegram.url, chatMs: CHAT_MS },
    allowPrivate: true,
    connectTo: `::127.0.0.1:${site.port}`,
  };
  useConfig({ ...server.config, ...settings });
  const at = new Date().toISOString();
  await transaction(async () => {
    for (const { id, first_name } of PEOPLE) {
      const login = first_name;
      await execute(
        `INSERT INTO users (login, password, role, active, created_at) VALUES ($login, '', 'admin', 1, $at)`,
        { login, at },
      );
      await execute(
        `INSERT INTO telegram_links (user_id, telegram_id, chat_id, name, language, linked_at)
         SELECT id, $id, $id, $login, 'en', $at FROM users WHERE login = $login`,
        { login, id, at },
      );
    }
  });
  const body = { domain_name: 'silent.example' };
  await request(server, 'POST /api/domains', { token: server.admin.token, body });
});
afterAll(async () => {
  site.release();
  site.server.close();
  await server.close();
  await telegram.close();
});
beforeEach(() => {
  site.hold();
  telegram.state.sent.length = 0;
});
afterEach(async () => {
  site.release();
  await bot?.stop();
  bot = undefined;
});

const texts = (person: FakePerson) => sentTo(telegram, person).map(({ text }) => text.split('\n')[0]);

test('a command of another chat is answered while one waits, and a later one of its own chat after it', async () => {
  bot = startBot(createLog('silent'));
  telegram.write(ANNA, '/check silent.example');
  await until(() => site.waiting.size > 0);
  telegram.write(ANNA, '/mute');
  telegram.write(BORIS, '/mute');
  await until(() => texts(BORIS).length === 1);
  // And what comes after an answer was given in between.
  telegram.write(BORIS, '/status');
  await until(() => texts(BORIS).length === 2);
  expect(texts(ANNA)).toEqual([]);
  site.release();
  await until(() => texts(ANNA).length === 2);
  expect(texts(ANNA)[0]).toBe('<b>silent.example</b>');
  await until(() => telegram.state.updates.length === 0);
  expect([texts(ANNA).length, texts(BORIS).length]).toEqual([2, 2]);
});

test('four of all chats run at once, and the others after them', async () => {
  bot = startBot(createLog('silent'));
  const [last, ...askers] = PEOPLE.toReversed() as [FakePerson, ...FakePerson[]];
  for (const person of askers) telegram.write(person, '/check silent.example');
  await until(() => site.waiting.size >= 4);
  telegram.write(last, '/status');
  await until(() => texts(last).length === 1);
  expect(site.waiting.size).toBe(4);
  site.release();
  await until(() => askers.every((person) => texts(person).length === 1));
  await until(() => telegram.state.updates.length === 0);
  expect(askers.map((person) => texts(person))).toEqual(askers.map(() => ['<b>silent.example</b>']));
});

test('a process that is killed in the middle loses no command, and none is answered twice', async () => {
  const killed = startChild('test/children/serve.ts', [server.config.dataDir, JSON.stringify(settings)]);
  await killed.line();
  telegram.write(ANNA, '/check silent.example');
  await until(() => site.waiting.size > 0);
  telegram.write(ANNA, '/status');
  telegram.write(BORIS, '/status');
  await until(() => texts(BORIS).length === 1);
  // A message that is sent while its process is killed may come twice.
  await until(async () => (await select('SELECT 1 FROM telegram_messages')).length === 0);
  await killed.kill();
  expect(texts(ANNA)).toEqual([]);
  site.release();
  // The turn of the dead one lasts for 45 seconds.
  await transaction(() => execute('UPDATE telegram_bots SET lease_until = NULL'));
  bot = startBot(createLog('silent'));
  await until(() => texts(ANNA).length === 2);
  expect(texts(ANNA)[0]).toBe('<b>silent.example</b>');
  await until(() => telegram.state.updates.length === 0);
  await until(async () => (await select('SELECT 1 FROM telegram_messages')).length === 0);
  expect([texts(ANNA).length, texts(BORIS).length]).toEqual([2, 1]);
});
