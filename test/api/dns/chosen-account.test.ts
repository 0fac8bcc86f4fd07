// The zone of a domain in another account than its own, as the form of a DNS change shows it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCdn, type Cdn } from '../../support/cdn.ts';
import { createPerson, request } from '../../support/server.ts';

let cdn: Cdn;
let id: number;
beforeAll(async () => {
  cdn = await startCdn({}, 2);
  id = await cdn.addDomain('one.com', { cloudflare_account_id: null });
  cdn.addZone('one.com', ['A @ 198.51.100.1'], 2);
});
afterAll(() => cdn.close());

test('is read in the account that is asked for; without one the domain has none to ask', async () => {
  const [first, second] = cdn.accounts;
  expect(await cdn.call(`GET /api/domain_dns/${id}`)).toMatchObject({ status: 409 });
  const there = await cdn.call(`GET /api/domain_dns/${id}?account_id=${second}`);
  expect(there).toMatchObject({ status: 200, body: { dns: [{ content: '198.51.100.1' }], zone: { name: 'one.com' } } });
  expect(await cdn.call(`GET /api/domain_dns/${id}?account_id=${first}`)).toMatchObject({ status: 422 });
});

test('is not there for who does not have the domain, nor in an account that is not there', async () => {
  const { token } = await createPerson(cdn.server);
  const path = `GET /api/domain_dns/${id}?account_id=${cdn.accounts[1]}`;
  expect(await request(cdn.server, path, { token })).toMatchObject({ status: 404 });
  expect(await cdn.call(`GET /api/domain_dns/${id}?account_id=999999`)).toMatchObject({ status: 404 });
  expect(await cdn.call(`GET /api/domain_dns/${id}?account_id=some`)).toMatchObject({ status: 400 });
});
