// Why a domain is red, asked of the bot.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import { createPerson, type Person } from '../support/server.ts';
import { ANNA, ask, link, sentTo, startBotWorld, type BotWorld } from './support.ts';

let world: BotWorld;
let anna: Person;
const domains: Record<string, number> = {};

const sql = (statement: string, bind = {}) => transaction(() => execute(statement, bind));

beforeAll(async () => {
  world = await startBotWorld();
  anna = await createPerson(world.server);
  await link(world, anna, ANNA);
  const add = async (owner: Person, domain_name: string): Promise<number> =>
    (await ask(world, owner, 'POST /api/domains', { domain_name })).body.data.id;
  domains['own'] = await add(anna, 'own.example');
  domains['foreign'] = await add(world.server.admin, 'foreign.example');
});
afterAll(() => world.close());

test('a linked chat gets why a domain of its own is red as it was found last, and asks anew by the button', async () => {
  const own = domains['own'] ?? 0;
  const never = await world.say(ANNA, '/why own.example');
  expect(never.text).toContain('Nobody has asked');
  expect(never.buttons[0]).toEqual({ text: 'Ask why', callback_data: `why:${own}` });
  const found = {
    layer: 'origin',
    state: 'broken',
    message: { key: 'why.answers', params: { status: 503 } },
    act: 'server',
  };
  await sql(
    `INSERT INTO diagnoses (domain_id, domain_name, asked_at, broken, steps)
     VALUES ($own, 'own.example', '2026-01-02T03:04:05.000Z', 'origin', $steps)`,
    { own, steps: JSON.stringify([found]) },
  );
  const stored = await world.say(ANNA, '/why https://OWN.example/');
  expect(stored.text).toContain('Answers: HTTP 503');
  expect(stored.text).toContain('Asked 2026-01-02 03:04 UTC');
  expect(stored.buttons[0]).toEqual({ text: 'Ask again', callback_data: `why:${own}` });

  const seen = sentTo(world.telegram, ANNA).length;
  world.telegram.press(ANNA, stored, `why:${own}`);
  const asked = await world.next(ANNA, seen);
  expect(asked.text).toContain('<b>own.example</b>');
  expect(asked.text).not.toContain('2026-01-02');
  const [row] = await select<{ asked_at: string }>('SELECT asked_at FROM diagnoses');
  expect(asked.text).toContain(`Asked ${row?.asked_at.slice(0, 16).replace('T', ' ')} UTC`);
});

test('a linked chat gets of a foreign name the same answer as of an unknown one, why it is red', async () => {
  const foreign = await world.say(ANNA, '/why foreign.example');
  const unknown = await world.say(ANNA, '/why nobodys.example');
  expect(foreign.text.replace('foreign', 'nobodys')).toBe(unknown.text);
  expect([foreign.buttons, unknown.buttons]).toEqual([[], []]);
  const seen = sentTo(world.telegram, ANNA).length;
  world.telegram.press(ANNA, foreign, `why:${domains['foreign']}`);
  expect((await world.next(ANNA, seen)).text).not.toContain('foreign');
  expect((await world.say(ANNA, '/why')).text).toContain('/why example.com');
});

test('a name that is nobody’s is read in the letters in which it is known', async () => {
  for (const typed of ['/check пример.рф', '/check xn--e1afmkfd.xn--p1ai', '/why Пример.РФ'])
    expect((await world.say(ANNA, typed)).text).toMatch(/^(?:<b>)?пример\.рф/);
});
