// The rights of a login at Cloudflare, tested through the API.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hold } from '../../src/demo/cloudflare/faults.ts';
import { SERVER_IP, startCdn, type Cdn } from '../support/cdn.ts';
import { accountOf, cfAccount } from '../support/cloudflare-state.ts';
import type { Login } from '../../src/demo/cloudflare/state.ts';

let cdn: Cdn;
const TOKEN = 't'.repeat(40);
const WRITES: Login['permissions'] = ['zone:edit', 'dns:edit', 'settings:edit', 'page_rules:edit', 'redirects:edit'];
const DENIED = {
  success: false,
  errors: [{ code: 9109, message: 'Unauthorized to access requested resource' }],
  result: null,
};

beforeEach(async () => {
  cdn = await startCdn();
});
afterEach(() => cdn.close());

const attach = (accountId: number, ...names: string[]) =>
  cdn.call('POST /api/manage_dns', { accountId, domainName: 'main.com', ipAddress: SERVER_IP, pageRules: names });
/** Adds an account with a token of these properties, and returns its row. */
const addToken = async (login: Partial<Login>) => {
  cdn.fake.state.logins.push({ email: 'ops1@example.net', token: TOKEN, accounts: [cfAccount(1)], ...login });
  const { body } = await cdn.call('POST /api/cloudflare_accounts', { name: 'Token', email: '', api_key: TOKEN });
  return body.data;
};
const asked = (pattern: RegExp): string[] =>
  cdn.fake.requests.map(({ method, path }) => `${method} ${path}`).filter((call) => pattern.test(call));
const done = async (id: number): Promise<string[]> => {
  const { body } = await cdn.call(`GET /api/operations/${id}/items?limit=100`);
  const items = (body.items ?? body.data) as { item: string; state: string }[];
  return items.map(({ item, state }) => `${item} ${state}`).toSorted();
};

test('a 403 for one zone fails that zone only, with the message of Cloudflare; a revoked token stops the login', async () => {
  const names = ['a.com', 'b.com', 'c.com', 'd.com', 'e.com', 'f.com'];
  for (const name of names) cdn.addZone(name);
  const token = await addToken({
    permissions: ['zone:read', 'dns:edit', 'settings:edit', 'page_rules:edit', 'redirects:edit'],
  });
  for (const name of names) await cdn.addDomain(name, { cloudflare_account_id: token.id });
  const closed = cdn.zone('b.com').id;
  cdn.fake.faults.push({
    kind: 'status',
    status: 403,
    body: DENIED,
    match: ({ path }) => path.startsWith(`/zones/${closed}/`),
    times: 99,
  });
  const on = await cdn.call('POST /api/manage-under-attack-mode-all', { action: 'enable' });
  expect(await cdn.ended(on.body.operation.id)).toMatchObject({ state: 'partial', failed: 1 });
  expect(await done(on.body.operation.id)).toEqual(
    names.map((name) => `under_attack ${name} ${name === 'b.com' ? 'failed' : 'done'}`),
  );
  const { body } = await cdn.call(`GET /api/operations/${on.body.operation.id}/items?state=failed`);
  expect(JSON.stringify(body)).toContain('9109');
  // A new zone that the login may not create fails only its own item, too.
  const attached = await attach(token.id, 'new.com', 'a.com');
  expect(await cdn.ended(attached.body.operation.id)).toMatchObject({ state: 'partial', failed: 1 });
  expect(await done(attached.body.operation.id)).toEqual(['dns a.com done', 'dns new.com failed']);
  cdn.fake.state.logins.find((login) => login.token === TOKEN)!.token = 'r'.repeat(40);
  cdn.fake.requests.length = 0;
  const off = await cdn.call('POST /api/manage-under-attack-mode-all', { action: 'disable' });
  expect(await cdn.ended(off.body.operation.id)).toMatchObject({ state: 'failed', failed: 6 });
  expect(cdn.fake.requests.length).toBeLessThanOrEqual(3);
});

test('an account token is verified at its account, uses redirect rules from the start, and its test says so', async () => {
  cdn.addZone('a.com');
  cdn.addZone('b.com');
  const token = await addToken({
    account_owned: true,
    permissions: ['zone:read', 'dns:edit', 'settings:edit', 'redirects:edit', 'page_rules:edit'],
  });
  expect(token.check_error).toBeNull();
  const tested = await cdn.call(`POST /api/cloudflare_accounts/${token.id}/test`, {});
  expect(tested.body.data).toMatchObject({ ok: true, missing: ['page_rules'] });
  expect(tested.body.data.message).toContain('Redirect Rules');
  cdn.fake.requests.length = 0;
  const { body } = await attach(token.id, 'a.com', 'b.com');
  expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'succeeded', counts: { done: 2 } });
  expect(['a.com', 'b.com'].map((name) => cdn.zone(name).rulesets[0]?.rules.length)).toEqual([1, 1]);
  expect(asked(/^POST .*pagerules/)).toEqual([]);
  expect(asked(/pagerules/)).toHaveLength(1);
  const id = await cdn.addDomain('a.com', { cloudflare_account_id: token.id });
  const rules = await cdn.call(`GET /api/domain_page_rules/${id}`);
  expect(rules.body.data.result).toMatchObject([{ kind: 'redirect', status: 'active' }]);
});

