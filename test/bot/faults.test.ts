import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import { tableNames } from '../../db/tables.ts';
import { config } from '../../src/lib/config.ts';
import { createLog } from '../../src/lib/log.ts';
import { pollUpdates, readBot, splitText } from '../../src/providers/telegram.ts';
import { startBot } from '../../src/bot/index.ts';
import { purge } from '../../src/services/system/purge.ts';
import { queueMessage } from '../../src/services/notices/telegram-outbox.ts';
import { createPerson, type Person } from '../support/server.ts';
import { ANNA, ask, BORIS, link, sentTo, startBotWorld, TOKEN, until, type BotWorld } from './support.ts';

let world: BotWorld;
let anna: Person;
beforeAll(async () => {
  world = await startBotWorld();
  anna = await createPerson(world.server);
  await link(world, anna, ANNA);
});
afterAll(() => world.close());

const texts = (person: typeof ANNA) => sentTo(world.telegram, person).map(({ text }) => text);
const queue = (chat_id: number, text: string) =>
  transaction(() => queueMessage({ chat_id, language: 'en' }, { lines: [{ text }] }));
const idle = () => until(async () => (await select('SELECT 1 FROM telegram_messages')).length === 0);

describe('a message is sent once', () => {
  test('after a 429, not before its seconds have passed, and in its order', async () => {
    world.telegram.faults.push({ method: 'sendMessage', kind: 'error', code: 429, retry_after: 2, times: 1 });
    const begun = Date.now();
    await queue(ANNA.id, 'one');
    await queue(ANNA.id, 'two');
    await idle();
    const [one, two] = sentTo(world.telegram, ANNA).slice(-2);
    expect([one?.text, two?.text]).toEqual(['one', 'two']);
    expect(Date.parse(one?.at ?? '')).toBeGreaterThanOrEqual(begun + 2_000);
  });

  test('after 5xx answers that repeat the address with its token', async () => {
    world.telegram.faults.push({ method: 'sendMessage', kind: 'echo', times: 1 });
    await queue(ANNA.id, 'after the fault');
    await idle();
    expect(texts(ANNA).filter((text) => text === 'after the fault')).toHaveLength(1);
  });

  test('and a chat that has blocked the bot keeps no other one waiting, and is shown as gone', async () => {
    world.telegram.state.blocked.push(ANNA.id);
    await queue(ANNA.id, 'never');
    await queue(BORIS.id, 'for Boris');
    await idle();
    expect(texts(BORIS)).toContain('for Boris');
    expect((await ask(world, anna, 'GET /api/telegram')).body.link.gone_at).toMatch(/^\d{4}-/);
    world.telegram.state.blocked.length = 0;
    await world.say(ANNA, '/help');
    await until(async () => (await ask(world, anna, 'GET /api/telegram')).body.link.gone_at === null);
  });

  test('where its end could not be stored at first', async () => {
    const before = texts(BORIS).length;
    await transaction(async () => {
      await execute('CREATE TABLE held (id BIGINT REFERENCES telegram_messages (id))');
      await queueMessage({ chat_id: BORIS.id, language: 'en' }, { lines: [{ text: 'its end is held' }] });
      await execute('INSERT INTO held SELECT MAX(id) FROM telegram_messages');
    });
    await world.next(BORIS, before);
    await transaction(() => execute('DROP TABLE held'));
    await queue(BORIS.id, 'behind it');
    await idle();
    expect(texts(BORIS).slice(before)).toEqual(['its end is held', 'behind it']);
  });

  test('and HTML in names is text, and a long one comes in parts', async () => {
    await queue(ANNA.id, `<b>${'ä&'.repeat(3_000)}`);
    await idle();
    const parts = texts(ANNA).filter((text) => text.includes('ä'));
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.join('').replaceAll('\n', '')).toBe(`&lt;b&gt;${'ä&amp;'.repeat(3_000)}`);
    expect(parts.every((part) => part.length <= 4_096)).toBe(true);
  });
});

describe('a message that waits', () => {
  const other = -100_777;
  const to = (chat: number) =>
    world.telegram.state.sent.filter(({ chat_id }) => chat_id === chat).map(({ text }) => text);

  test('follows a group that has become another chat, with those behind it', async () => {
    world.telegram.state.migrated['-500'] = other;
    await queue(-500, 'first');
    await queue(-500, 'second');
    await idle();
    expect([to(-500), to(other)]).toEqual([[], ['first', 'second']]);
  });

  test('is given up where chats lead in a circle', async () => {
    Object.assign(world.telegram.state.migrated, { '-601': -602, '-602': -601 });
    await queue(-601, 'round and round');
    await idle();
    expect([to(-601), to(-602)]).toEqual([[], []]);
  });

  test('is sent once after the process that stored it has died, and one that was taken after its time', async () => {
    const at = new Date().toISOString();
    const store = (text: string, due_at: string) =>
      transaction(() =>
        execute(
          `INSERT INTO telegram_messages (chat_id, language, lines, buttons, created_at, due_at, tries)
           VALUES (-700, 'en', $lines, '[]', $at, $due_at, 1)`,
          { lines: JSON.stringify([{ text }]), at, due_at },
        ),
      );
    // Stored by a process that woke nobody.
    await store('stored', at);
    await idle();
    expect(to(-700)).toEqual(['stored']);
    await store('taken', new Date(Date.now() + 3_000).toISOString());
    await queue(BORIS.id, 'meanwhile');
    await until(() => texts(BORIS).includes('meanwhile'));
    expect(to(-700)).toEqual(['stored']);
    await idle();
    expect(to(-700)).toEqual(['stored', 'taken']);
  });

  test('is not sent a day later, and is purged where the bot is off', async () => {
    const old = async (chat: number) => {
      const at = new Date(Date.now() - 25 * 3_600_000).toISOString();
      await transaction(() =>
        execute(
          `INSERT INTO telegram_messages (chat_id, language, lines, buttons, created_at, due_at, tries)
           VALUES ($chat, 'en', '[{"text":"old"}]', '[]', $at, $due, 0)`,
          // The bot does not take one that is not due.
          { chat, at, due: chat === -801 ? '2099-01-01T00:00:00.000Z' : at },
        ),
      );
    };
    await old(-800);
    await idle();
    expect(to(-800)).toEqual([]);
    await old(-801);
    await purge();
    expect(await select('SELECT 1 FROM telegram_messages')).toEqual([]);
  });
});

