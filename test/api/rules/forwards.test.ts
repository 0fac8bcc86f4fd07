// The rules by which attached names redirect, tested through the API against a fake Cloudflare.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SERVER_IP, startCdn, type Cdn } from '../../support/cdn.ts';

let cdn: Cdn;

beforeEach(async () => {
  cdn = await startCdn();
});
afterEach(() => cdn.close());

const attach = (domainName: string, pageRules: string[]) => ({
  accountId: cdn.accounts[0],
  domainName,
  ipAddress: SERVER_IP,
  pageRules,
});

async function attached(domainName: string, pageRules: string[]): Promise<number> {
  const { body } = await cdn.call('POST /api/manage_dns', attach(domainName, pageRules));
  expect(await cdn.ended(body.operation.id)).toMatchObject({ state: 'succeeded' });
  return body.operation.id;
}

const restored = async (id: number) =>
  cdn.ended((await cdn.call(`POST /api/operations/${id}/restore`, {})).body.operation.id);

/** Where the page rules and redirects of a zone send a host; undefined: nowhere. */
function sentTo(zone: string, host: string): string | undefined {
  const { page_rules, rulesets } = cdn.zone(zone);
  for (const { status, targets, actions } of page_rules) {
    const pattern = targets[0]!.constraint.value.replaceAll('.', String.raw`\.`).replaceAll('*', '(.*)');
    const found = new RegExp(`^${pattern}$`).exec(`${host}/shoes`);
    const { url } = actions[0]!.value as { url: string };
    if (found && status === 'active') return url.replace(/\$(\d)/, (_, n: string) => found[Number(n)] ?? '');
  }
  const rules = rulesets.flatMap((ruleset) => ruleset.rules);
  const rule = rules.find(({ enabled, expression }) => enabled && expression.includes(`eq "${host}"`));
  const value = JSON.stringify(rule?.action_parameters ?? null);
  const [, to] = /https:\/\/([\w.-]+)/.exec(value) ?? [];
  return to && `https://${to}/shoes`;
}

const REFUSED = {
  success: false,
  errors: [{ code: 10_000, message: 'Authentication error' }],
  messages: [],
  result: null,
};

/** Lets Cloudflare refuse the redirects of all zones, so that page rules are left. */
const refuseRedirects = (): unknown =>
  cdn.fake.faults.push({ kind: 'status', status: 403, body: REFUSED, call: 'GET /zones/*/rulesets/**', times: 99 });

describe.each(['redirects', 'page rules'])('by %s', (by) => {
  beforeEach(() => {
    if (by === 'page rules') refuseRedirects();
  });

  test.each([
    ['one.com', 'www.one.com'],
    ['one.com', 'shop.one.com'],
    ['a.one.com', 'xa.one.com'],
  ])('%s redirects to %s of its own zone, which is not sent to itself', async (name, main) => {
    cdn.addZone('one.com');
    const id = await attached(main, [name]);
    expect(sentTo('one.com', name)).toBe(`https://${main}/shoes`);
    expect(sentTo('one.com', main)).toBeUndefined();
    const again = await cdn.call('POST /api/manage_dns/plan', attach(main, [name]));
    expect(again.body.data).toMatchObject({ acts: [], unchanged: 1 });
    expect(await restored(id)).toMatchObject({ state: 'succeeded' });
    expect(sentTo('one.com', name)).toBeUndefined();
  });

  test('a name whose zone has another domain of the portfolio below it redirects without that one', async () => {
    cdn.addZone('one.com', ['A @ 198.51.100.1', 'A shop 198.51.100.2']);
    await cdn.addDomain('shop.one.com');
    await attached('main.com', ['one.com']);
    expect(sentTo('one.com', 'one.com')).toBe('https://main.com/shoes');
    expect(sentTo('one.com', 'shop.one.com')).toBeUndefined();
    expect(sentTo('one.com', 'www.one.com')).toBe(by === 'redirects' ? 'https://main.com/shoes' : undefined);
  });

  test('a name below the zone redirects without another one that ends as it does', async () => {
    cdn.addZone('one.com', ['A m 198.51.100.1', 'A forum 198.51.100.2']);
    await attached('main.com', ['m.one.com']);
    expect(sentTo('one.com', 'm.one.com')).toBe('https://main.com/shoes');
    expect(sentTo('one.com', 'forum.one.com')).toBeUndefined();
  });
});

test('a restore takes away the rule that was made, and leaves one that was disabled before', async () => {
  const zone = cdn.addZone('one.com');
  const older = {
    id: 'b'.repeat(32),
    targets: [{ target: 'url' as const, constraint: { operator: 'matches' as const, value: '*one.com/*' } }],
    actions: [{ id: 'forwarding_url', value: { url: 'https://main.com/$2', status_code: 301 } }],
    priority: 1,
    status: 'disabled' as const,
    created_on: '2026-01-01T00:00:00Z',
    modified_on: '2026-01-01T00:00:00Z',
  };
  zone.page_rules.push(structuredClone(older));
  zone.page_rules_closed = true;
  const id = await attached('main.com', ['one.com']);
  expect(sentTo('one.com', 'one.com')).toBe('https://main.com/shoes');
  expect(await restored(id)).toMatchObject({ state: 'succeeded' });
  expect(sentTo('one.com', 'one.com')).toBeUndefined();
  expect(zone.page_rules).toEqual([older]);
});
