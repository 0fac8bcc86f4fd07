import { afterAll, beforeAll, expect, test } from 'vitest';
import { disableUser } from '../../src/services/users.ts';
import { createPerson, request, startServer, type TestServer } from '../server.ts';

// A login's own allowance: past it the password is not looked at.
const TRIES = 24;

let server: TestServer;
let known: string;
let disabled: string;

beforeAll(async () => {
  server = await startServer({ trustedProxies: ['127.0.0.1'] });
  known = (await createPerson(server)).login;
  disabled = (await createPerson(server)).login;
  await disableUser(disabled);
});
afterAll(() => server.close());

let count = 0;
// Each try comes from another address, so that no throttle is in the way.
const address = (): string => `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count++ & 255}`;

async function time(login: string, password: string): Promise<number> {
  const headers = { 'x-forwarded-for': address() };
  const begun = performance.now();
  const { status } = await request(server, 'POST /api/login', { body: { login, password }, headers });
  expect(status).toBe(401);
  return performance.now() - begun;
}

/** A quarter of them is quicker: what the machine does besides is left out. */
const quartile = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 4)] ?? 0;

test('the time of an answer does not tell which logins there are', async () => {
  const kinds: Record<string, () => Promise<number>> = {
    known: () => time(known, 'wrong password'),
    disabled: () => time(disabled, 'wrong password'),
    unknown: () => time(`nobody-${count}`, 'wrong password'),
    long: () => time(`nobody-${count}`, 'x'.repeat(5000)),
  };
  const times: Record<string, number[]> = { known: [], disabled: [], unknown: [], long: [] };
  // One after the other by turns: what the machine does besides hits all alike.
  for (let round = 0; round < TRIES; round++) {
    for (const [kind, ask] of Object.entries(kinds)) times[kind]?.push(await ask());
  }
  const quartiles = Object.fromEntries(Object.entries(times).map(([kind, list]) => [kind, Math.round(quartile(list))]));
  console.log('login: lower quartiles in ms', quartiles);
  const values = Object.values(quartiles);
  // Without the hash for unknown logins the difference is that of the whole hash.
  expect(Math.max(...values) - Math.min(...values)).toBeLessThan(Math.max(...values) * 0.25);
});

test('a storm of sign-ins leaves the lists quick', async () => {
  const calm = new AbortController();
  const statuses: number[] = [];
  const storm = Array.from({ length: 50 }, async () => {
    while (!calm.signal.aborted) {
      const body = { login: `nobody-${count}`, password: 'x' };
      const { status } = await request(server, 'POST /api/login', { body, headers: { 'x-forwarded-for': address() } });
      statuses.push(status);
    }
  });
  const times: number[] = [];
  const end = performance.now() + 10_000;
  while (performance.now() < end) {
    const begun = performance.now();
    await request(server, 'GET /api/domains', { token: server.admin.token });
    times.push(performance.now() - begun);
  }
  calm.abort();
  await Promise.all(storm);
  console.log(
    `login storm: ${statuses.length} sign-ins, ${times.length} lists, lower quartile ${quartile(times).toFixed(1)} ms`,
  );
  expect(new Set(statuses)).toEqual(new Set([401]));
  expect(quartile(times)).toBeLessThan(100);
});
