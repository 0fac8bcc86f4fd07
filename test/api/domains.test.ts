import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import { itemOn } from '../../src/operations/locks.ts';
import { cancelOperation, enqueue } from '../../src/operations/queue.ts';
import { storeHealth } from '../../src/services/checks/check-http.ts';
import { EXPIRING_DAYS } from '../../src/shared/portfolio/domains.ts';
import { createPerson, form, request, startServer, type Person, type TestServer } from '../support/server.ts';
import { newName } from './calls.ts';

// The names of product.md, section 3.
const DOMAIN_FIELDS =
  'id domain_name file_path type transfer_type server_id server_name server_ip cloudflare_account_id ' +
  'cloudflare_account_name registrars_id project_id project_name user_login template_id status http_status_code ' +
  'last_http_check_at google_indexation yandex_indexation last_check_indexation transfer_dns created_at expired_at registrar_type';
const USER_DOMAIN_FIELDS =
  'id domain_name project_name transfer_type type status http_status_code last_http_check_at created_at expired_at registrar_type';

let server: TestServer;
let owner: Person;
let other: Person;

beforeAll(async () => {
  server = await startServer();
  owner = await createPerson(server);
  other = await createPerson(server);
});
afterEach(() =>
  transaction(async () => {
    await execute('DELETE FROM domains');
    await execute('DELETE FROM projects');
  }),
);
afterAll(() => server.close());

const ask = (call: string, body?: unknown, person = owner) => request(server, call, { token: person.token, body });
const create = async (fields: object = {}) =>
  (await ask('POST /api/domains', { domain_name: newName(), ...fields })).body.data;
const project = async (name: string): Promise<number> => (await ask('POST /api/projects', { name })).body.data.id;
const names = (answer: { body: { data: { domain_name: string }[] } }) =>
  answer.body.data.map(({ domain_name }) => domain_name);

/** Writes the fields that a check would have written. */
async function observe(id: number, fields: Record<string, string | number | null>): Promise<void> {
  const sets = Object.keys(fields).map((field) => `${field} = $${field}`);
  await transaction(() => execute(`UPDATE domains SET ${sets.join(', ')} WHERE id = $id`, { ...fields, id }));
}