test('a token without page rules uses redirect rules, one without redirect rules uses page rules, and one without both fails with a message', async () => {
  cdn.addZone('a.com');
  cdn.addZone('b.com');
  const all = ['zone:edit', 'dns:edit', 'settings:edit'] as const;
  const token = await addToken({ permissions: [...all, 'redirects:edit'] });
  const login = cdn.fake.state.logins.find((one) => one.token === TOKEN)!;
  await cdn.ended((await attach(token.id, 'a.com')).body.operation.id);
  expect(cdn.zone('a.com').rulesets[0]?.rules).toHaveLength(1);
  login.permissions = [...all, 'page_rules:edit'];
  await cdn.ended((await attach(token.id, 'b.com')).body.operation.id);
  expect(cdn.zone('b.com').page_rules).toHaveLength(1);
  login.permissions = [...all];
  const { body } = await cdn.call(`POST /api/cloudflare_accounts/${token.id}/test`, {});
  expect(body.data).toMatchObject({ ok: false, code: 'permission_missing', missing: ['page_rules', 'redirects'] });
  expect(body.data.message).toMatch(/ничего не перенаправить/);
});

test('the test of an account is not stored when its login was edited meanwhile', async () => {
  const { state, faults, requests } = cdn.fake;
  state.accounts.push(accountOf(cfAccount(2), 'Second'));
  state.logins[0]!.accounts.push(cfAccount(2));
  const [id] = cdn.accounts;
  requests.length = 0;
  const answer = hold();
  faults.push(answer.fault);
  const slow = cdn.call(`POST /api/cloudflare_accounts/${id}/test`, {});
  await expect.poll(() => requests.length).toBeGreaterThan(0);
  const edited = await cdn.call(`POST /api/cloudflare_accounts/${id}`, { cf_account_id: cfAccount(2) });
  expect(edited.body.data).toMatchObject({ cf_account_id: cfAccount(2), check_error: null });
  answer.release();
  expect((await slow).body.data).toMatchObject({ code: 'account_not_chosen' });
  const { body } = await cdn.call('GET /api/cloudflare_accounts');
  expect(body.data.find((one: { id: number }) => one.id === id)).toMatchObject({ check_error: null });
});

