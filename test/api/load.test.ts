import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute, transaction } from '../../db/index.ts';
import { databaseAddress } from '../../src/lib/database-address.ts';
import { setPassword } from '../../src/services/access/user-changes.ts';
import { startChild } from '../support/child.ts';
import { createPerson, PASSWORD, request, startServer, type TestServer } from '../support/server.ts';

const DOMAINS = 10_000;
const CALLERS = 400;

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  await transaction(() =>
    execute(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $count)
       INSERT INTO domains (user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status, created_at, updated_at)
       SELECT $user, 'name-' || i || '.example', 'name-' || i || '.example', '', 'main', 'manual', 'off', 'available', '2026-01-01', '2026-01-01' FROM n`,
      { user: server.admin.id, count: DOMAINS },
    ),
  );
});
afterAll(() => server.close());

/** The path of a list that scans the whole portfolio, a different one for each number. */
const heavy = (number: number): string => `/api/domains?limit=5&sort=-file_path&search=-${number}`;
const ask = (number: number) =>
  fetch(`${server.url}${heavy(number)}`, { headers: { authorization: server.admin.token } });
// On a slow machine the server may have closed a connection of the former storm just as it is used again.
const list = (number: number) => ask(number).catch(() => ask(number));

test('calls beyond the capacity are refused with Retry-After, while health and sign-in go on', async () => {
  const storm = async () => {
    const calls = Array.from({ length: CALLERS }, (_, index) => list(index));
    const beside = [
      request(server, 'GET /api/health'),
      request(server, 'POST /api/login', { body: { login: 'admin', password: PASSWORD } }),
    ];
    return { answers: await Promise.all(calls), beside: await Promise.all(beside) };
  };
  let { answers, beside } = await storm();
  // The callers of a slow machine may come too slowly to be too many.
  for (let round = 1; round < 10 && answers.every(({ status }) => status === 200); round += 1) {
    ({ answers, beside } = await storm());
  }
  const refused = answers.filter(({ status }) => status === 503);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(40);
  for (const answer of refused.slice(0, 3)) {
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await answer.json()).toEqual({ error: expect.any(String), code: 'overloaded' });
  }
  expect(beside.map(({ status }) => status)).toEqual([200, 200]);
  await expect.poll(async () => (await list(CALLERS)).status).toBe(200);
});

test('a session that another process has ended is refused within a second', async () => {
  const person = await createPerson(server);
  expect((await request(server, 'GET /api/session', { token: person.token })).status).toBe(200);
  const child = startChild('test/children/access/disable-user.ts', [databaseAddress(server.config), person.login]);
  let last = 0;
  const ask = async (): Promise<void> => {
    for (;;) {
      const begun = Date.now();
      if ((await request(server, 'GET /api/session', { token: person.token })).status !== 200) return;
      last = begun;
    }
  };
  const asking = ask();
  const ended = Number(await child.line());
  await asking;
  expect(last).toBeLessThanOrEqual(ended + 1000);
  await child.output().catch(() => undefined);
});

test('a change of a user by the same process takes effect at the next call', async () => {
  const person = await createPerson(server);
  for (let round = 0; round < 3; round += 1) {
    expect((await request(server, 'GET /api/session', { token: person.token })).status).toBe(200);
  }
  await setPassword(person.login, `${PASSWORD} new`);
  expect((await request(server, 'GET /api/session', { token: person.token })).status).toBe(403);
});
