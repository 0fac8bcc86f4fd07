// Transfers by button: the plan as a text, the press that starts it, and what must not start one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import { startBot } from '../../src/bot/index.ts';
import { startTelegram } from '../../src/demo/telegram.ts';
import { newTelegram, type SentMessage, type TelegramFake } from '../../src/demo/telegram-state.ts';
import { useConfig } from '../../src/lib/config.ts';
import { createLog } from '../../src/lib/log.ts';
import { updateBlocklist } from '../../src/services/checks/blocklist.ts';
import { startMoves, type Moves } from '../support/moves.ts';
import { MAIN, pairOf, RESERVE } from '../support/moves-portfolio.ts';
import { ANNA, BORIS, CHAT_MS, sentTo, TOKEN, until } from './support.ts';

let moves: Moves;
let telegram: TelegramFake;
let bot: ReturnType<typeof startBot>;
const { sourceDomainId: MAIN_ID, targetDomainId: RESERVE_ID } = pairOf(MAIN, RESERVE);

beforeAll(async () => {
  moves = await startMoves();
  telegram = await startTelegram(newTelegram(TOKEN, 'seo_test_bot'));
  useConfig({
    ...moves.config,
    telegram: { token: TOKEN, url: telegram.url, chatMs: CHAT_MS },
    publicUrl: 'https://seo.example',
  });
  const file = join(moves.config.dataDir, 'list.txt');
  writeFileSync(file, `${MAIN}\n`);
  await updateBlocklist(moves.config.blocklistDir, { file, accept: true });
  await transaction(() =>
    execute(`INSERT INTO users (login, password, role, active, created_at) VALUES ('other', '', 'user', 1, $at)`, {
      at: new Date().toISOString(),
    }),
  );
});
afterAll(async () => {
  await telegram.close();
  await moves.close();
});
beforeEach(async () => {
  await moves.reset();
  await transaction(async () => {
    for (const table of ['telegram_updates', 'telegram_messages', 'telegram_links'])
      await execute(`DELETE FROM ${table}`);
    await execute(`UPDATE domains SET status = 'blocked' WHERE id = ${MAIN_ID}`);
    await execute(`UPDATE users SET active = 1, role = 'user'`);
    await execute('UPDATE projects SET user_id = 1');
    await link(1, ANNA.id);
  });
  telegram.state.sent.length = 0;
  telegram.state.updates.length = 0;
  bot = startBot(createLog('silent'));
});
afterEach(() => bot.stop());

/** Links a chat below the API, which is tested on its own. */
const link = (user: number, person: number) =>
  execute(
    `INSERT INTO telegram_links (user_id, telegram_id, chat_id, name, language, linked_at)
     VALUES ($user, $person, $person, 'Somebody', 'en', $at)`,
    { user, person, at: new Date().toISOString() },
  );

const change = (sql: string) => transaction(() => execute(sql));
const transfers = () =>
  select<{ id: number; user_id: number }>(`SELECT id, user_id FROM operations WHERE kind = 'transfer'`);
const domains = () => select('SELECT * FROM domains ORDER BY id');
const anyMessage: SentMessage = { chat_id: ANNA.id, message_id: 1, text: '', at: '', buttons: [] };

/** Presses a button and returns the reply. */
async function press(data: string, more: object = {}, person = ANNA): Promise<SentMessage> {
  const seen = sentTo(telegram, person).length;
  telegram.press(person, { ...anyMessage, chat_id: person.id }, data, more);
  return until(() => sentTo(telegram, person)[seen]);
}

/** Presses a button that gets no message; returns when the press was answered. */
async function pressInVain(data: string, more: object = {}, person = ANNA): Promise<void> {
  const answered = () => telegram.calls.filter((method) => method === 'answerCallbackQuery').length;
  const before = answered();
  telegram.press(person, { ...anyMessage, chat_id: person.id }, data, more);
  await until(() => answered() > before);
}

/** Asks for the plan and returns the data of the button that starts it. */
async function plan(): Promise<string> {
  const { buttons } = await press(`move:${MAIN_ID}`);
  return buttons[0]?.callback_data ?? '';
}

