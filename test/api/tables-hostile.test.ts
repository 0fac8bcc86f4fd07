// The table editor under keys, ids, searches and edits that nobody means well with.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { select } from '../../db/index.ts';
import { request, startServer, type Ask, type TestServer } from '../support/server.ts';
import { dump } from '../support/database.ts';

const SECRET = 'canary-secret-0123456789';
const STALE = '2026-01-01T00:00:00.000Z';

let server: TestServer;
let project: number;
let domain: Record<string, unknown> & { id: number };

beforeAll(async () => {
  server = await startServer();
  project = (await save('projects', { name: 'Мой СЕВЕР [1] *?%_' })).body.id;
  domain = (await save('domains', { domain_name: 'hostile.com', project_id: project })).body;
});
afterAll(() => server.close());

const ask = (call: string, given: Ask = {}) => request(server, call, { token: server.admin.token, ...given });
const save = (table: string, body: object) => ask(`POST /api/tables/${table}`, { body });
const post = (table: string, json: string) =>
  ask(`POST /api/tables/${table}`, { body: Buffer.from(json), headers: { 'content-type': 'application/json' } });
const find = async (table: string, search: string): Promise<{ total: number; data: { id: number }[] }> =>
  (await ask(`GET /api/tables/${table}?limit=10&search=${encodeURIComponent(search)}`)).body;

describe('a search', () => {
  test('reads every table', async () => {
    const tables = (await ask('GET /api/tables')).body.map(({ name }: { name: string }) => name);
    for (const table of tables) {
      const { status } = await ask(`GET /api/tables/${table}?limit=10&search=a`);
      expect([table, status]).toEqual([table, 200]);
    }
    expect((await find('users', server.admin.login.toUpperCase())).data.map(({ id }) => id)).toEqual([server.admin.id]);
  });

  test('finds a text of any script, whatever its case, and takes signs of patterns as they are', async () => {
    for (const search of ['север', 'СЕВЕР', 'Север', 'мОЙ сЕВ', '[1]', '*?', '%_', 'р [', '] *']) {
      expect([search, (await find('projects', search)).data.map(({ id }) => id)]).toEqual([search, [project]]);
    }
    for (const search of ['с*р', 'с?вер', 'с_вер', '%', '[2]', '[^2]', '\\', 'с.вер', '(', '^', 'р$', 'сё']) {
      const total = search === '%' ? 1 : 0;
      expect([search, (await find('projects', search)).total]).toEqual([search, total]);
    }
  });
});

describe('an order', () => {
  test('by any column that is shown exists, with digits in its name as well', async () => {
    for (const sort of ['ns_1', '-ns_2', 'zones', '-id']) {
      const { status } = await ask(`GET /api/tables/cloudflare_accounts?limit=5&sort=${sort}`);
      expect([sort, status]).toEqual([sort, 200]);
    }
    for (const sort of ['api_key', 'check_error', 'cf_accounts', 'groups', 'id;', 't.id', '--id', 'id%20DESC', '1']) {
      const { status } = await ask(`GET /api/tables/cloudflare_accounts?limit=5&sort=${sort}`);
      expect([sort, status]).toEqual([sort, 400]);
    }
    for (const sort of ['error', 'evidence', 'periods', 'reference']) {
      expect([sort, (await ask(`GET /api/tables/purchases?limit=5&sort=${sort}`)).status]).toEqual([sort, 400]);
    }
  });
});

