// `protect` on the command line: while another one is under way, and of domains that it can't switch.
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

test('domains of which none can be switched are refused as the first of them, and all are told', async () => {
  const { home, outside, env } = world;
  expect((await home.run(['domain', 'add', 'no-account.com'])).exit).toBe(0);
  outside.requests.length = 0;
  const run = (line: string) => home.run(`protect ${line} --json --lang en`.split(' '), { env });
  const first = await run('under-attack enable no-account.com nope.com --yes');
  expect([first.exit, first.json.items, first.json.summary]).toEqual([4, [], { total: 2, done: 2, failed: 2 }]);
  expect(first.json).toMatchObject({
    error: { code: 'no_cloudflare_account', message: expect.stringContaining('no-account.com') },
    errors: [
      { domain: 'no-account.com', code: 'no_cloudflare_account' },
      { domain: 'nope.com', code: 'not_found', message: 'No such domain: nope.com' },
    ],
  });
  const missing = await run('tls off nope.com other.com --dry-run');
  expect(missing).toMatchObject({ exit: 1, json: { dry_run: true, error: { code: 'not_found' } } });
  expect(missing.json.errors.map(({ domain }: { domain: string }) => domain)).toEqual(['nope.com', 'other.com']);
  expect((await run('tls off %%% --yes')).exit).toBe(2);
  expect(outside.requests).toEqual([]);
});

test('failed zones and refused names are in items, counts and errors alike, as `operation show` has them', async () => {
  const { home, outside, env, zone } = world;
  outside.faults.push({ kind: 'status', status: 400, call: `PATCH /zones/${zone('two.com').id}/settings/tls_1_3` });
  const { exit, json } = await home.run('protect tls off one.com two.com nope.com --yes --json'.split(' '), { env });
  expect([exit, json.summary]).toEqual([5, { total: 3, done: 3, failed: 2 }]);
  expect(json.errors).toMatchObject([
    { domain: 'two.com', code: 'failed' },
    { domain: 'nope.com', code: 'not_found' },
  ]);
  const shown = await home.run(['operation', 'show', String(json.id), '--json'], { env });
  expect([shown.json.summary, shown.json.errors]).toEqual([{ total: 2, done: 2, failed: 1 }, json.errors.slice(0, 1)]);
});
