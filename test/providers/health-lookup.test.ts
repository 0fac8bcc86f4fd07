// Look-ups of a name by one resolver, against a name server in this process.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openNames } from '../../src/providers/health/resolve.ts';
import { startNames, type Records } from '../support/world.ts';

const NAMES: Record<string, Records> = {
  'four.test': { a: ['192.0.2.1', '192.0.2.2'], aaaa: ['2001:db8::1'] },
  'six.test': { aaaa: ['2001:db8::2'] },
  'empty.test': {},
  'ill.test': { rcode: 'SERVFAIL' },
  'silent.test': { drop: true },
};

let server: Awaited<ReturnType<typeof startNames>>;
beforeAll(async () => {
  server = await startNames(NAMES);
});
afterAll(() => server.close());
afterEach(() => void vi.useRealTimers());

async function lookup(name: string) {
  server.asked.length = 0;
  const found = await openNames(server.address).lookup(name);
  // A failing server is asked several times.
  return { found, asked: [...new Set(server.asked)] };
}

test('IPv6 addresses are asked for only where the server says that there is no IPv4 address', async () => {
  expect(await lookup('four.test')).toEqual({
    found: { addresses: ['192.0.2.1', '192.0.2.2'] },
    asked: ['A four.test'],
  });
  expect(await lookup('six.test')).toEqual({
    found: { addresses: ['2001:db8::2'] },
    asked: ['A six.test', 'AAAA six.test'],
  });
  expect(await lookup('empty.test')).toEqual({
    found: { error: 'dns_no_address' },
    asked: ['A empty.test', 'AAAA empty.test'],
  });
  expect(await lookup('nobody.test')).toEqual({ found: { error: 'dns_not_found' }, asked: ['A nobody.test'] });
  expect(await lookup('ill.test')).toEqual({ found: { error: 'dns_failed' }, asked: ['A ill.test'] });
});

test('localhost and names below it are this machine, and no server is asked', async () => {
  for (const name of ['localhost', 'localhost.', 'a.localhost']) {
    expect(await lookup(name)).toEqual({ found: { addresses: ['127.0.0.1', '::1'] }, asked: [] });
  }
  expect((await lookup('notlocalhost')).asked).toEqual(['A notlocalhost']);
});

// Fakes the timer of our look-up only: c-ares uses the real clock.
const fakeTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

test('a look-up that is not answered ends after five seconds', async () => {
  fakeTimers();
  const names = openNames(server.address);
  let found: unknown = null;
  void names.lookup('silent.test').then((answer) => (found = answer));
  await vi.advanceTimersByTimeAsync(4_999);
  expect(found).toBeNull();
  await vi.advanceTimersByTimeAsync(1);
  expect(found).toEqual({ error: 'dns_timeout' });
  names.cancel();
});

test('a silent name server is asked three times at most, even if it answered quickly before', async () => {
  const names = openNames(server.address);
  for (let round = 0; round < 6; round += 1) await names.lookup('four.test');
  server.asked.length = 0;
  expect(await names.lookup('silent.test')).toEqual({ error: 'dns_timeout' });
  // c-ares waits according to the time of former answers, so that there may be fewer tries within five seconds.
  expect(server.asked.length).toBeLessThanOrEqual(3);
  names.cancel();
});

test('a finished look-up leaves no timer behind', async () => {
  fakeTimers();
  expect(await openNames(server.address).lookup('a..test')).toEqual({ error: 'bad_name' });
  expect(vi.getTimerCount()).toBe(0);
});

test('a cancelled look-up ends as failed', async () => {
  const names = openNames(server.address);
  const found = names.lookup('silent.test');
  await expect.poll(() => server.asked).toContain('A silent.test');
  names.cancel();
  expect(await found).toEqual({ error: 'dns_failed' });
});