describe('one domain', () => {
  test('has every field of the contract, with its defaults', async () => {
    const domain_name = newName();
    const made = await create({ domain_name });
    for (const field of DOMAIN_FIELDS.split(' ')) expect(made).toHaveProperty(field);
    expect(made).toMatchObject({
      domain_name,
      type: 'main',
      transfer_type: 'auto',
      transfer_dns: 'off',
      status: 'available',
      file_path: `/var/www/www-root/data/www/${domain_name}`,
      user_login: owner.login,
      project_id: null,
      project_name: null,
      http_status_code: null,
      google_indexation: null,
      expired_at: null,
    });
    expect(new Date(made.created_at).toISOString()).toBe(made.created_at);
    expect((await ask(`GET /api/domains/${made.id}`)).body).toEqual({ data: made });
  });

  test('has an indexation of true, false or null', async () => {
    const { id } = await create();
    await observe(id, { google_indexation: 1, yandex_indexation: 0 });
    const { data } = (await ask(`GET /api/domains/${id}`)).body;
    expect([data.google_indexation, data.yandex_indexation]).toEqual([true, false]);
  });

  test('gets a cleaned name: blanks, scheme, case, trailing dot and slash, IDN', async () => {
    const spellings: Record<string, string> = {
      '  https://Some Name-1.EXAMPLE/ ': 'somename-1.example',
      'HTTP://Пример.рф': 'xn--e1afmkfd.xn--p1ai',
      'trailing.example.': 'trailing.example',
      'münchen.example': 'xn--mnchen-3ya.example',
    };
    for (const [typed, domain_name] of Object.entries(spellings)) {
      expect((await create({ domain_name: typed })).domain_name).toBe(domain_name);
    }
    const wrong = [
      '',
      'localhost',
      'a_b.example',
      '127.0.0.1',
      'a..example',
      'a.example/path',
      'x:80',
      'http://',
      'a@b.example',
    ];
    for (const domain_name of wrong) {
      const answer = await ask('POST /api/domains', { domain_name });
      expect([domain_name, answer.status, Object.keys(answer.body.fields)]).toEqual([
        domain_name,
        400,
        ['domain_name'],
      ]);
    }
  });

  test('with a taken name in any spelling is 409, without naming the owner', async () => {
    const { domain_name } = await create();
    const mine = await ask('POST /api/domains', { domain_name: `https://${domain_name.toUpperCase()}.` });
    const theirs = await ask('POST /api/domains', { domain_name }, other);
    expect(mine).toMatchObject({ status: 409, body: { code: 'domain_taken' } });
    expect(theirs.text).toBe(mine.text);
    expect(theirs.text).not.toContain(owner.login);
    const second = await create();
    expect((await ask(`POST /api/domains/${second.id}`, { domain_name })).status).toBe(409);
  });

  test('can be sent as a form with a file, too', async () => {
    const domain_name = newName();
    const html_file = new File(['<p>hello</p>'], '../../index.html', { type: 'text/html' });
    const body = form({
      domain_name,
      type: 'transfer',
      transfer_type: 'manual',
      project_id: String(await project('F')),
      html_file,
    });
    const { status, body: answer } = await ask('POST /api/domains', body);
    expect([status, answer.data.type, answer.data.transfer_type, answer.data.project_name]).toEqual([
      200,
      'transfer',
      'manual',
      'F',
    ]);
    const edit = form({ domain_name, type: 'main', project_id: '', expired_at: '2027-01-31', html_file });
    const { data } = (await ask(`POST /api/domains/${answer.data.id}`, edit)).body;
    expect(data).toMatchObject({ type: 'main', project_id: null, expired_at: '2027-01-31T00:00:00.000Z' });
  });

  test('is changed by an edit only in the fields that were sent', async () => {
    const made = await create({ type: 'transfer', expired_at: '2030-05-06', project_id: await project('Kept') });
    const { data } = (await ask(`POST /api/domains/${made.id}`, { transfer_dns: 'on' })).body;
    expect(data).toEqual({ ...made, transfer_dns: 'on', updated_at: data.updated_at });
    const cleared = (await ask(`POST /api/domains/${made.id}`, { project_id: null, expired_at: null })).body.data;
    expect(cleared).toMatchObject({ project_id: null, expired_at: null, type: 'transfer', transfer_dns: 'on' });
  });

  test('loses its observed state when it is renamed', async () => {
    const made = await create();
    const seen = {
      status: 'blocked',
      block_entry: 'x',
      http_status_code: 200,
      last_http_check_at: '2026-01-01T00:00:00.000Z',
    };
    await observe(made.id, seen);
    const kept = (await ask(`POST /api/domains/${made.id}`, { domain_name: made.domain_name, type: 'main' })).body.data;
    expect(kept).toMatchObject(seen);
    const renamed = (await ask(`POST /api/domains/${made.id}`, { domain_name: newName() })).body.data;
    expect(renamed).toMatchObject({
      status: 'available',
      block_entry: null,
      http_status_code: null,
      last_http_check_at: null,
    });
  });

  test('loses its baseline and check figures when it is renamed, and keeps them at any other edit', async () => {
    const { id, domain_name } = await create();
    await transaction(async () => {
      await execute(`INSERT INTO verdict_baselines (domain_id, status, since) VALUES ($id, 'available', '')`, { id });
      await execute(
        `INSERT INTO check_samples (domain_id, day, checks, up, ms) VALUES ($id, '2026-01-01', 1, 1, '90')`,
        { id },
      );
    });
    const kept = () =>
      select(
        `SELECT (SELECT count(*) FROM verdict_baselines WHERE domain_id = $id) AS baselines,
           (SELECT count(*) FROM check_samples WHERE domain_id = $id) AS samples`,
        { id },
      );
    await ask(`POST /api/domains/${id}`, { domain_name, type: 'transfer' });
    expect(await kept()).toEqual([{ baselines: 1, samples: 1 }]);
    await ask(`POST /api/domains/${id}`, { domain_name: newName() });
    expect(await kept()).toEqual([{ baselines: 0, samples: 0 }]);
  });

  test('with a taken name is 409 also if the domain that has it has the id 1', async () => {
    const { id, domain_name } = await create();
    await transaction(() => execute('UPDATE domains SET id = 1 WHERE id = $id', { id }));
    expect((await ask('POST /api/domains', { domain_name })).body).toMatchObject({ code: 'domain_taken' });
  });

  test('cannot be deleted during a transfer, nor edited in the fields that the transfer uses', async () => {
    const made = await create();
    const project_id = await project('P');
    const { id } = await enqueue({
      kind: 'tests',
      subject: 'all',
      user_id: null,
      input: {},
      message: { key: 'check.started' },
      locks: [{ kind: 'domain', name: made.domain_name }],
    });
    const edit = async (body: object) => (await ask(`POST /api/domains/${made.id}`, body)).body.code ?? 'edited';
    for (const change of [{ domain_name: newName() }, { type: 'transfer' }, { project_id }, { file_path: '/srv/x' }]) {
      expect([change, await edit(change)]).toEqual([change, 'domain_locked']);
    }
    // Unchanged values, and fields that a transfer does not use, are accepted.
    expect(await edit({ domain_name: made.domain_name, type: 'main' })).toBe('edited');
    expect(await edit({ transfer_type: 'manual' })).toBe('edited');
    expect(await ask(`DELETE /api/domains/${made.id}`)).toMatchObject({ status: 409, body: { code: 'domain_locked' } });
    await cancelOperation(id);
    expect(await edit({ type: 'transfer' })).toBe('edited');
    expect((await ask(`DELETE /api/domains/${made.id}`)).status).toBe(200);
  });

  test.each([
    { kind: 'site' },
    { kind: 'dns' },
    { kind: 'dns', part: 'sub' },
    { kind: 'tls', part: 'account 2' },
    { kind: 'under_attack' },
    { kind: 'rule', part: '17' },
  ])('cannot be deleted while %j of it is under way, and the refusal names the operation', async (lock) => {
    const made = await create();
    const work = { kind: 'tests', subject: made.domain_name, user_id: null, input: {} };
    const items = [{ ...itemOn({ ...lock, name: made.domain_name }), lane: 'x', data: {} }];
    const { id } = await enqueue({ ...work, message: { key: 'check.started' }, items });
    const refused = await ask(`DELETE /api/domains/${made.id}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'busy']);
    expect(refused.body.error).toContain(String(id));
    await cancelOperation(id);
    expect((await ask(`DELETE /api/domains/${made.id}`)).status).toBe(200);
  });

  test('with an unknown account, server or template is refused with the name of the field', async () => {
    for (const field of ['server_id', 'cloudflare_account_id', 'registrars_id', 'template_id', 'project_id']) {
      const answer = await ask('POST /api/domains', { domain_name: newName(), [field]: 987_654 });
      expect([field, answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([field, 422, [field]]);
    }
  });

  test('has an absolute path on the server without detours', async () => {
    const made = await create({ file_path: '/srv/site' });
    expect(made.file_path).toBe('/srv/site');
    for (const file_path of [
      'srv',
      '/a/../b',
      '/a/..',
      '//a',
      '/~root',
      '/a\\b',
      '/a\nb',
      '/a\0b',
      `/${'x'.repeat(600)}`,
    ]) {
      expect((await ask(`POST /api/domains/${made.id}`, { file_path })).status).toBe(400);
    }
    const { data } = (await ask(`POST /api/domains/${made.id}`, { file_path: '' })).body;
    expect(data.file_path).toBe(`/var/www/www-root/data/www/${made.domain_name}`);
  });

  test('that is deleted is gone and frees its name, and can be restored', async () => {
    const made = await create({ type: 'transfer' });
    expect((await ask(`DELETE /api/domains/${made.id}`)).body.message).toContain(made.domain_name);
    for (const call of ['GET', 'DELETE']) expect((await ask(`${call} /api/domains/${made.id}`)).status).toBe(404);
    expect(names(await ask('GET /api/domains'))).toEqual([]);
    expect((await ask(`POST /api/domains/${made.id}/restore`, {})).body.data).toMatchObject({ type: 'transfer' });
    expect((await ask(`POST /api/domains/${made.id}/restore`, {})).status).toBe(404);
    await ask(`DELETE /api/domains/${made.id}`);
    await create({ domain_name: made.domain_name });
    expect((await ask(`POST /api/domains/${made.id}/restore`, {})).status).toBe(409);
  });

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
    expect(await found('nothing like it')).toEqual([]);
  });
});

describe('projects', () => {
  test('are made, listed, renamed', async () => {
    const id = await project('  Первый  ');
    const { data } = (await ask('GET /api/user_projects')).body;
    expect(data).toMatchObject([{ id, name: 'Первый' }]);
    expect((await ask(`PUT /api/projects/${id}`, { name: 'Second' })).body).toEqual({
      data: { id, name: 'Second', last_reserve: 'off' },
    });
    expect((await ask('POST /api/projects', { name: '   ' })).status).toBe(400);
  });

  test('list main and reserve domains separately', async () => {
    const project_id = await project('Lists');
    const main = await create({ project_id, type: 'main' });
    const reserve = await create({ project_id, type: 'transfer' });
    await create({ type: 'main' });
    expect(names(await ask(`GET /api/project_domains/${project_id}`))).toEqual([main.domain_name]);
    expect(names(await ask(`GET /api/project_unassigned_domains/${project_id}`))).toEqual([reserve.domain_name]);
    const paged = (await ask(`GET /api/project_domains/${project_id}?limit=1&search=${main.domain_name}`)).body;
    expect([paged.data.length, paged.total]).toEqual([1, 1]);
    // The search must not match the name of the project, which would find all of its domains.
    expect(names(await ask(`GET /api/project_domains/${project_id}?search=lists`))).toEqual([]);
    const [counted] = (await ask('GET /api/user_projects')).body.data;
    expect(counted).toMatchObject({ main_count: 1, transfer_count: 1 });
  });

  test('leave their domains with the owner when deleted, and take them back when restored', async () => {
    const project_id = await project('Short-lived');
    const [kept, moved, gone] = [
      await create({ project_id }),
      await create({ project_id }),
      await create({ project_id }),
    ];
    await ask(`DELETE /api/domains/${gone.id}`);
    expect((await ask(`DELETE /api/projects/${project_id}`)).body.message).toBeTypeOf('string');
    expect((await ask(`GET /api/domains/${kept.id}`)).body.data).toMatchObject({
      project_id: null,
      project_name: null,
    });
    expect((await ask(`GET /api/project_domains/${project_id}`)).status).toBe(404);
    expect((await ask(`POST /api/domains/${kept.id}`, { project_id })).status).toBe(422);
    await ask(`POST /api/domains/${moved.id}`, { project_id: await project('Other') });
    expect((await ask(`POST /api/projects/${project_id}/restore`, {})).status).toBe(200);
    expect(names(await ask(`GET /api/project_domains/${project_id}`))).toEqual([kept.domain_name]);
  });

  test('do not take back a domain that another user owns by now', async () => {
    const project_id = await project('Old');
    const { id } = await create({ project_id });
    await ask(`DELETE /api/projects/${project_id}`);
    const theirs = (await ask('POST /api/projects', { name: 'New' }, other)).body.data.id;
    await ask(`POST /api/domains/${id}`, { project_id: theirs }, server.admin);
    await ask(`POST /api/domains/${id}`, { project_id: null }, other);
    await ask(`POST /api/projects/${project_id}/restore`, {});
    expect((await ask(`GET /api/domains/${id}`)).status).toBe(404);
    expect((await ask(`GET /api/domains/${id}`, undefined, other)).status).toBe(200);
  });

  test('hand their domains to their own owner', async () => {
    const { id, domain_name } = await create();
    const theirs = (await ask('POST /api/projects', { name: 'Theirs' }, other)).body.data.id;
    expect((await ask(`POST /api/domains/${id}`, { project_id: theirs })).status).toBe(422);
    const { data } = (await ask(`POST /api/domains/${id}`, { project_id: theirs }, server.admin)).body;
    expect(data).toMatchObject({ user_login: other.login, project_name: 'Theirs' });
    expect((await ask(`GET /api/domains/${id}`)).status).toBe(404);
    expect(names(await ask('GET /api/domains', undefined, other))).toEqual([domain_name]);
  });
});
