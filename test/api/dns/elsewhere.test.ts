// A change of DNS in another account than the one that the portfolio has the domain in.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pointingAt, startCdn, type Cdn } from '../../support/cdn.ts';
import { createPerson, request } from '../../support/server.ts';

let cdn: Cdn;
beforeAll(async () => {
  cdn = await startCdn({}, 2);
});
afterAll(() => cdn.close());

const planFor = async (domain: string, account: number, token?: string) => {
  const body = pointingAt(cdn, domain, { accountId: cdn.accounts[account] });
  const answer = await (token === undefined
    ? cdn.call('POST /api/manage_dns/plan', body)
    : request(cdn.server, 'POST /api/manage_dns/plan', { token, body }));
  return { body, plan: answer.body.data };
};
const notesIn = ({ acts }: { acts: { act: string; before: unknown }[] }) =>
  acts.filter(({ act }) => act === 'zone_elsewhere').map(({ before }) => before);

test('its plan names the account that has the zone, and is carried out as it was shown', async () => {
  cdn.addZone('moves.com', ['A @ 198.51.100.1', 'TXT @ "kept"']);
  await cdn.addDomain('moves.com');
  expect(notesIn((await planFor('moves.com', 0)).plan)).toEqual([]);
  const { body, plan } = await planFor('moves.com', 1);
  expect(notesIn(plan)).toEqual([{ domain: 'moves.com', account: expect.any(String) }]);
  const { body: started } = await cdn.call('POST /api/manage_dns', { ...body, plan: plan.hash });
  await cdn.ended(started.operation.id);
  expect(Object.values(cdn.fake.state.zones).filter(({ name }) => name === 'moves.com')).toHaveLength(2);
  // The row has the other account now.
  expect(notesIn((await planFor('moves.com', 1)).plan)).toEqual([]);
});

test('a domain without an account, and one that is in no portfolio, need no such word', async () => {
  await cdn.addDomain('bare.com', { cloudflare_account_id: null });
  expect(notesIn((await planFor('bare.com', 1)).plan)).toEqual([]);
  expect(notesIn((await planFor('nobodys.com', 1)).plan)).toEqual([]);
});

test('a deleted domain has no account, for another user neither', async () => {
  const gone = await cdn.addDomain('gone.com');
  expect(notesIn((await planFor('gone.com', 1)).plan)).toHaveLength(1);
  await cdn.call(`DELETE /api/domains/${gone}`);
  const { token } = await createPerson(cdn.server);
  expect(notesIn((await planFor('gone.com', 1)).plan)).toEqual([]);
  expect(notesIn((await planFor('gone.com', 1, token)).plan)).toEqual([]);
});
