// Redirects of several zones that would lead back to where they begin are refused by the plan that would close the circle.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SERVER_IP, startCdn, type Cdn } from '../../support/cdn.ts';

let cdn: Cdn;
beforeEach(async () => {
  cdn = await startCdn();
});
afterEach(() => cdn.close());

const attach = (names: string[], to: string) => ({
  accountId: cdn.accounts[0],
  domainName: to,
  ipAddress: SERVER_IP,
  pageRules: names,
});
const planOf = async (names: string[], to: string) =>
  (await cdn.call('POST /api/manage_dns/plan', attach(names, to))).body.data;

/** Attaches names to a domain, and waits for the end. */
async function attached(names: string[], to: string): Promise<string> {
  const { body } = await cdn.call('POST /api/manage_dns', attach(names, to));
  return (await cdn.ended(body.operation.id)).state;
}

test('a domain is not attached to one that leads back to it, through however many zones', async () => {
  expect([await attached(['b.com'], 'c.com'), await attached(['a.com'], 'b.com')]).toEqual(['succeeded', 'succeeded']);
  const { failed, acts } = await planOf(['c.com', 'free.com'], 'a.com');
  expect(failed).toEqual([
    { item: 'dns c.com', error: expect.stringContaining('c.com → a.com → b.com → c.com') as string },
  ]);
  expect(acts.map(({ item }: { item: string }) => item)).toContain('dns free.com');
  expect(await attached(['c.com'], 'a.com')).toBe('failed');
  // A longer chain that leads nowhere back is as it was.
  expect((await planOf(['d.com'], 'a.com')).failed).toEqual([]);
});

test('a redirect that somebody has removed since closes no circle', async () => {
  await attached(['a.com'], 'b.com');
  expect((await planOf(['b.com'], 'a.com')).failed).toHaveLength(1);
  cdn.zone('a.com').page_rules = [];
  expect((await planOf(['b.com'], 'a.com')).failed).toEqual([]);
  expect(await attached(['b.com'], 'a.com')).toBe('succeeded');
});