test('a plan is shown as text and changes nothing; its button starts it once, in the name of the linked user', async () => {
  const stored = await domains();
  const shown = await press(`move:${MAIN_ID}`);
  expect(shown.text).toContain(`<b>Plan of the transfer ${MAIN} → ${RESERVE}</b>`);
  expect(shown.text).toContain(`\n+ 301 redirect ${MAIN} → ${RESERVE}\n± main domain ${MAIN} → ${RESERVE}\n`);
  // In words, and not by the names of acts.
  expect(shown.text).not.toMatch(/swap|upload|activate|chain:/);
  expect(shown.text).toMatch(/Nothing has changed yet\. Start\?$/);
  expect(shown.buttons.map(({ text, callback_data }) => ({ text, callback_data }))).toEqual([
    { text: `Move to ${RESERVE}`, callback_data: expect.stringMatching(`^start:${MAIN_ID}:${RESERVE_ID}:[\\w-]{16}$`) },
  ]);
  expect(await transfers()).toEqual([]);
  expect(moves.fake.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(await domains()).toEqual(stored);

  const reply = await press(shown.buttons[0]?.callback_data ?? '');
  const [operation] = await transfers();
  expect(operation).toMatchObject({ user_id: 1 });
  expect(reply.text).toBe(`The transfer has started: operation ${operation?.id}`);
  expect(reply.buttons).toEqual([{ text: 'Open', url: `https://seo.example/operations?operation=${operation?.id}` }]);
  await moves.run(operation?.id ?? 0);
  expect(await moves.visit(MAIN)).toMatchObject({ status: 200, hosts: [MAIN, RESERVE] });

  // The same button after the move: the source is main no more.
  expect((await press(shown.buttons[0]?.callback_data ?? '')).text).not.toContain('has started');
  expect(await transfers()).toHaveLength(1);
});

test('a second press of the same button finds the running transfer', async () => {
  const data = await plan();
  const first = await press(data);
  const second = await press(data);
  expect(second.text).toBe(first.text);
  expect(await transfers()).toHaveLength(1);
});

test('a press that is told again after a crash between the start and the reply says that it has started', async () => {
  const data = await plan();
  await press(data);
  const [operation] = await transfers();
  const [{ update_id } = { update_id: 0 }] = await select<{ update_id: number }>(
    'SELECT MAX(update_id) AS update_id FROM telegram_updates',
  );
  await bot.stop();
  await change('DELETE FROM telegram_updates');
  telegram.repeat(update_id);
  const seen = sentTo(telegram, ANNA).length;
  bot = startBot(createLog('silent'));
  const again = await until(() => sentTo(telegram, ANNA)[seen]);
  expect(again.text).toBe(`The transfer has started: operation ${operation?.id}`);
  // Even after the transfer has ended.
  await moves.run(operation?.id ?? 0);
  await bot.stop();
  await change('DELETE FROM telegram_updates');
  telegram.repeat(update_id);
  bot = startBot(createLog('silent'));
  expect((await until(() => sentTo(telegram, ANNA)[seen + 1])).text).toBe(again.text);
  expect(await transfers()).toHaveLength(1);
});

test('a plan that no longer holds, or was shown too long ago, starts nothing and is shown again', async () => {
  const data = await plan();
  const old = {
    message: { message_id: 1, date: Math.floor(Date.now() / 1000) - 700, chat: { id: ANNA.id, type: 'private' } },
  };
  for (const more of [old, { message: { ...old.message, date: 0 } }]) {
    const { buttons } = await press(data, more);
    expect(buttons).toMatchObject([{ text: 'Show the plan again', callback_data: `move:${MAIN_ID}` }]);
  }
  moves.zone(RESERVE).records[0]!.content = '198.51.100.77';
  expect((await press(data)).buttons).toMatchObject([{ callback_data: `move:${MAIN_ID}` }]);
  expect((await press(`start:${MAIN_ID}:${RESERVE_ID}:${'x'.repeat(16)}`)).buttons).toMatchObject([
    { callback_data: `move:${MAIN_ID}` },
  ]);
  expect(await transfers()).toEqual([]);
  // The present plan differs, and starts.
  const present = await plan();
  expect(present).not.toBe(data);
  await press(present);
  expect(await transfers()).toHaveLength(1);
});

test('a press starts nothing for a disabled user, without a link, from another chat, or by another person', async () => {
  const data = await plan();
  await change('UPDATE users SET active = 0 WHERE id = 1');
  await pressInVain(data);
  await change('UPDATE users SET active = 1 WHERE id = 1');

  const group = {
    message: { message_id: 1, date: Math.floor(Date.now() / 1000), chat: { id: -100_500, type: 'supergroup' } },
  };
  await pressInVain(data, group);
  const others = { message: { ...group.message, chat: { id: BORIS.id, type: 'private' } } };
  await pressInVain(data, others);
  await pressInVain(data, {}, BORIS);

  await change('DELETE FROM telegram_links');
  await pressInVain(data);
  expect(await transfers()).toEqual([]);
  expect(sentTo(telegram, BORIS)).toEqual([]);
});

test('a press starts nothing where the project is not the linked user’s any more, or is another’s', async () => {
  const data = await plan();
  await change('UPDATE projects SET user_id = 2');
  await change('UPDATE domains SET user_id = 2');
  const { text } = await press(data);
  expect(text).not.toContain('started');
  expect(text).not.toContain(MAIN);
  expect((await press(`move:${MAIN_ID}`)).text).not.toContain(MAIN);
  // An administrator may, until he is none any more.
  await change(`UPDATE users SET role = 'admin' WHERE id = 1`);
  const allowed = await plan();
  expect(allowed).toMatch(/^start:/);
  await change(`UPDATE users SET role = 'user' WHERE id = 1`);
  expect((await press(allowed)).text).toBe(text);
  expect(await transfers()).toEqual([]);
});
