import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execute, executeUnaudited, select, transaction } from '../../db/index.ts';
import { createPerson, request, type Person } from '../support/server.ts';
import { ANNA, ask, BORIS, link, sentTo, startBotWorld, until, type BotWorld } from './support.ts';

let world: BotWorld;
let anna: Person;
const domains: Record<string, number> = {};

const sql = (statement: string, bind = {}) => transaction(() => executeUnaudited('demo', statement, bind));

async function addDomain(owner: Person, domain_name: string): Promise<number> {
  const { body } = await ask(world, owner, 'POST /api/domains', { domain_name });
  return body.data.id;
}

beforeAll(async () => {
  world = await startBotWorld();
  anna = await createPerson(world.server);
  await link(world, anna, ANNA);
  domains['own'] = await addDomain(anna, 'own.example');
  domains['foreign'] = await addDomain(world.server.admin, 'foreign.example');
  await sql(`UPDATE domains SET status = 'blocked' WHERE id = $id`, { id: domains['own'] });
});
afterAll(() => world.close());

describe('a linked chat', () => {
  test('gets the counts of its own user’s portfolio by /status', async () => {
    const { text, buttons } = await world.say(ANNA, '/status');
    expect(text).toContain('<b>Domains: 1</b>');
    expect(text).toContain('Blocked: 1');
    expect(buttons).toEqual([{ text: 'Open', url: 'https://seo.example/' }]);
  });

  test('gets a domain of its own with buttons, and of a foreign name the verdict alone, as of an unknown one', async () => {
    const own = await world.say(ANNA, '/check https://OWN.example/');
    expect(own.text).toContain('Blocklist: blocked');
    expect(own.text).toContain('HTTP');
    expect(own.buttons[0]).toEqual({ text: 'Check again', callback_data: `check:${domains['own']}` });
    const foreign = await world.say(ANNA, '/check foreign.example');
    const unknown = await world.say(ANNA, '/check nobodys.example');
    expect(foreign.text.replace('foreign', 'nobodys')).toBe(unknown.text);
    expect(foreign.buttons).toEqual([]);
  });

  test('is muted until a time that is stored, and audited as its user’s', async () => {
    expect((await world.say(ANNA, '/mute 2h')).text).toMatch(/No notices until \d{4}/);
    const [{ muted_until }] = (await select<{ muted_until: string }>('SELECT muted_until FROM notice_preferences')) as [
      { muted_until: string },
    ];
    expect(Date.parse(muted_until) - Date.now()).toBeGreaterThan(7_000_000);
    const [row] = await select<object>(`SELECT login, door, call FROM audit ORDER BY id DESC LIMIT 1`);
    expect(row).toEqual({ login: anna.login, door: 'telegram', call: '/mute' });
    expect((await world.say(ANNA, '/mute off')).text).toContain('again');
    expect((await world.say(ANNA, '/mute forever')).text).toContain('/mute 30m');
  });

  test('takes junk as text: no tag, no command, no fault', async () => {
    const said = await world.say(ANNA, '/check <b>&amp;"');
    expect(said.text).toContain('/check example.com');
    expect((await world.say(ANNA, `/${'x'.repeat(4_000)}`)).text).toContain('/help');
    expect((await world.say(ANNA, '/constructor __proto__')).text).toContain('/help');
  });

  test('checks again by its button, in its own chat alone', async () => {
    const message = await world.say(ANNA, '/check own.example');
    const seen = sentTo(world.telegram, ANNA).length;
    world.telegram.press(ANNA, message, `check:${domains['own']}`);
    expect((await world.next(ANNA, seen)).text).toContain('own.example');

    const all = world.telegram.state.sent.length;
    const calls = world.telegram.calls.length;
    world.telegram.press(BORIS, message, `check:${domains['own']}`);
    world.telegram.press(ANNA, { ...message, chat_id: -100 }, `check:${domains['own']}`);
    await until(() => world.telegram.calls.slice(calls).filter((call) => call === 'answerCallbackQuery').length === 2);
    expect(world.telegram.state.sent).toHaveLength(all);
  });

  test('cannot reach a foreign domain by the data of a button, nor by data that is none', async () => {
    const message = { chat_id: ANNA.id, message_id: 1 };
    for (const data of [
      `check:${domains['foreign']}`,
      `move:${domains['foreign']}`,
      'x:1',
      `start:1:2:${'A'.repeat(16)}`,
      '',
    ]) {
      const seen = sentTo(world.telegram, ANNA).length;
      world.telegram.press(ANNA, message, data);
      const { text } = await world.next(ANNA, seen);
      expect(text).not.toContain('foreign');
    }
    expect(await select(`SELECT 1 FROM operations WHERE kind = 'transfer'`)).toEqual([]);
  });

  test('is refused once its user is disabled', async () => {
    await sql('UPDATE users SET active = 0 WHERE id = $id', { id: anna.id });
    expect((await world.say(ANNA, '/status')).text).toContain('/reg');
    await sql('UPDATE users SET active = 1 WHERE id = $id', { id: anna.id });
  });
});

test('a group, a channel and another bot get no answer, and write nothing', async () => {
  const [sent, updates] = [world.telegram.state.sent.length, await select('SELECT 1 FROM telegram_updates')];
  world.telegram.write(ANNA, '/status', { chat: { id: -1001, type: 'supergroup' } });
  world.telegram.write(ANNA, '/status', { from: { ...ANNA, is_bot: true } });
  world.telegram.push({ channel_post: { text: '/status' } });
  world.telegram.push({ message: { nonsense: true } });
  await until(() => world.telegram.state.updates.length === 0);
  expect(world.telegram.state.sent).toHaveLength(sent);
  expect(await select('SELECT 1 FROM telegram_updates')).toHaveLength(updates.length);
});

test('a flood of one chat is answered twenty times a minute and holds no other chat up', async () => {
  const flooder = { id: 999_001, first_name: '<script>', language_code: 'en' };
  const before = await select('SELECT 1 FROM telegram_updates');
  for (let index = 0; index < 2_000; index += 1) world.telegram.write(flooder, `/help ${'A'.repeat(200)} <i>`);
  expect((await world.say(BORIS, '/help')).text).toContain('/reg');
  await until(() => world.telegram.state.updates.length === 0);
  await transaction(() => execute('DELETE FROM telegram_messages WHERE chat_id = $id', { id: flooder.id }));
  expect((await select('SELECT 1 FROM telegram_updates')).length - before.length).toBeLessThanOrEqual(22);
});

test('a test message arrives, and not without a link', async () => {
  const seen = sentTo(world.telegram, ANNA).length;
  expect((await ask(world, anna, 'POST /api/telegram/test', {})).status).toBe(200);
  expect((await world.next(ANNA, seen)).text).toContain(anna.login);
  const { status } = await ask(world, world.server.admin, 'POST /api/telegram/test', {});
  expect(status).toBe(409);
  expect((await request(world.server, 'POST /api/telegram/test')).status).toBe(401);
});