describe('a body', () => {
  test('that says what a cell was leaves a row that holds something else, and a `was` of anything else is refused', async () => {
    const { id } = (await save('projects', { name: 'Written first' })).body;
    const edit = (was: unknown) => save('projects', { id, name: 'Taken back', was });
    expect(await edit({ name: 'Written by me' })).toMatchObject({ status: 409, body: { code: 'stale' } });
    for (const was of ['name', null, 7, [], { names: 'x' }])
      expect([was, (await edit(was)).status]).toEqual([was, 400]);
    expect((await post('projects', `{"id":${id},"name":"x","was":{"__proto__":"x"}}`)).status).toBe(400);
    expect(await edit({ name: 'Written first' })).toMatchObject({ status: 200, body: { name: 'Taken back' } });
    expect((await save('projects', { name: 'New', was: { name: 'Old' } })).status).toBe(400);
  });

  test('with a key of a prototype is refused as one with any unknown column', async () => {
    const before = await dump();
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const value = `"${key}":{"name":"x"}`;
      for (const [table, json] of [
        ['projects', `{"name":"x",${value}}`],
        ['domains', `{"id":${domain.id},${value}}`],
      ] as const) {
        const { status, text } = await post(table, json);
        expect([key, status]).toEqual([key, 400]);
        expect(text).toContain(`"${key}":"В таблице нет такой колонки"`);
      }
    }
    expect(await dump()).toBe(before);
  });

  test('with thousands of keys or a huge one gets a short refusal', async () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key_${index}`, 1]));
    for (const body of [many, { ['k'.repeat(1_000_000)]: 1 }, { ['\u{1F600}'.repeat(200_000)]: 1 }]) {
      const { status, text } = await save('projects', { name: 'x', ...body });
      expect(status).toBe(400);
      expect(text.length).toBeLessThan(10_000);
    }
  });

  test('with a wrong member of a list is refused at the column', async () => {
    const { status, body } = await save('cloudflare_groups', { name: 'g', accounts: [null, 'x'] });
    expect([status, Object.keys(body.fields)]).toEqual([400, ['accounts']]);
  });

  test('with an id that is none is refused; without one it is a new row', async () => {
    const before = await dump();
    for (const id of ['1.5', '-1', '0', '-0', '1e400', '"1.0"', '"01"', '"0x1"', 'true', 'false', '[1]', '[]', '{}']) {
      expect([id, (await post('domains', `{"id":${id},"type":"transfer"}`)).status]).toEqual([id, 400]);
    }
    for (const id of ['9007199254740991', '2147483648', '1e3', '"123456789012345"']) {
      expect([id, (await post('domains', `{"id":${id},"type":"transfer"}`)).status]).toEqual([id, 422]);
    }
    expect(await dump()).toBe(before);
    for (const id of [null, '']) expect((await save('projects', { id, name: 'new' })).body.id).toBeGreaterThan(project);
  });
});

describe('two edits', () => {
  test('of a row as it was read do not overwrite each other', async () => {
    const { body: row } = await save('domains', { domain_name: 'two-edits.com' });
    const [one, other] = await Promise.all([
      save('domains', { ...row, type: 'transfer' }),
      save('domains', { ...row, transfer_dns: 'on' }),
    ]);
    expect(new Set([one.status, other.status])).toEqual(new Set([200, 409]));
    const refused = one.status === 409 ? one : other;
    expect(refused.body).toMatchObject({ code: 'stale', error: expect.stringContaining('изменили') });
    const [stored] = await select('SELECT type, transfer_dns FROM domains WHERE id = $id', { id: row.id });
    expect(stored).toEqual(
      one.status === 200 ? { type: 'transfer', transfer_dns: 'off' } : { type: 'main', transfer_dns: 'on' },
    );
    expect((await save('domains', { id: row.id, type: 'main', updated_at: STALE })).status).toBe(409);
    expect((await save('domains', { id: row.id, updated_at: 'soon' })).status).toBe(400);
  });

  test('of one row without a time in them change what they name alone', async () => {
    const { body: row } = await save('domains', { domain_name: 'two-fields.com' });
    await Promise.all([
      save('domains', { id: row.id, type: 'transfer' }),
      save('domains', { id: row.id, transfer_dns: 'on' }),
    ]);
    const [stored] = await select('SELECT type, transfer_dns FROM domains WHERE id = $id', { id: row.id });
    expect(stored).toEqual({ type: 'transfer', transfer_dns: 'on' });
  });
});

describe('every table', () => {
  test('takes its rows back as they were read, without a trace', async () => {
    const secret = SECRET;
    await save('servers', { name: 's', ssh_host: '192.0.2.7', ssh_user: 'root', ssh_password: secret });
    await save('registrars', { type: 'porkbun.com', name: 'r', login: 'l', password: secret });
    const { body: account } = await save('cloudflare_accounts', { name: 'c', email: '', api_key: secret });
    await save('cloudflare_groups', { name: 'g', accounts: [account.id] });
    await save('xmlriver_accounts', { name: 'x', login: '123', key: secret });
    await save('arsenkin_accounts', { name: 'a', token: secret });
    await save('keywords', { value: 'слово', project_id: project });
    const tables: { name: string; edits: boolean }[] = (await ask('GET /api/tables')).body;
    const before = await dump();
    const taken: string[] = [];
    for (const { name } of tables.filter(({ edits }) => edits)) {
      for (const row of (await ask(`GET /api/tables/${name}`)).body) {
        expect(JSON.stringify(row)).not.toContain(SECRET);
        expect(await save(name, row)).toMatchObject({ status: 200, body: row });
        taken.push(name);
      }
    }
    expect(new Set(taken).size).toBe(10);
    expect(await dump()).toBe(before);
    expect(before).not.toContain(SECRET);
  });

  test('hides what belongs to a deleted project, and edits nothing that is deleted', async () => {
    const { body: gone } = await save('projects', { name: 'gone' });
    const { body: word } = await save('keywords', { value: 'слово', project_id: gone.id });
    const { body: kept } = await save('domains', { domain_name: 'of-gone.com', project_id: gone.id });
    expect((await ask(`DELETE /api/tables/projects/${gone.id}`)).status).toBe(200);
    expect((await save('projects', { id: gone.id, name: 'back' })).status).toBe(422);
    expect((await save('keywords', { id: word.id, frequency: 5 })).status).toBe(422);
    expect((await ask(`DELETE /api/tables/keywords/${word.id}`)).status).toBe(404);
    expect((await save('keywords', { value: 'другое', project_id: gone.id })).status).toBe(422);
    expect((await save('domains', { id: domain.id, project_id: gone.id })).status).toBe(422);
    expect((await save('domains', { id: kept.id, type: 'transfer' })).body).toMatchObject({ project_id: null });
  });
});
