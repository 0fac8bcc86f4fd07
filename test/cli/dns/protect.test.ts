// `protect` on the command line, while another one is under way.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import { startZones, type Zones } from './world.ts';

let world: Zones;
beforeAll(async () => {
  world = await startZones('one.com', 'two.com');
});
afterAll(() => world.close());

const words = (line: string): string[] => [...`protect under-attack ${line}`.split(' '), '--yes', '--json'];
const level = (name: string): unknown => world.zone(name).settings['security_level']?.value;

test('a switch of named domains does not wait for one of others; the opposite of theirs is refused meanwhile', async () => {
  const { home, outside, env, zone } = world;
  const { fault, release } = hold();
  outside.faults.push({ ...fault, call: `PATCH /zones/${zone('two.com').id}/settings/security_level` });
  const first = home.start(words('enable two.com'), { env });
  await expect.poll(() => level('two.com')).toBe('under_attack');
  const { exit, stderr } = await home.run(words('enable one.com'), { env });
  const opposite = await home.run(words('disable two.com'), { env });
  const wider = await home.run(words('disable one.com two.com'), { env });
  release();
  expect([exit, stderr, level('one.com')]).toEqual([0, '', 'under_attack']);
  expect([opposite.exit, wider.exit, (await first.ended).exit]).toEqual([75, 75, 0]);
  expect(['one.com', 'two.com'].map(level)).toEqual(['under_attack', 'under_attack']);
});
