// A required second factor closes the bot as it closes every other door.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute, transaction } from '../../db/index.ts';
import { createPerson } from '../support/server.ts';
import { ANNA, link, startBotWorld, type BotWorld } from './support.ts';

let world: BotWorld;
beforeAll(async () => {
  world = await startBotWorld();
  await link(world, await createPerson(world.server), ANNA);
});
afterAll(() => world.close());

test('a chat does nothing for a user who has to add a second factor first', async () => {
  await transaction(() => execute(`INSERT INTO installation (name, value) VALUES ('second_factor', 'all')`));
  expect((await world.say(ANNA, '/status')).text).toContain('requires a second factor');
  await transaction(() => execute(`DELETE FROM installation WHERE name = 'second_factor'`));
  expect((await world.say(ANNA, '/status')).text).toContain('Domains: 0');
});
