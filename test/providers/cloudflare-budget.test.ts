import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { withWaits } from '../../src/lib/waits.ts';
import { cloudflare } from '../../src/providers/cloudflare.ts';
import { budgetOf, setBudget } from '../../src/providers/cloudflare/budget.ts';
import { ACCOUNT, failure, LOGIN, STRANGER, success, useCloudflare } from './cloudflare-world.ts';

const settled = async (calls: Promise<unknown>[]) => (await Promise.allSettled(calls)).map(({ status }) => status);

/** Returns a counter of the answered calls, so that a test can stop the rest when none is under way. */
function answeredOf(calls: readonly Promise<unknown>[]): () => number {
  let answered = 0;
  for (const call of calls) {
    call.then(
      () => (answered += 1),
      () => {},
    );
  }
  return () => answered;
}

describe('within a rate limit', () => {
  const LIMIT = { calls: 24, seconds: 0.5 };
  const world = useCloudflare({ rateLimit: LIMIT });

  /** The largest number of calls in any window. */
  const mostInAWindow = (): number => {
    const times = world.fake.requests.map(({ at }) => Date.parse(at));
    // The times of the journal are truncated to milliseconds.
    const window = LIMIT.seconds * 1_000 - 1;
    return Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + window).length));
  };

  test('no window has too many calls, and none is refused', async () => {
    setBudget(world.fake.url, LIMIT);
    await Promise.all(Array.from({ length: 70 }, () => world.api.findZone('example.com')));
    expect(world.fake.requests).toHaveLength(70);
    expect(new Set(world.fake.requests.map(({ status }) => status))).toEqual(new Set([200]));
    expect(mostInAWindow()).toBeLessThanOrEqual(23);
  });

  test('no window has too many calls with foreground calls, several clients and failures either', async () => {
    setBudget(world.fake.url, LIMIT);
    world.fake.faults.push({ kind: 'drop-before', times: 5 }, { kind: 'status', status: 500, times: 5 });
    const person = world.open(LOGIN, { foreground: true });
    const calls = Array.from({ length: 60 }, (_, index) =>
      (index % 3 === 0 ? person : world.open(LOGIN)).findZone('example.com'),
    );
    await settled(calls);
    expect(world.fake.requests.some(({ status }) => status === 429)).toBe(false);
    expect(mostInAWindow()).toBeLessThanOrEqual(23);
  });
});

describe('a foreground call', () => {
  const world = useCloudflare({ latencyMs: 20 });

  test('goes before all waiting calls', async () => {
    world.fake.addZone({ name: 'example.com', account_id: ACCOUNT, id: 'e'.repeat(32) });
    const background = Array.from({ length: 40 }, () => world.api.findZone('example.com'));
    await world.open(LOGIN, { foreground: true }).getZone('e'.repeat(32));
    await Promise.all(background);
    expect(world.calls().indexOf(`GET /zones/${'e'.repeat(32)}`)).toBeLessThan(10);
  });

  test('has a reserve where the background has none left, and is then refused with the time to wait', async () => {
    setBudget(world.fake.url, { calls: 100, seconds: 300 });
    const stop = new AbortController();
    const background = world.open(LOGIN, { signal: stop.signal });
    const calls = Array.from({ length: 100 }, () => background.findZone('example.com'));
    const waiting = settled(calls);
    await expect.poll(answeredOf(calls)).toBe(96);
    expect(world.calls()).toHaveLength(96);
    const person = world.open(LOGIN, { foreground: true });
    for (let count = 0; count < 2; count += 1) await person.findZone('example.com');
    expect(world.calls()).toHaveLength(98);
    const error = await failure(person.findZone('example.com'));
    expect(error.kind).toBe('rate_limited');
    expect(error.retryAfter).toBeGreaterThan(10);
    stop.abort();
    expect((await waiting).filter((status) => status === 'rejected')).toHaveLength(4);
    expect(world.calls()).toHaveLength(98);
  });
});

describe('a 429', () => {
  const world = useCloudflare();

  test('stops all calls of its login, and of no other login', async () => {
    world.fake.faults.push({ kind: '429', retryAfter: 120 });
    expect(await failure(world.api.listZones())).toMatchObject({ kind: 'rate_limited', status: 429, retryAfter: 120 });
    const person = world.open({ ...LOGIN, email: LOGIN.email.toUpperCase() }, { foreground: true });
    const error = await failure(person.listZones());
    expect(error).toMatchObject({ kind: 'rate_limited', status: undefined });
    expect(error.retryAfter).toBeGreaterThan(100);
    const stop = new AbortController();
    const background = world.open(LOGIN, { signal: stop.signal }).listZones();
    expect(await world.open(STRANGER).listZones()).toEqual([]);
    stop.abort(new Error('cancelled'));
    await expect(background).rejects.toThrow('cancelled');
    expect(world.calls()).toHaveLength(2);
  });

  test('is not retried, not even for a read; waiting calls go on after it', async () => {
    world.fake.faults.push({ kind: '429', retryAfter: 1 });
    expect((await failure(world.api.listZones())).kind).toBe('rate_limited');
    expect(world.calls()).toHaveLength(1);
    expect(await world.api.listZones()).toEqual([]);
    expect(world.calls()).toHaveLength(2);
  });

  test('counts against the budget', async () => {
    setBudget(world.fake.url, { calls: 12, seconds: 300 });
    world.fake.faults.push({ kind: '429', retryAfter: 0 });
    await failure(world.api.listZones());
    const stop = new AbortController();
    const background = world.open(LOGIN, { signal: stop.signal });
    const calls = Array.from({ length: 11 }, () => background.findZone('example.com'));
    const waiting = settled(calls);
    await expect.poll(answeredOf(calls)).toBe(10);
    expect(world.calls()).toHaveLength(11);
    stop.abort();
    expect((await waiting).filter((status) => status === 'rejected')).toHaveLength(1);
  });
});

test('at most four calls are under way at once', async () => {
  let open = 0;
  let most = 0;
  const server = createServer((_request, response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      response.end(JSON.stringify(success([], { page: 1, per_page: 50, total_count: 0 })));
    }, 10);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await Promise.all(Array.from({ length: 20 }, () => cloudflare(url, LOGIN).listZones()));
  server.close().closeAllConnections();
  expect(most).toBe(4);
});

test('a wait that a 429 makes longer is told with its new end', async () => {
  const login = { email: 'longer@example.com', api_key: 'k' };
  setBudget('http://longer.test', { calls: 2, seconds: 1 });
  const budget = budgetOf('http://longer.test', login);
  const told: (Date | null)[] = [];
  const stop = new AbortController();
  await budget.run(false, undefined, async () => undefined);
  await withWaits(
    (until) => told.push(until),
    async () => {
      const waiting = budget.run(false, stop.signal, async () => undefined);
      // A wait of a second is not told.
      expect(told).toEqual([]);
      budget.pause(300);
      expect(told).toHaveLength(1);
      expect(Number(told[0]) - Date.now()).toBeGreaterThan(290_000);
      budget.pause(600);
      expect(Number(told.at(-1)) - Date.now()).toBeGreaterThan(590_000);
      stop.abort();
      await expect(waiting).rejects.toThrow('aborted');
    },
  );
  expect(told.at(-1)).toBeNull();
});
