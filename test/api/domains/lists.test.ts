// Lists of domains, and of the checks of a domain.
import { describe, expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { storeHealth } from '../../../src/services/checks/check-http.ts';
import { EXPIRING_DAYS } from '../../../src/shared/portfolio/expiry-day.ts';
import { ask, create, DOMAIN_FIELDS, names, observe, other, project, useDomains, USER_DOMAIN_FIELDS } from './world.ts';

useDomains();

describe('one domain', () => {
  test('lists its checks newest first, in pages', async () => {
    const { id } = await create();
    const insert = `INSERT INTO checks (domain_id, kind, verdict, checked_at) SELECT $id, 'http', value, $now FROM json_each($all)`;
    const all = JSON.stringify(Array.from({ length: 1200 }, (_, index) => String(index)));
    await transaction(() => execute(insert, { id, all, now: new Date().toISOString() }));
    const whole = (await ask(`GET /api/domains/${id}/checks`)).body;
    expect([whole.data.length, whole.data[0].verdict, whole.total]).toEqual([1200, '1199', undefined]);
    const page = (await ask(`GET /api/domains/${id}/checks?limit=2&offset=1`)).body;
    expect([page.data.map(({ verdict }: { verdict: string }) => verdict), page.total]).toEqual([
      ['1198', '1197'],
      1200,
    ]);
  });
});

test('equal check results in succession are one row of the history, and a day has its figures', async () => {
  const { id, domain_name } = await create();
  const answer = (code: number | null, ms: number) => {
    return { id, verdict: code === null ? 'timeout' : String(code), code, ms, detail: null };
  };
  for (const look of [answer(200, 90), answer(200, 110), answer(null, 10_000), answer(200, 400)])
    await storeHealth([look]);
  const { data, total } = (await ask(`GET /api/domains/${id}/checks`)).body;
  expect(total).toBeUndefined();
  expect(data).toMatchObject([
    { kind: 'http', verdict: '200', http_status_code: 200, ms: 400, repeats: 1 },
    { kind: 'http', verdict: 'timeout', http_status_code: null, repeats: 1 },
    { kind: 'http', verdict: '200', ms: 110, repeats: 2 },
  ]);
  expect(data[2].since <= data[2].checked_at && data[2].checked_at <= data[1].since).toBe(true);
  const days = (await ask(`GET /api/domains/${id}/check_days`)).body.data;
  expect(days).toEqual([
    { domain_id: id, day: data[0].checked_at.slice(0, 10), checks: 4, up: 3, median_ms: 110, worst_ms: 400 },
  ]);
  expect((await ask(`GET /api/domains/${id}`)).body.data).toMatchObject({ domain_name, http_status_code: 200 });
});

describe('lists', () => {
  const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const now = new Date().toISOString();
  // The results of a check, and the lists that the domain then belongs to.
  const CASES: [string, object, Record<string, string | number | null>, string[]][] = [
    ['never-checked.example', {}, {}, []],
    ['fine.example', {}, { http_status_code: 200, last_http_check_at: now }, ['active']],
    ['edge-299.example', {}, { http_status_code: 299, last_http_check_at: now }, ['active']],
    ['edge-300.example', {}, { http_status_code: 300, last_http_check_at: now }, ['broken']],
    ['edge-199.example', {}, { http_status_code: 199, last_http_check_at: now }, ['broken']],
    ['server-error.example', {}, { http_status_code: 503, last_http_check_at: now }, ['broken']],
    ['no-answer.example', {}, { http_error: 'timeout', last_http_check_at: now }, ['broken']],
    ['blocked-up.example', {}, { status: 'blocked', http_status_code: 200, last_http_check_at: now }, ['blocked']],
    [
      'blocked-down.example',
      {},
      { status: 'blocked', http_error: 'reset', last_http_check_at: now },
      ['blocked', 'broken'],
    ],
    ['blocked-only.example', {}, { status: 'blocked', last_block_check_at: now }, ['blocked']],
    ['expired-long.example', { expired_at: '2020-02-29' }, {}, ['expired']],
    ['expired-today.example', { expired_at: day(0) }, {}, ['expired']],
    ['expires-last-day.example', { expired_at: `${day(EXPIRING_DAYS)}T23:59:59.999Z` }, {}, ['expired']],
    ['expires-day-after.example', { expired_at: day(EXPIRING_DAYS + 1) }, {}, []],
    ['expires-late.example', { expired_at: '2199-12-31' }, {}, []],
  ];

  test('contain the domains of their filter, and the dashboard shows the same counts', async () => {
    for (const [domain_name, fields, seen] of CASES) {
      const { id } = await create({ domain_name, ...fields });
      if (Object.keys(seen).length > 0) await observe(id, seen);
    }
    const counts = (await ask('GET /api/dashboard')).body;
    for (const filter of ['all', 'active', 'blocked', 'broken', 'expired']) {
      const expected = CASES.filter(([, , , lists]) => filter === 'all' || lists.includes(filter)).map(
        ([name]) => name,
      );
      const list = await ask(`GET /api/user_domains?status=${filter}`);
      expect([filter, names(list)]).toEqual([filter, expected]);
      expect(names(await ask(`GET /api/domains?status=${filter}`))).toEqual(expected);
      const { total } = (await ask(`GET /api/user_domains?status=${filter}&limit=1`)).body;
      expect([counts[filter], total]).toEqual([expected.length, expected.length]);
    }
    for (const other of ['nonsense', '', 'ALL', 'x'.repeat(500), 'active&status=blocked', '__proto__']) {
      expect(names(await ask(`GET /api/user_domains?status=${other}`))).toHaveLength(CASES.length);
    }
  });

  test('have records with the fields of the contract', async () => {
    await create();
    const [record] = (await ask('GET /api/user_domains')).body.data;
    for (const field of USER_DOMAIN_FIELDS.split(' ')) expect(record).toHaveProperty(field);
    const [domain] = (await ask('GET /api/domains')).body.data;
    for (const field of DOMAIN_FIELDS.split(' ')) expect(domain).toHaveProperty(field);
  });

  test('have the date that waits for a decision, which the calendar counts for its owner alone', async () => {
    const { id } = await create();
    const suspect_date = '2026-02-13T21:00:00.000Z';
    await transaction(() =>
      execute(
        `INSERT INTO domain_registrations (domain_id, looked_up_at, suspect_date, suspect_source, suspect_since)
         VALUES ($id, $suspect_date, $suspect_date, 'whois', $suspect_date)`,
        { id, suspect_date },
      ),
    );
    for (const call of ['GET /api/user_domains', 'GET /api/domains'] as const) {
      expect((await ask(call)).body.data).toMatchObject([{ id, suspect_date }]);
    }
    expect((await ask(`GET /api/domains/${id}`)).body.data).toMatchObject({ suspect_date });
    expect((await ask('GET /api/expiry_calendar')).body.doubted).toBe(1);
    expect((await ask('GET /api/expiry_calendar', undefined, other)).body.doubted).toBe(0);
  });

  test('have the broken layer of a diagnosis under the present name alone', async () => {
    const { id } = await create({ domain_name: 'why-red.com' });
    const broken_layer = async (call: string) =>
      (await ask(call)).body.data.find((domain: { id: number }) => domain.id === id)?.broken_layer;
    const diagnosed = (domain_name: string) =>
      transaction(() =>
        execute(
          `INSERT INTO diagnoses (domain_id, domain_name, asked_at, broken, steps) VALUES ($id, $domain_name, $at, 'edge', '[]')
           ON CONFLICT (domain_id) DO UPDATE SET domain_name = excluded.domain_name`,
          { id, domain_name, at: new Date().toISOString() },
        ),
      );
    for (const call of ['GET /api/domains', 'GET /api/user_domains?status=all']) {
      await transaction(() => execute('DELETE FROM diagnoses'));
      expect(await broken_layer(call)).toBeNull();
      await diagnosed('why-red.com');
      expect(await broken_layer(call)).toBe('edge');
      await diagnosed('former.com');
      expect(await broken_layer(call)).toBeNull();
    }
  });

  test('have pages that don’t overlap and leave nothing out, in any sort order', async () => {
    const made: string[] = [];
    for (let count = 0; count < 7; count++)
      made.push((await create({ type: count % 2 ? 'main' : 'transfer' })).domain_name);
    const sorts = [
      'id',
      '-id',
      'domain_name',
      '-domain_name',
      'type',
      '-expired_at',
      'project_name',
      'status',
      'user_login',
    ];
    for (const sort of sorts) {
      const pages: string[] = [];
      for (let offset = 0; offset < 9; offset += 3) {
        const page = await ask(`GET /api/domains?limit=3&offset=${offset}&sort=${sort}`);
        expect(page.body.total).toBe(7);
        pages.push(...names(page));
      }
      expect([sort, pages.toSorted()]).toEqual([sort, made.toSorted()]);
    }
    expect(names(await ask('GET /api/domains?sort=-domain_name'))).toEqual(made.toSorted().toReversed());
    const rest = await ask('GET /api/domains?offset=5');
    expect([names(rest), rest.body.total]).toEqual([made.slice(5), 7]);
    expect((await ask('GET /api/domains')).body).not.toHaveProperty('total');
  });

  test('sort unknown values last in either direction', async () => {
    const without = (await create()).domain_name;
    const early = (await create({ expired_at: '2026-01-01' })).domain_name;
    const late = (await create({ expired_at: '2028-01-01' })).domain_name;
    expect(names(await ask('GET /api/domains?sort=expired_at'))).toEqual([early, late, without]);
    expect(names(await ask('GET /api/domains?sort=-expired_at'))).toEqual([late, early, without]);
  });

  test('can be searched by name, IDN in both spellings, and project', async () => {
    const idn = await create({ domain_name: 'поиск-слово.рф' });
    const plain = await create({ domain_name: 'needle-1.example', project_id: await project('Haystack') });
    const found = async (text: string) => {
      const answer = await ask(`GET /api/domains?search=${encodeURIComponent(text)}`);
      expect(answer.body.total).toBe(answer.body.data.length);
      return names(answer);
    };
    for (const text of ['слово', 'СЛОВО', 'xn--']) expect(await found(text)).toEqual([idn.domain_name]);
    for (const text of ['needle', 'NEEDLE-1', ' needle ', 'haystack'])
      expect(await found(text)).toEqual([plain.domain_name]);
    const letters = await create({ project_id: await project('Дачный [сезон]') });
    for (const text of ['Дачный', 'дачный', 'СЕЗОН', '[сезон]'])
      expect(await found(text)).toEqual([letters.domain_name]);
    for (const text of ['nothing like it', 'needle_1', '%'.repeat(2)]) expect(await found(text)).toEqual([]);
  });

  test('a page of a search has its rows of the whole, and the total, wherever it ends', async () => {
    const all: string[] = [];
    for (let at = 0; at < 7; at += 1) all.push((await create({ domain_name: `paged-${at}.example` })).domain_name);
    for (const limit of [1, 6, 7, 8]) {
      for (const offset of [0, 1, 6, 7, 9, 250]) {
        const answer = await ask(`GET /api/domains?search=paged-&limit=${limit}&offset=${offset}`);
        expect([limit, offset, answer.body.total, names(answer)]).toEqual([
          limit,
          offset,
          7,
          all.slice(offset, offset + limit),
        ]);
      }
    }
  });
});

test('a list is narrowed to one whole name, however it is typed', async () => {
  const { domain_name } = await create();
  await create({ domain_name: `a-${domain_name}` });
  for (const typed of [domain_name, `https://${domain_name.toUpperCase()}/`]) {
    const answer = await ask(`GET /api/domains?domain_name=${encodeURIComponent(typed)}&limit=1`);
    expect([names(answer), answer.body.total]).toEqual([[domain_name], 1]);
  }
  expect((await ask('GET /api/domains?domain_name=a%20b!')).status).toBe(400);
});
