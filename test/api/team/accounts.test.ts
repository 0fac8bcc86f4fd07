// CDN accounts and their groups.
import { describe, expect, test } from 'vitest';
import { KEY } from '../../support/cloudflare-state.ts';
import { request } from '../../support/server.ts';
import { account, ACCOUNT, ask, make, MASK, outside, owner, rowOf, server, stored, TOKEN, useTeam } from './world.ts';

useTeam();

describe('a CDN account', () => {
  test('has the fields of the contract, with the data from the CDN', async () => {
    const made = await make('cloudflare_accounts', account({ name: 'Main' }));
    expect(made).toEqual({
      id: expect.any(Number),
      name: 'Main',
      email: 'ops@example.net',
      api_key: KEY,
      ns_1: 'ada.ns.cloudflare.com',
      ns_2: 'bob.ns.cloudflare.com',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      domains: 0,
      groups: [],
      zones: 1,
      checked_at: expect.stringMatching(/^\d{4}-.*Z$/),
      check_error: null,
      cf_account_id: null,
      cf_accounts: [{ id: ACCOUNT, name: expect.any(String) }],
      can_edit: true,
    });
    expect(await rowOf('cloudflare_accounts', made.id, owner)).toEqual(made);
  });

  test.each([
    ['a wrong key', { api_key: KEY.replace('0', 'f') }, /не принят/],
    [
      'a token that lacks permissions',
      { email: '', api_key: TOKEN },
      /DNS: Edit, Zone Settings: Edit, Page Rules: Edit/,
    ],
    ['a token that lacks everything', { email: '', api_key: TOKEN.replace('t', 'u') }, /Zone: Read/],
  ])('is saved with %s, and says so', async (_title, login, sentence) => {
    const made = await make('cloudflare_accounts', account(login));
    expect(made.check_error).toMatch(sentence);
    const { body } = await ask(`POST /api/cloudflare_accounts/${made.id}/test`, {});
    expect(body.data).toMatchObject({ ok: false, message: made.check_error });
  });

  test('keeps its known data while the CDN does not answer', async () => {
    const { id } = await make('cloudflare_accounts', account());
    outside.faults.push({ kind: 'status', status: 503, times: 20 });
    const { body } = await ask(`POST /api/cloudflare_accounts/${id}/test`, {});
    outside.faults.length = 0;
    expect(body.data).toMatchObject({ ok: false, code: 'provider_unavailable' });
    const row = await rowOf('cloudflare_accounts', id, owner);
    expect(row).toMatchObject({ zones: 1, ns_1: 'ada.ns.cloudflare.com', check_error: expect.any(String) });
    expect((await ask(`POST /api/cloudflare_accounts/${id}/test`, {})).body.data).toMatchObject({ ok: true, zones: 1 });
    expect((await rowOf('cloudflare_accounts', id, owner)).check_error).toBeNull();
  });

  test('can be tested before it is saved', async () => {
    const calls = () => outside.requests.length;
    const good = await ask('POST /api/cloudflare_accounts/test', { email: 'ops@example.net', api_key: KEY });
    expect(good.body.data).toMatchObject({ ok: true, kind: 'key', zones: 1, missing: [] });
    const token = await ask('POST /api/cloudflare_accounts/test', { api_key: TOKEN });
    expect(token.body.data).toMatchObject({
      ok: false,
      code: 'permission_missing',
      kind: 'token',
      missing: ['dns', 'settings', 'page_rules', 'redirects'],
    });
    const before = calls();
    const masked = await ask('POST /api/cloudflare_accounts/test', { api_key: MASK });
    expect([masked.status, Object.keys(masked.body.fields)]).toEqual([400, ['api_key']]);
    expect(calls()).toBe(before);
  });

  test('is edited in the sent fields only; the key is tested again only with a new login', async () => {
    const { id } = await make('cloudflare_accounts', account());
    const before = outside.requests.length;
    const sealed = await stored('cloudflare_accounts', 'api_key', id);
    for (const body of [{ name: 'New name' }, { name: 'New name', email: 'ops@example.net', api_key: MASK }]) {
      expect((await ask(`POST /api/cloudflare_accounts/${id}`, body)).body.data).toMatchObject({
        name: 'New name',
        api_key: KEY,
      });
    }
    expect(await stored('cloudflare_accounts', 'api_key', id)).toBe(sealed);
    expect(outside.requests.length).toBe(before);
    const edited = await ask(`POST /api/cloudflare_accounts/${id}`, { api_key: TOKEN, email: '' });
    expect(edited.body.data).toMatchObject({ api_key: TOKEN, check_error: expect.stringContaining('DNS: Edit') });
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ email: 'nonsense' }, 'email'],
    [{ api_key: '' }, 'api_key'],
    [{ api_key: MASK }, 'api_key'],
  ])('is refused with %j', async (wrong, field) => {
    const answer = await ask('POST /api/cloudflare_accounts', account(wrong));
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, [field]]);
  });
});

