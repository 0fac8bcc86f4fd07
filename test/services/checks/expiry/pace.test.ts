// Look-ups over forty zones: the pace of each server, and servers that refuse or never answer.
import { afterEach, expect, test } from 'vitest';
import { config, useConfig } from '../../../../src/lib/config.ts';
import { runOperation } from '../../../../src/operations/engine.ts';
import { startExpiry } from '../../../../src/services/checks/check-expiry.ts';
import { namesOver, startZones, tooFast, ZONE_COUNT, type Zones } from '../../../support/registrars/zones.ts';
import { add, ann, lookUp, stored, useExpiries } from './world.ts';

useExpiries();

// As those of the services, a hundred times and more as fast.
const PACE = { rdap: { calls: 4, seconds: 0.1, atOnce: 2 }, whois: { calls: 1, seconds: 0.03, atOnce: 1 } };

let zones: Zones;
afterEach(() => zones.close());

async function start(options?: Parameters<typeof startZones>[0]): Promise<void> {
  zones = await startZones(options);
  useConfig({ ...config(), registry: zones.config(PACE) });
}

const looked = async (): Promise<string[]> =>
  Object.values(await stored()).flatMap(({ domain, expired_at }) => (expired_at === null ? [] : [domain]));

test('look-ups over forty zones keep the pace of each server', async () => {
  await start();
  await add(ann, namesOver(ZONE_COUNT * 10));
  expect(await lookUp(ann)).toMatchObject({ state: 'succeeded', total: 400, done: 400, failed: 0 });
  expect(await looked()).toHaveLength(400);
  expect(tooFast(zones.servers, PACE)).toEqual([]);
  // One server for three zones, IANA for fifteen referrals, and one for each other zone.
  expect(zones.servers.get('whois.tcinet.ru')?.at).toHaveLength(30);
  expect(zones.servers.get('whois.iana.org')?.at).toHaveLength(15);
  expect(zones.servers.size).toBe(ZONE_COUNT - 3 + 2);
});

test('two who look up at once share the pace, and no name is asked for twice', async () => {
  await start();
  await add(ann, namesOver(ZONE_COUNT * 4));
  const [one, other] = [await startExpiry(ann, {}, true), await startExpiry(ann, { status: 'all' }, true)];
  const ends = await Promise.all([one, other].map(({ id }) => runOperation(id)));
  expect(ends.map(({ state, done }) => [state, done])).toEqual([
    ['succeeded', 160],
    ['succeeded', 160],
  ]);
  expect(tooFast(zones.servers, PACE)).toEqual([]);
  const asked = zones.queries.filter((query) => query.includes('.'));
  expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted());
});

test('a server that refuses and one that never answers hold up nothing else', async () => {
  await start({ refuse: ['com'], hang: ['de'] });
  await add(ann, namesOver(ZONE_COUNT * 5));
  const { id } = await startExpiry(ann, {}, true);
  const stop = new AbortController();
  const running = runOperation(id, { signal: stop.signal });
  await expect.poll(looked, { interval: 50 }).toHaveLength((ZONE_COUNT - 2) * 5);
  expect(zones.servers.get('whois.nic.de')?.at.length).toBeLessThanOrEqual(1);
  // Three refusals, and what was under way beside the last.
  expect(zones.servers.get('rdap com')?.at.length).toBeLessThanOrEqual(4);
  stop.abort();
  expect(await running).toMatchObject({ state: 'queued' });
  expect(tooFast(zones.servers, PACE)).toEqual([]);
});
