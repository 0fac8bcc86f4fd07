// A name that is attached to a main domain, and is in nobody's portfolio, belongs to the user of that main domain.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { select } from '../../../db/index.ts';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import { pointingAt, startCdn, type Cdn } from '../../support/cdn.ts';
import { createPerson, request, type Answer, type Person } from '../../support/server.ts';

let cdn: Cdn;
let owner: Person;
let other: Person;

beforeEach(async () => {
  cdn = await startCdn();
  [owner, other] = [await createPerson(cdn.server), await createPerson(cdn.server)];
});
afterEach(() => cdn.close());

const as = ({ token }: Person, name: string, body?: unknown): Promise<Answer> =>
  request(cdn.server, name, { token, ...(body !== undefined && { body }) });
const pointing = (domainName: string, more: object = {}) => pointingAt(cdn, domainName, more);
const addName = async (person: Person, domain_name: string): Promise<number> =>
  (await as(person, 'POST /api/domains', { domain_name, cloudflare_account_id: cdn.accounts[0] })).body.data.id;
const attached = () => select('SELECT domain_name, forward_to FROM attachments ORDER BY domain_name');

/** Attaches `old.com` to `main.com` in the name of a person. */
async function attach(person: Person): Promise<void> {
  const { status, body } = await as(person, 'POST /api/manage_dns', pointing('main.com', { pageRules: ['old.com'] }));
  expect(status).toBe(200);
  expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'succeeded' });
}
const rulesOf = async (person: Person, id: number) => (await as(person, `GET /api/domain_page_rules/${id}`)).body.data;

test('an attached name is neither pointed, attached, shown nor deleted by another user, who may have it in the portfolio', async () => {
  await addName(owner, 'main.com');
  await attach(owner);
  const before = structuredClone(cdn.zone('old.com'));
  for (const call of ['POST /api/manage_dns', 'POST /api/manage_dns/plan']) {
    for (const body of [
      pointing('old.com'),
      pointing('shop.old.com'),
      pointing('free.com', { pageRules: ['old.com'] }),
    ]) {
      const field = 'pageRules' in body ? 'pageRules' : 'domainName';
      expect(await as(other, call, body)).toMatchObject({ status: 422, body: { error: `Unknown ${field}` } });
    }
  }
  const id = await addName(other, 'old.com');
  const rule = before.page_rules[0]?.id;
  for (const call of [`GET /api/domain_page_rules/${id}`, `DELETE /api/domain_page_rules/${id}/${rule}`])
    expect((await as(other, call)).status).toBe(404);
  expect((await as(other, `POST /api/domain_dns/${id}`, { dns: [], override: true })).status).toBe(404);
  expect(cdn.zone('old.com')).toEqual(before);
  // An admin may end that.
  expect((await as(cdn.server.admin, `DELETE /api/domain_page_rules/${id}/${rule}`)).status).toBe(200);
  expect((await rulesOf(other, id)).result).toEqual([]);
});

test('the rules of a main domain tell which names are attached to it, in the portfolio or not', async () => {
  const id = await addName(owner, 'main.com');
  const kept = await addName(owner, 'kept.com');
  await attach(owner);
  const body = pointing('main.com', { pageRules: ['kept.com'] });
  await cdn.ended((await as(owner, 'POST /api/manage_dns', body)).body.operation.id);
  cdn.addZone('main.com');
  expect(await rulesOf(owner, id)).toEqual({ result: [], attached: ['kept.com', 'old.com'] });
  expect((await rulesOf(owner, kept)).attached).toEqual([]);
});

test('who had the name before an admin attached it to the main domain of another user keeps it', async () => {
  const id = await addName(other, 'old.com');
  await addName(owner, 'main.com');
  await attach(cdn.server.admin);
  expect((await rulesOf(other, id)).result).toHaveLength(1);
  expect((await as(owner, 'POST /api/manage_dns', pointing('main.com', { pageRules: ['old.com'] }))).status).toBe(422);
});

test('the name is free again once its rule is deleted, and belongs to its holder again once that is restored', async () => {
  await addName(owner, 'main.com');
  await attach(owner);
  const id = await addName(owner, 'old.com');
  const [rule] = (await rulesOf(owner, id)).result;
  const deleted = await as(owner, `DELETE /api/domain_page_rules/${id}/${rule.id}`);
  expect([deleted.status, await attached()]).toEqual([200, []]);
  const restored = await as(owner, `POST /api/operations/${deleted.body.operation.id}/restore`, {});
  expect(await cdn.ended(restored.body.operation.id)).toMatchObject({ state: 'succeeded' });
  expect(await attached()).toEqual([{ domain_name: 'old.com', forward_to: 'main.com' }]);
});

test('the name is free once both of two rules that forward it were deleted at once', async () => {
  await addName(owner, 'main.com');
  await attach(owner);
  const id = await addName(owner, 'old.com');
  const zone = cdn.zone('old.com');
  zone.page_rules.push({ ...structuredClone(zone.page_rules[0]!), id: 'f'.repeat(32) });
  const [first, second] = (await rulesOf(owner, id)).result;
  const deletion = (rule: { id: string }) => as(owner, `DELETE /api/domain_page_rules/${id}/${rule.id}`);
  const { fault, release } = hold();
  cdn.fake.faults.push({ ...fault, call: 'GET /zones/*/pagerules' });
  const late = deletion(first);
  await vi.waitFor(() => expect(cdn.fake.faults).toEqual([]), { timeout: 20_000 });
  expect([(await deletion(second)).status, await attached()]).toEqual([200, [expect.anything()]]);
  release();
  expect([(await late).status, await attached(), zone.page_rules]).toEqual([200, [], []]);
});

test('the name is free once its main domain is in nobody’s portfolio', async () => {
  const main = await addName(owner, 'main.com');
  await attach(owner);
  expect((await as(other, 'POST /api/manage_dns/plan', pointing('old.com'))).status).toBe(422);
  expect((await as(owner, `DELETE /api/domains/${main}`)).status).toBe(200);
  expect((await as(other, 'POST /api/manage_dns/plan', pointing('old.com'))).status).toBe(200);
});