describe('a group', () => {
  test('has the shape of the contract', async () => {
    const [one, two] = [
      await make('cloudflare_accounts', account({ name: 'B' })),
      await make('cloudflare_accounts', account({ name: 'A' })),
    ];
    const group = await make('cloudflare_groups', { name: 'G', accounts: [one.id, two.id, one.id] });
    const accounts = [
      { id: two.id, name: 'A' },
      { id: one.id, name: 'B' },
    ];
    expect(group).toEqual({ id: expect.any(Number), name: 'G', accounts, can_edit: true });
    const { body } = await ask('GET /api/cloudflare_groups');
    expect(body).toContainEqual(group);
    expect((await rowOf('cloudflare_accounts', one.id, owner)).groups).toEqual([{ id: group.id, name: 'G' }]);
    const renamed = await ask(`PUT /api/cloudflare_groups/${group.id}`, { name: 'H' });
    expect(renamed.body).toEqual({ ...group, name: 'H' });
    const emptied = await ask(`PUT /api/cloudflare_groups/${group.id}`, { name: 'H', accounts: [] });
    expect(emptied.body.accounts).toEqual([]);
    expect((await ask(`DELETE /api/cloudflare_groups/${group.id}`)).body).toEqual({ message: 'Группа удалена' });
  });

  test('takes ids of accounts, and says so where it is sent accounts', async () => {
    const one = await make('cloudflare_accounts', account({ name: 'C' }));
    const group = await make('cloudflare_groups', { name: 'Ids', accounts: [one.id] });
    for (const call of ['POST /api/cloudflare_groups', `PUT /api/cloudflare_groups/${group.id}`]) {
      const { status, body } = await ask(call, group);
      expect([call, status, body.fields]).toEqual([call, 400, { 'accounts.0': 'Нужны номера аккаунтов: [1, 2]' }]);
    }
  });

  test('refuses unknown accounts and stays unchanged', async () => {
    const { id } = await make('cloudflare_accounts', account());
    const group = await make('cloudflare_groups', { name: 'G', accounts: [id] });
    const answer = await ask(`PUT /api/cloudflare_groups/${group.id}`, { name: 'H', accounts: [999_999] });
    expect([answer.status, answer.body.error]).toEqual([422, 'Unknown accounts']);
    expect(await rowOf('cloudflare_groups', group.id, owner)).toEqual(group);
  });

  test('has in the log which accounts it had before, and nothing where they stay', async () => {
    const [one, two] = [await make('cloudflare_accounts', account()), await make('cloudflare_accounts', account())];
    const group = await make('cloudflare_groups', { name: 'G', accounts: [one.id, two.id] });
    const logged = async () =>
      (
        await request(server, `GET /api/audit?object=cloudflare_groups&object_id=${group.id}`, {
          token: server.admin.token,
        })
      ).body.data;
    const before = await logged();
    await ask(`PUT /api/cloudflare_groups/${group.id}`, { name: 'G', accounts: [two.id, one.id] });
    expect(await logged()).toEqual(before);
    await ask(`PUT /api/cloudflare_groups/${group.id}`, { accounts: [two.id] });
    const [entry] = await logged();
    expect([entry.before, entry.after]).toEqual([{ accounts: [one.id, two.id] }, { accounts: [two.id] }]);
  });
});
