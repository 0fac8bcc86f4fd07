import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { select } from '../../db/index.ts';
import { CODE_LETTERS } from '../../src/shared/notices/telegram.ts';
import { createPerson, PASSWORD } from '../support/server.ts';
import { ANNA, ask, BORIS, codeIn, link, sentTo, showCode, startBotWorld, until, type BotWorld } from './support.ts';

let world: BotWorld;
beforeAll(async () => {
  world = await startBotWorld();
});
afterAll(() => world.close());

const changes = async (user: { id: number }): Promise<number> =>
  (await select(`SELECT 1 FROM events WHERE kind = 'telegram_changed' AND user_id = $id`, { id: user.id })).length;

const linked = () =>
  select<{ user_id: number; telegram_id: number }>('SELECT user_id, telegram_id FROM telegram_links');

describe('a chat is linked from two sides', () => {
  test('by the name that was entered, /reg, and the code of the chat that the signed-in user enters', async () => {
    const user = await createPerson(world.server);
    const { body } = await ask(world, user, 'PUT /api/update_telegram', { telegram: '@anna_seo' });
    expect(body).toEqual({
      changes: 1,
      code: expect.stringMatching(/^[\w-]{43}$/),
      link: `https://t.me/seo_test_bot?start=${body.code}`,
    });
    const shown = await world.say(ANNA, '/reg@seo_test_bot');
    expect(codeIn(shown)).toMatch(/^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/);
    expect(await linked()).toEqual([]);
    const before = await ask(world, user, 'GET /api/telegram');
    expect(before.body).toMatchObject({
      bot: { state: 'on', username: 'seo_test_bot' },
      claimed: 'anna_seo',
      link: null,
      pending: [{ telegram_id: ANNA.id, name: 'Anna', username: 'Anna_Seo' }],
    });
    const answer = await ask(world, user, 'POST /api/telegram/confirm', { code: ` ${codeIn(shown).toLowerCase()} ` });
    expect(answer.body).toMatchObject({
      link: { telegram_id: ANNA.id, muted_until: null },
      pending: [],
      // Elsewhere than in the demo there is no page of chats.
      demo_url: null,
    });
    expect((await world.next(ANNA, 1)).text).toContain(user.login);
    const [row] = await select<{ door: string; after: string }>(
      `SELECT door, after FROM audit WHERE object = 'telegram_links' ORDER BY id DESC LIMIT 1`,
    );
    expect(row).toMatchObject({ door: 'api' });

    const stopped = await world.say(ANNA, '/stop');
    expect(stopped.text).toContain('unlinked');
    // Its link and its end: over his other channels he hears of both.
    expect(await changes(user)).toBe(2);
    expect(await linked()).toEqual([]);
    const [end] = await select<{ login: string; door: string; call: string }>(
      `SELECT login, door, call FROM audit WHERE object = 'telegram_links' ORDER BY id DESC LIMIT 1`,
    );
    expect(end).toEqual({ login: user.login, door: 'telegram', call: '/stop' });
  });

  test('and a stranger who took the entered name over gets a code that is of no use to him', async () => {
    const user = await createPerson(world.server);
    await ask(world, user, 'PUT /api/update_telegram', { telegram: 'freed_name' });
    const thief = { ...BORIS, username: 'Freed_Name' };
    await world.say(thief, '/reg');
    expect((await ask(world, user, 'GET /api/telegram')).body.pending).toHaveLength(1);
    expect(await linked()).toEqual([]);
  });

  test('and the code of one user links nothing for another', async () => {
    const [one, other] = [await createPerson(world.server), await createPerson(world.server)];
    const { body } = await ask(world, one, 'POST /api/telegram', {});
    const code = await showCode(world, ANNA, body.code);
    expect((await ask(world, other, 'POST /api/telegram/confirm', { code })).status).toBe(422);
    expect(await linked()).toEqual([]);
  });

  test('and a link to the bot works once, a code works once', async () => {
    const user = await createPerson(world.server);
    const { body } = await ask(world, user, 'POST /api/telegram', {});
    const code = await showCode(world, ANNA, body.code);
    expect((await world.say(BORIS, `/start ${body.code}`)).text).toContain('устарела');
    expect((await ask(world, user, 'POST /api/telegram/confirm', { code })).status).toBe(200);
    await ask(world, user, 'POST /api/telegram/unlink', { password: PASSWORD });
    expect((await ask(world, user, 'POST /api/telegram/confirm', { code })).status).toBe(422);
    expect(await linked()).toEqual([]);
  });

  test('and after five wrong codes in an hour the right one is refused, too', async () => {
    const user = await createPerson(world.server);
    const { body } = await ask(world, user, 'POST /api/telegram', {});
    const code = await showCode(world, BORIS, body.code);
    const guesses = Array.from({ length: 12 }, (_, index) => `AAAA-AAA${CODE_LETTERS.charAt(index)}`);
    const ends = await Promise.all(
      guesses.map((guess) => ask(world, user, 'POST /api/telegram/confirm', { code: guess })),
    );
    const of = (wanted: number) => ends.filter(({ status }) => status === wanted).length;
    expect([of(422), of(429)]).toEqual([5, 7]);
    const late = await ask(world, user, 'POST /api/telegram/confirm', { code });
    expect(late.status).toBe(429);
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(3_000);
    expect(await linked()).toEqual([]);
  });

  test('ends with a password that an administrator sets: the chat acts for nobody', async () => {
    const user = await createPerson(world.server);
    await link(world, user, ANNA);
    const seen = sentTo(world.telegram, ANNA).length;
    const { status } = await ask(world, world.server.admin, `POST /api/users/${user.id}/password`, {});
    expect(status).toBe(200);
    expect(await linked()).toEqual([]);
    expect((await world.next(ANNA, seen)).text).toContain(user.login);
    expect((await world.say(ANNA, '/status')).text).not.toContain('Domains');
  });

  test('and linking again, or ending the link, by a stolen session fails without the password, and tells the former chat with it', async () => {
    const user = await createPerson(world.server);
    await link(world, user, ANNA);
    const { body } = await ask(world, user, 'POST /api/telegram', {});
    const code = await showCode(world, BORIS, body.code);
    const stolen = await ask(world, user, 'POST /api/telegram/confirm', { code });
    expect(stolen.body).toMatchObject({ code: 'wrong_password', fields: { password: expect.any(String) } });
    const guessed = await ask(world, user, 'POST /api/telegram/confirm', { code, password: 'wrong password' });
    expect(guessed.status).toBe(422);
    expect(stolen.body.fields.password).toContain('введите пароль');
    expect(guessed.body.fields.password).toBe('Неверный текущий пароль');
    const unlinked = await ask(world, user, 'POST /api/telegram/unlink', { password: 'wrong password' });
    expect(unlinked.body).toMatchObject({ code: 'wrong_password', fields: { password: 'Неверный текущий пароль' } });
    expect(await linked()).toEqual([{ user_id: user.id, telegram_id: ANNA.id }]);
    const seen = sentTo(world.telegram, ANNA).length;
    const done = await ask(world, user, 'POST /api/telegram/confirm', { code, password: PASSWORD });
    expect(done.status).toBe(200);
    expect((await world.next(ANNA, seen)).text).toContain('change the password');
    expect(await linked()).toEqual([{ user_id: user.id, telegram_id: BORIS.id }]);
    expect(await changes(user)).toBe(2);
    await ask(world, user, 'POST /api/telegram/unlink', { password: PASSWORD });
    expect(await changes(user)).toBe(3);
  });

  test('and codes and tokens are stored as hashes alone', async () => {
    const user = await createPerson(world.server);
    const { body } = await ask(world, user, 'POST /api/telegram', {});
    const code = await showCode(world, ANNA, body.code);
    await until(async () => (await select('SELECT 1 FROM telegram_messages')).length === 0);
    for (const table of ['telegram_claims', 'telegram_pendings', 'telegram_messages', 'audit']) {
      const rows = JSON.stringify(await select(`SELECT * FROM ${table}`));
      expect(rows).not.toContain(body.code);
      expect(rows).not.toContain(code);
      expect(rows).not.toContain(code.replace('-', ''));
    }
  });
});
