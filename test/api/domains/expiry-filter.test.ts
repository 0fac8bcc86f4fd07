// Lists of domains by registrar and by the day on which the registration ends.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { createPerson, request, startServer, type Person, type TestServer } from '../../support/server.ts';

let server: TestServer;
let owner: Person;
let other: Person;
let registrars_id: number;

beforeAll(async () => {
  server = await startServer();
  [owner, other] = [await createPerson(server), await createPerson(server)];
  const added = await ask('POST /api/registrars', {
    name: 'Main',
    type: 'porkbun.com',
    login: 'key',
    password: 'secret-1',
  });
  registrars_id = added.body.data.id;
  for (const body of [
    { domain_name: 'moscow.ru', expired_at: '2027-02-13T21:00:00.000Z', registrars_id },
    { domain_name: 'before.ru', expired_at: '2027-02-13T20:59:59.000Z' },
    { domain_name: 'world.com', expired_at: '2027-02-13T21:00:00.000Z', registrars_id },
    { domain_name: 'typed.ru', expired_at: '2027-02-14' },
    { domain_name: 'typed.com', expired_at: '2027-02-14' },
    { domain_name: 'xn--80aswg.xn--p1ai', expired_at: '2027-02-14T20:59:59.000Z' },
    { domain_name: 'next.su', expired_at: '2027-02-14T21:00:00.000Z' },
    { domain_name: 'none.ru' },
  ]) {
    await ask('POST /api/domains', body);
  }
  await ask('POST /api/domains', { domain_name: 'foreign.ru', expired_at: '2027-02-14', registrars_id }, other);
});
afterAll(() => server.close());

const ask = (call: string, body?: unknown, { token }: Person = owner) =>
  request(server, call, { token, ...(body === undefined ? {} : { body }) });
const names = async (query: string, who: Person = owner): Promise<string[]> => {
  const { status, body } = await ask(`GET /api/domains?${query}`, undefined, who);
  expect(status).toBe(200);
  return body.data.map(({ domain_name }: { domain_name: string }) => domain_name).toSorted();
};

describe('the list of domains', () => {
  test('of a day holds what ends on it by the clock of the registry', async () => {
    const day = 'expires_from=2027-02-14&expires_to=2027-02-14';
    expect(await names(day)).toEqual(['moscow.ru', 'typed.com', 'typed.ru', 'xn--80aswg.xn--p1ai']);
    expect(await names('expires_from=2027-02-13&expires_to=2027-02-13')).toEqual(['before.ru', 'world.com']);
    expect(await names('expires_from=2027-02-15')).toEqual(['next.su']);
    expect(await names('expires_to=2027-02-12')).toEqual([]);
  });

  test('of dates that are unknown or in doubt holds these, and the calendar counts as many', async () => {
    await transaction(() =>
      execute(
        `INSERT INTO domain_registrations (domain_id, looked_up_at, suspect_date, suspect_source, suspect_since)
         SELECT id, $at, '2025-02-13T21:00:00.000Z', 'whois', $at FROM domains WHERE domain_name IN ('moscow.ru', 'foreign.ru')`,
        { at: '2026-01-01T00:00:00.000Z' },
      ),
    );
    expect(await names('expiry=unknown')).toEqual(['none.ru']);
    expect(await names('expiry=doubted')).toEqual(['moscow.ru']);
    expect(await names('expiry=doubted', other)).toEqual(['foreign.ru']);
    const { body } = await ask('GET /api/expiry_calendar?day=2027-01-01');
    expect([body.unknown, body.doubted]).toEqual([1, 1]);
    await transaction(() => execute('DELETE FROM domain_registrations'));
  });

  test('of a registrar holds the caller’s own alone', async () => {
    expect(await names(`registrars_id=${registrars_id}`)).toEqual(['moscow.ru', 'world.com']);
    expect(await names(`registrars_id=${registrars_id}`, other)).toEqual(['foreign.ru']);
    expect(await names('registrars_id=999999')).toEqual([]);
  });

  test.each(['expires_from=2027-02-30', "expires_to='", 'registrars_id=x', 'expires_from=1', 'expiry=soon'])(
    'refuses %s',
    async (query) => {
      expect((await ask(`GET /api/domains?${query}`)).status).toBe(400);
    },
  );

  test('is exported with the same filters, the registrar among the columns', async () => {
    const { body } = await ask(`GET /api/domains_export?registrars_id=${registrars_id}&expires_to=2027-02-13`);
    const [header, ...rows] = body.csv.trim().split('\r\n');
    expect(header).toContain(',registrars_id,registrar_type,');
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain(`,${registrars_id},porkbun.com,`);
  });
});

describe('the calendar of expiries', () => {
  test('counts by the day of the registry what the lists of these days hold, and nobody else’s', async () => {
    const { status, body } = await ask('GET /api/expiry_calendar?day=2026-11-23');
    expect(status).toBe(200);
    expect(body).toEqual({
      from: '2026-11-01',
      to: '2027-11-30',
      days: [
        { day: '2027-02-13', count: 2 },
        { day: '2027-02-14', count: 4 },
        { day: '2027-02-15', count: 1 },
      ],
      before: 0,
      after: 0,
      unknown: 1,
      doubted: 0,
    });
    for (const { day, count } of body.days as { day: string; count: number }[]) {
      expect(await names(`expires_from=${day}&expires_to=${day}`)).toHaveLength(count);
    }
    const theirs = await ask('GET /api/expiry_calendar?day=2026-11-23', undefined, other);
    expect(theirs.body.days).toEqual([{ day: '2027-02-14', count: 1 }]);
  });

  test('counts what ends before and after its thirteen months', async () => {
    expect((await ask('GET /api/expiry_calendar?day=2027-03-31')).body).toMatchObject({
      days: [],
      before: 7,
      after: 0,
    });
    expect((await ask('GET /api/expiry_calendar?day=2025-01-01')).body).toMatchObject({
      days: [],
      before: 0,
      after: 7,
    });
    expect((await ask('GET /api/expiry_calendar?day=tomorrow')).status).toBe(400);
  });
});

describe('a domain', () => {
  test('keeps its registrar until another or none is given; an unknown one is refused at the field', async () => {
    const { body: made } = await ask('POST /api/domains', { domain_name: 'moves.ru', registrars_id });
    const id: number = made.data.id;
    const unknown = await ask(`POST /api/domains/${id}`, { registrars_id: 999_999 });
    expect([unknown.status, Object.keys(unknown.body.fields)]).toEqual([422, ['registrars_id']]);
    expect((await ask(`POST /api/domains/${id}`, { type: 'transfer' })).body.data.registrars_id).toBe(registrars_id);
    expect((await ask(`POST /api/domains/${id}`, { registrars_id: null })).body.data.registrar_type).toBeNull();
  });
});

describe('an import', () => {
  test('into a project by its id does not mistake it for another of its name', async () => {
    const admin = server.admin;
    const mine = (await ask('POST /api/projects', { name: 'Same' }, admin)).body.data?.id;
    const theirs = (await ask('POST /api/projects', { name: 'Same' }, owner)).body.data?.id;
    const done = await ask('POST /api/imports', { text: 'by-id.ru', project_id: theirs }, admin);
    expect(done.body.counts).toMatchObject({ create: 1, error: 0 });
    const { body } = await ask('GET /api/domains?search=by-id', undefined, owner);
    expect(body.data).toMatchObject([{ project_id: theirs, user_login: owner.login }]);
    const refused = await ask('POST /api/imports', { text: 'not-yours.ru', project_id: mine }, owner);
    expect(refused.status).toBe(422);
  });
});
