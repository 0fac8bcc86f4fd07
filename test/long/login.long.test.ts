import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disableUser } from '../../src/services/access/user-changes.ts';
import { createPerson, PASSWORD, request, startServer, type TestServer } from '../support/server.ts';

// The tries alternate between enough logins to stay within each one's allowance: beyond it the password is not checked.
const TRIES = 24;
const LOGINS = 3;

let server: TestServer;
let known: string[];
let disabled: string[];

beforeAll(async () => {
  server = await startServer({ trustedProxies: ['127.0.0.1'] });
  const people = [];
  for (let index = 0; index < 2 * LOGINS; index += 1) people.push((await createPerson(server)).login);
  [known, disabled] = [people.slice(LOGINS), people.slice(0, LOGINS)];
  for (const login of disabled) await disableUser(login);
});
afterAll(() => server.close());

let count = 0;
// Each try comes from another address, so that the throttle does not apply.
const address = (): string => `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count++ & 255}`;

async function time(login: string, password: string): Promise<number> {
  const headers = { 'x-forwarded-for': address() };
  const begun = performance.now();
  const { status } = await request(server, 'POST /api/login', { body: { login, password }, headers });
  expect(status).toBe(401);
  return performance.now() - begun;
}

/** Returns the lower quartile, which is little affected by other load on the machine. */
const quartile = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 4)] ?? 0;

test('the time of an answer does not disclose which logins exist', async () => {
  const kinds: Record<string, () => Promise<number>> = {
    known: () => time(known[count % LOGINS] ?? '', 'wrong password'),
    disabled: () => time(disabled[count % LOGINS] ?? '', 'wrong password'),
    unknown: () => time(`nobody-${count}`, 'wrong password'),
    long: () => time(`nobody-${count}`, 'x'.repeat(5000)),
  };
  const times: Record<string, number[]> = { known: [], disabled: [], unknown: [], long: [] };
  // The kinds alternate, so that other load on the machine affects all alike.
  for (let round = 0; round < TRIES; round++) {
    for (const [kind, ask] of Object.entries(kinds)) times[kind]?.push(await ask());
  }
  const quartiles = Object.fromEntries(Object.entries(times).map(([kind, list]) => [kind, Math.round(quartile(list))]));
  console.log('login: lower quartiles in ms', quartiles);
  const values = Object.values(quartiles);
  // Without a hash for unknown logins, the difference would be a whole hash.
  expect(Math.max(...values) - Math.min(...values)).toBeLessThan(Math.max(...values) * 0.25);
});

// How long the lists take beside a storm is a figure of `npm run bench -- load`.
test('a storm of sign-ins is refused beyond what can be checked, and every list is answered meanwhile', async () => {
  const calm = new AbortController();
  const statuses: number[] = [];
  const storm = Array.from({ length: 50 }, async () => {
    while (!calm.signal.aborted) {
      const body = { login: `nobody-${count}`, password: 'x' };
      const { status } = await request(server, 'POST /api/login', { body, headers: { 'x-forwarded-for': address() } });
      statuses.push(status);
    }
  });
  const lists: number[] = [];
  // Until each kind of answer was given many times over.
  while (statuses.length < 500 || lists.length < 100) {
    lists.push((await request(server, 'GET /api/domains', { token: server.admin.token })).status);
  }
  calm.abort();
  await Promise.all(storm);
  // Sign-ins beyond those checked within two seconds are refused at once.
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect(new Set(lists)).toEqual(new Set([200]));
});

test('thirty wrong logins from an address keep others behind it out for at most 30 s', async () => {
  const regular = await createPerson(server);
  const newcomer = await createPerson(server);
  const from = { 'x-forwarded-for': '10.200.0.1' };
  const login = (name: string, password: string) =>
    request(server, 'POST /api/login', { body: { login: name, password }, headers: from });
  expect((await login(regular.login, PASSWORD)).status).toBe(200);
  for (let index = 0; index < 30; index += 1) expect((await login(`wrong-${index}`, 'x')).status).toBe(401);
  expect((await login(regular.login, PASSWORD)).status).toBe(200);
  const [refused, guessed] = [await login(newcomer.login, PASSWORD), await login(regular.login, 'wrong')];
  expect([refused.status, guessed.status, guessed.text]).toEqual([429, 429, refused.text]);
  const wait = Number(refused.headers['retry-after']);
  expect(wait).toBeLessThanOrEqual(30);
  await sleep(wait * 1000);
  expect((await login(newcomer.login, PASSWORD)).status).toBe(200);
}, 180_000);
