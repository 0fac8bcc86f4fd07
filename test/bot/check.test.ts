import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { config } from '../../src/lib/config.ts';
import { updateBlocklist } from '../../src/services/checks/blocklist.ts';
import { createPerson } from '../support/server.ts';
import { ANNA, ask, link, startBotWorld, type BotWorld } from './support.ts';

let world: BotWorld;

beforeAll(async () => {
  world = await startBotWorld();
  const anna = await createPerson(world.server);
  await link(world, anna, ANNA);
  await ask(world, anna, 'POST /api/domains', { domain_name: 'own.example' });
});
afterAll(() => world.close());

test('`/check` tells what the block list says now, not what was stored of a domain', async () => {
  expect((await world.say(ANNA, '/check own.example')).text).toContain('Blocklist: unknown');
  for (const [listed, said] of [
    ['other.example', 'not blocked'],
    ['own.example', 'blocked'],
  ]) {
    const file = join(config().dataDir, 'list.txt');
    writeFileSync(file, `${listed}\n`);
    await updateBlocklist(config().blocklistDir, { file, accept: true });
    expect((await world.say(ANNA, '/check own.example')).text).toContain(`Blocklist: ${said}\n`);
  }
});