test('an account that is deleted while its new login is tested is not found', async () => {
  const [id] = cdn.accounts;
  cdn.fake.requests.length = 0;
  const answer = hold();
  cdn.fake.faults.push(answer.fault);
  const edit = cdn.call(`POST /api/cloudflare_accounts/${id}`, { cf_account_id: cfAccount(1) });
  await expect.poll(() => cdn.fake.requests.length).toBeGreaterThan(0);
  expect((await cdn.call(`DELETE /api/cloudflare_accounts/${id}`)).status).toBe(200);
  answer.release();
  expect(await edit).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('a new zone is created in the account that was chosen, and in none before the choice', async () => {
  const { state } = cdn.fake;
  state.accounts.push(accountOf(cfAccount(2), 'Second'));
  state.logins[0]!.accounts.push(cfAccount(2));
  const [account] = cdn.accounts;
  const tested = await cdn.call(`POST /api/cloudflare_accounts/${account}/test`, {});
  expect(tested.body.data).toMatchObject({
    ok: false,
    code: 'account_not_chosen',
    accounts: [{ name: 'Account 1' }, { id: cfAccount(2), name: 'Second' }],
  });
  expect(tested.body.data.message).toMatch(/cf_account_id/);
  const refused = await attach(account!, 'new.com');
  expect(await cdn.ended(refused.body.operation.id)).toMatchObject({ state: 'failed', failed: 1 });
  const items = await cdn.call(`GET /api/operations/${refused.body.operation.id}/items`);
  expect(JSON.stringify(items.body)).toContain('cf_account_id');
  expect(asked(/^POST \/zones$/)).toEqual([]);
  const bad = await cdn.call(`POST /api/cloudflare_accounts/${account}`, { cf_account_id: 'second' });
  expect([bad.status, Object.keys(bad.body.fields)]).toEqual([400, ['cf_account_id']]);
  const chosen = await cdn.call(`POST /api/cloudflare_accounts/${account}`, { cf_account_id: cfAccount(2) });
  expect(chosen.body.data).toMatchObject({
    cf_account_id: cfAccount(2),
    check_error: null,
    cf_accounts: [{ id: cfAccount(1) }, { id: cfAccount(2) }],
  });
  const made = await attach(account!, 'new.com');
  expect(await cdn.ended(made.body.operation.id)).toMatchObject({ state: 'succeeded' });
  expect(cdn.zone('new.com').account_id).toBe(cfAccount(2));
  // An account that the login does not see is refused at once.
  const unseen = await cdn.call(`POST /api/cloudflare_accounts/${account}`, { cf_account_id: cfAccount(3) });
  expect(unseen.body.data.check_error).toContain(cfAccount(3));
});

test('a token that may not list its accounts sees those of all its zones: of several none is taken without a choice', async () => {
  cdn.fake.state.accounts.push(accountOf(cfAccount(2), 'Second'));
  for (let n = 0; n < 55; n += 1) cdn.addZone(`a${n}.com`);
  cdn.addZone('zzz.com', [], 2);
  cdn.fake.faults.push({ kind: 'status', status: 403, body: DENIED, call: 'GET /accounts', times: 1_000 });
  const token = await addToken({ permissions: WRITES, accounts: [cfAccount(1), cfAccount(2)] });
  expect(token).toMatchObject({ cf_accounts: [{ id: cfAccount(1) }, { id: cfAccount(2), name: 'Second' }] });
  expect(token.check_error).toContain('cf_account_id');
  const refused = await attach(token.id, 'new.com');
  expect(await cdn.ended(refused.body.operation.id)).toMatchObject({ state: 'failed', failed: 1 });
  expect(asked(/^POST \/zones$/)).toEqual([]);
  const chosen = await cdn.call(`POST /api/cloudflare_accounts/${token.id}`, { cf_account_id: cfAccount(2) });
  expect(chosen.body.data.check_error).toBeNull();
  const made = await attach(token.id, 'new.com');
  expect(await cdn.ended(made.body.operation.id)).toMatchObject({ state: 'succeeded' });
  expect(cdn.zone('new.com').account_id).toBe(cfAccount(2));
});

test('the token of an account needs no choice, however many zones it has', async () => {
  for (let n = 0; n < 55; n += 1) cdn.addZone(`a${n}.com`);
  const token = await addToken({ permissions: WRITES, account_owned: true });
  expect(token.check_error).toBeNull();
  const made = await attach(token.id, 'new.com');
  expect(await cdn.ended(made.body.operation.id)).toMatchObject({ state: 'succeeded' });
  expect(cdn.zone('new.com').account_id).toBe(cfAccount(1));
});

test('a restored redirect is disabled as before, with its reference, description, query setting and position', async () => {
  const zone = cdn.addZone('one.com');
  const id = await cdn.addDomain('one.com');
  const at = '2026-01-01T00:00:00Z';
  const rule = (n: number, more: object = {}) => ({
    id: String(n).repeat(32),
    ref: `hand-${n}`,
    action: 'redirect',
    expression: `(http.request.uri.path eq "/${n}")`,
    description: `rule ${n}`,
    enabled: n !== 2,
    action_parameters: {
      from_value: { status_code: 307, target_url: { value: `https://two.com/${n}` }, preserve_query_string: n !== 2 },
    },
    version: '1',
    last_updated: at,
    ...more,
  });
  const rules = [rule(1), rule(2), rule(3)];
  zone.rulesets.push({
    id: 'e'.repeat(32),
    name: 'default',
    description: '',
    kind: 'zone',
    phase: 'http_request_dynamic_redirect',
    rules: [...rules],
    version: '1',
    last_updated: at,
  });
  const now = () => zone.rulesets[0]!.rules.map(({ id: _id, version: _version, last_updated: _at, ...rest }) => rest);
  const before = structuredClone(now());
  for (const middle of [rules[1]!, rules[0]!]) {
    const listed = (await cdn.call(`GET /api/domain_page_rules/${id}`)).body.data.result;
    const shown = listed.find((one: { actions: { value: { url: string } }[] }) =>
      one.actions[0]!.value.url.endsWith(`/${middle.ref.slice(-1)}`),
    );
    const deleted = await cdn.call(`DELETE /api/domain_page_rules/${id}/${shown.id}`);
    expect(now()).toHaveLength(2);
    const back = await cdn.call(`POST /api/operations/${deleted.body.operation.id}/restore`, {});
    expect(await cdn.ended(back.body.operation.id)).toMatchObject({ state: 'succeeded' });
    expect(now()).toEqual(before);
  }
});
