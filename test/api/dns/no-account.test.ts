// A token that an account owns sees no account before it has a zone: its test says what is to be entered.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cfAccount } from '../../support/cloudflare-state.ts';
import { pointingAt, startCdn, type Cdn } from '../../support/cdn.ts';

const TOKEN = 't'.repeat(40);
let cdn: Cdn;
beforeEach(async () => {
  cdn = await startCdn();
  cdn.fake.state.logins.push({
    email: 'ops1@example.net',
    token: TOKEN,
    accounts: [cfAccount(1)],
    account_owned: true,
    permissions: ['zone:edit', 'dns:edit', 'settings:edit', 'redirects:edit'],
  });
});
afterEach(() => cdn.close());

const login = { name: 'Token', email: '', api_key: TOKEN };
const NONE = { ok: false, code: 'account_not_chosen', accounts: [], zones: 0, missing: [] };

test('the test of an account-owned token without zones asks for the account of new zones', async () => {
  const { data } = (await cdn.call('POST /api/cloudflare_accounts/test', login)).body;
  expect(data).toMatchObject(NONE);
  expect(data.message).toContain('cf_account_id');
  const account = (await cdn.call('POST /api/cloudflare_accounts', login)).body.data;
  expect(account.check_error).toContain('cf_account_id');

  const chosen = { ...login, api_key: '********', cf_account_id: cfAccount(1) };
  const saved = await cdn.call(`POST /api/cloudflare_accounts/${account.id}`, chosen);
  expect(saved.body.data.check_error).toBeNull();
  const tested = (await cdn.call(`POST /api/cloudflare_accounts/${account.id}/test`, {})).body.data;
  expect(tested).toMatchObject({ ok: true, code: null });
  await cdn.addDomain('new.com', { cloudflare_account_id: account.id });
  const { body } = await cdn.call('POST /api/manage_dns', pointingAt(cdn, 'new.com', { accountId: account.id }));
  expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'succeeded' });
});

test('the test of one that has a zone takes the account of that', async () => {
  cdn.addZone('one.com');
  const { data } = (await cdn.call('POST /api/cloudflare_accounts/test', login)).body;
  expect(data).toMatchObject({ ok: true, code: null, accounts: [{ id: cfAccount(1) }] });
});
