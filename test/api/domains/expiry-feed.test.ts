// The feed of expiries: a token of its own, which gives this user's own domains as a calendar and nothing else.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { disableUser } from '../../../src/services/access/user-changes.ts';
import { createPerson, request, startServer, type Person, type TestServer } from '../../support/server.ts';
import { readCalendar } from '../../shared/portfolio/calendar-reader.ts';
import { dump } from '../../support/database.ts';
import { newName } from '../calls.ts';

let server: TestServer;
let owner: Person;
let other: Person;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  [owner, other] = [await createPerson(server), await createPerson(server)];
});

const ask = (call: string, body?: unknown, { token }: Person = owner) =>
  request(server, call, { token, ...(body === undefined ? {} : { body }) });
const urlOf = async (person: Person = owner): Promise<string> =>
  (await ask('POST /api/expiry_feed', {}, person)).body.url;
const fetchFeed = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(server.url + path, { headers });
const add = (domain_name: string, expired_at: string, person: Person = owner) =>
  ask('POST /api/domains', { domain_name, expired_at }, person);
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('a feed of expiries', () => {
  test('holds the user’s own domains by the day of the registry, an IDN in Unicode', async () => {
    const [near, past, old] = [inDays(20), inDays(-10), inDays(-200)];
    const name = `лавка-${owner.id}.рф`;
    await add(name, `${near}T21:00:00.000Z`);
    await add(`past-${owner.id}.com`, past);
    await add(`old-${owner.id}.com`, old);
    await add(`foreign-${owner.id}.com`, near, other);
    const answer = await fetchFeed(await urlOf());
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    const { events } = readCalendar(await answer.text());
    expect(events.map((event) => [event['SUMMARY'], event['DTSTART;VALUE=DATE']])).toEqual([
      [`past-${owner.id}.com: истекает регистрация`, past.replaceAll('-', '')],
      [`${name}: истекает регистрация`, inDays(21).replaceAll('-', '')],
    ]);
    expect(events[1]?.['DESCRIPTION']).toContain('xn--');
  });

  test('marks a date in doubt and tells the other one, by the day of the registry', async () => {
    const { body } = await add(`doubted-${owner.id}.ru`, `${inDays(20)}T21:00:00.000Z`);
    await add(`sure-${owner.id}.ru`, `${inDays(21)}T21:00:00.000Z`);
    await transaction(() =>
      execute(
        `INSERT INTO domain_registrations (domain_id, looked_up_at, suspect_date, suspect_source, suspect_since)
         VALUES ($id, $now, $date, 'whois', $now)`,
        { id: body.data.id, now: new Date().toISOString(), date: '2040-01-31T21:00:00.000Z' },
      ),
    );
    const { events } = readCalendar(await (await fetchFeed(await urlOf())).text());
    expect(events.map((event) => event['SUMMARY'])).toEqual([
      `doubted-${owner.id}.ru: истекает регистрация: под вопросом`,
      `sure-${owner.id}.ru: истекает регистрация`,
    ]);
    expect(events[0]?.['DESCRIPTION']).toContain('Другая дата ждёт решения: 01.02.2040');
    expect(events[1]?.['DESCRIPTION'] ?? '').not.toContain('ждёт решения');
  });

  test('keeps the id of an event while its day moves, and its ETag while nothing changes', async () => {
    const { body } = await add(newName(), inDays(5));
    const url = await urlOf();
    const first = await fetchFeed(url);
    const etag = first.headers.get('etag') ?? '';
    const again = await fetchFeed(url, { 'If-None-Match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    await ask(`POST /api/domains/${body.data.id}`, { expired_at: inDays(370) });
    const moved = await fetchFeed(url, { 'If-None-Match': etag });
    expect(moved.status).toBe(200);
    const [before, after] = [await first.text(), await moved.text()].map((text) => readCalendar(text).events[0]);
    expect(after?.['UID']).toBe(before?.['UID']);
    expect(after?.['DTSTART;VALUE=DATE']).not.toBe(before?.['DTSTART;VALUE=DATE']);
  });

  test('of an administrator holds their own domains alone', async () => {
    await add(newName(), inDays(5), other);
    const text = await (await fetchFeed(await urlOf(server.admin))).text();
    expect(readCalendar(text).events).toEqual([]);
  });

  test('is told once, stored as a hash, and audited without it', async () => {
    expect((await ask('GET /api/expiry_feed')).body).toEqual({ created_at: null });
    const token = new URL(await urlOf(), server.url).searchParams.get('token') ?? '';
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(Object.keys((await ask('GET /api/expiry_feed')).body)).toEqual(['created_at']);
    expect(JSON.stringify(await dump([]))).not.toContain(token);
    const audit = await select<{ action: string }>(
      `SELECT action FROM audit WHERE object = 'expiry_feeds' AND user_id = $id ORDER BY id`,
      { id: owner.id },
    );
    expect(audit).toEqual([{ action: 'create' }]);
  });

  test('ends by a new address, by revoking, and with its user; each answers as a token that never was', async () => {
    const never = await fetchFeed(`/api/expiry.ics?token=${'x'.repeat(43)}`);
    const wrong = [never.status, await never.text()];
    expect(wrong[0]).toBe(404);
    const first = await urlOf();
    const second = await urlOf();
    const answerTo = async (url: string) => {
      const answer = await fetchFeed(url);
      return [answer.status, await answer.text()];
    };
    expect(await answerTo(first)).toEqual(wrong);
    expect((await fetchFeed(second)).status).toBe(200);
    expect((await ask('DELETE /api/expiry_feed')).status).toBe(200);
    expect((await ask('DELETE /api/expiry_feed')).status).toBe(404);
    expect(await answerTo(second)).toEqual(wrong);
    const third = await urlOf();
    await disableUser(owner.login);
    expect(await answerTo(third)).toEqual(wrong);
    for (const path of ['', '?token=', '?token=a&token=b', `?token=${'я'.repeat(43)}`, `?token=${'x'.repeat(5000)}`]) {
      expect(await answerTo(`/api/expiry.ics${path}`)).toEqual(wrong);
    }
  });

  test('ends where its user’s password is set, and by an own change with the API tokens alone', async () => {
    const statusOf = async (url: string) => (await fetchFeed(url)).status;
    const kept = await urlOf();
    const change = (current: string, password: string, revoke_tokens: boolean) =>
      ask('PUT /api/password', { current, password, revoke_tokens });
    expect((await change('correct horse battery', 'another password', false)).status).toBe(200);
    expect(await statusOf(kept)).toBe(200);
    expect((await change('another password', 'a third password', true)).status).toBe(200);
    expect(await statusOf(kept)).toBe(404);
    expect((await ask('GET /api/expiry_feed')).body).toEqual({ created_at: null });
    const [leaked, neighbours] = [await urlOf(), await urlOf(other)];
    expect((await ask(`POST /api/users/${owner.id}/password`, {}, server.admin)).status).toBe(200);
    expect([await statusOf(leaked), await statusOf(neighbours)]).toEqual([404, 200]);
    const audit = await select<{ action: string }>(
      `SELECT action FROM audit WHERE object = 'expiry_feeds' AND object_id = (SELECT max(object_id) FROM audit
       WHERE object = 'expiry_feeds' AND user_id = $id) ORDER BY id`,
      { id: owner.id },
    );
    expect(audit.map(({ action }) => action)).toEqual(['create', 'delete']);
  });

  test('opens nothing but the feed', async () => {
    const token = new URL(await urlOf(), server.url).searchParams.get('token') ?? '';
    expect((await request(server, 'GET /api/domains', { token })).status).toBe(403);
    expect((await fetchFeed(`/api/expiry.ics?token=${owner.token}`)).status).toBe(404);
  });

  test('refuses a network that tries many tokens for a while, and not the right one', async () => {
    const url = await urlOf();
    const statuses = new Set<number>();
    for (let index = 0; index < 40; index += 1) {
      statuses.add((await fetchFeed(`/api/expiry.ics?token=${String(index).padStart(43, 'y')}`)).status);
    }
    expect(statuses).toEqual(new Set([404, 429]));
    expect((await fetchFeed(url)).status).toBe(200);
  });
});