describe('an update', () => {
  test('that comes again, or after a later one, does nothing twice', async () => {
    const seen = sentTo(world.telegram, BORIS).length;
    const id = world.telegram.write(BORIS, '/help');
    await world.next(BORIS, seen);
    await world.say(ANNA, '/help');
    world.telegram.repeat(id);
    await world.say(ANNA, '/help');
    await idle();
    expect(sentTo(world.telegram, BORIS)).toHaveLength(seen + 1);
  });

  test('that comes before an earlier one does not hide it', async () => {
    const seen = sentTo(world.telegram, BORIS).length;
    world.telegram.state.nextUpdate += 1;
    const late = world.telegram.write(BORIS, '/help');
    await world.next(BORIS, seen);
    const chat = { id: BORIS.id, type: 'private' };
    const earlier = { update_id: late - 1, message: { message_id: 1, date: 1, from: BORIS, chat, text: '/status' } };
    world.telegram.state.updates.push(earlier);
    await world.say(ANNA, '/help');
    expect((await world.next(BORIS, seen + 1)).text).toContain('/reg');
  });

  test('whose reply could not be stored is handled again, and its chat keeps its order', async () => {
    const seen = sentTo(world.telegram, ANNA).length;
    await transaction(() => execute('ALTER TABLE telegram_messages RENAME TO telegram_messages_away'));
    const polls = () => world.telegram.calls.filter((method) => method === 'getUpdates').length;
    const before = polls();
    world.telegram.write(ANNA, '/nothing');
    world.telegram.write(ANNA, '/help');
    await until(() => polls() > before + 1);
    expect(sentTo(world.telegram, ANNA)).toHaveLength(seen);
    await transaction(() => execute('ALTER TABLE telegram_messages_away RENAME TO telegram_messages'));
    expect((await world.next(ANNA, seen)).text).toContain('no such command');
    expect((await world.next(ANNA, seen + 1)).text).toContain('/mute 2h');
    await idle();
    expect(sentTo(world.telegram, ANNA)).toHaveLength(seen + 2);
  });

  test('is handled once where two pollers run, and goes on after the first has stopped', async () => {
    const second = startBot(createLog('silent'));
    const seen = sentTo(world.telegram, BORIS).length;
    for (let index = 0; index < 3; index += 1) world.telegram.write(BORIS, '/help');
    await world.next(BORIS, seen + 2);
    await idle();
    await second.stop();
    expect(sentTo(world.telegram, BORIS)).toHaveLength(seen + 3);
    expect((await ask(world, anna, 'GET /api/telegram')).body.bot.state).toBe('on');
  });
});

test('the token is in no error, whatever Telegram repeats', async () => {
  const login = config().telegram ?? { token: '', url: '' };
  for (const kind of ['echo', 'lost'] as const) {
    world.telegram.faults.push({ method: 'getMe', kind, times: 1 });
    const error = await readBot(login).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    const { message, stack, cause } = error as Error;
    expect(`${message} ${stack} ${String(cause)} ${JSON.stringify(error)}`).not.toContain('AAEmarker');
  }
  await expect(readBot({ ...login, token: '1:wrong-token-0123456789' })).rejects.toMatchObject({ kind: 'credentials' });
  // The poller of the server holds its poll open.
  const conflict = pollUpdates(login, { offset: undefined, seconds: 1 }, AbortSignal.timeout(5_000));
  await expect(conflict).rejects.toMatchObject({ code: 409 });
});

test('the token is in no table', async () => {
  for (const name of await tableNames()) {
    const rows = JSON.stringify(await select(`SELECT * FROM ${name}`));
    expect({ name, found: rows.includes(TOKEN.slice(8)) }).toEqual({ name, found: false });
  }
});

test('a text is split at ends of lines, and between characters where a line is too long', () => {
  expect(splitText('a\nb\nc', 3)).toEqual(['a\nb', 'c']);
  expect(splitText('abcdef', 4)).toEqual(['abcd', 'ef']);
  expect(splitText('abc😀d', 4)).toEqual(['abc', '😀d']);
  expect(splitText('\n\n')).toEqual([]);
});
