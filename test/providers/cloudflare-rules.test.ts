import { beforeEach, describe, expect, test } from 'vitest';
import type { Zone } from '../../src/demo/cloudflare/state.ts';
import { ACCOUNT, failure, success, useCloudflare } from './cloudflare-world.ts';

const world = useCloudflare();
let zone: Zone;
beforeEach(() => {
  zone = world.fake.addZone({ name: 'example.com', account_id: ACCOUNT, status: 'active' });
});

const pageRule = {
  targets: [{ target: 'url', constraint: { operator: 'matches', value: '*example.com/*' } }],
  actions: [{ id: 'forwarding_url', value: { url: 'https://new.example/$2', status_code: 301 } }],
};
const redirect = {
  ref: 'example-com',
  description: 'example.com → new.example',
  expression: '(http.host eq "example.com") or (http.host eq "www.example.com")',
  status_code: 301 as const,
  target_url: { expression: 'concat("https://new.example", http.request.uri.path)' },
  preserve_query_string: true,
};

describe('settings', () => {
  test.for([
    ['tls_1_3', 'off'],
    ['security_level', 'under_attack'],
    ['ech', 'off'],
  ] as const)('%s is read and set', async ([id, value]) => {
    expect((await world.api.getSetting(zone.id, id)).value).not.toBe(value);
    expect(await world.api.setSetting(zone.id, id, value)).toMatchObject({ id, value, editable: true });
    expect(await world.api.getSetting(zone.id, id)).toMatchObject({ id, value });
  });

  test('with another id or value than requested are refused', async () => {
    const answer = (id: string, value: string) =>
      world.fake.faults.push({ kind: 'status', status: 200, body: success({ id, value, editable: true }) });
    answer('ssl', 'off');
    expect(await failure(world.api.getSetting(zone.id, 'tls_1_3'))).toMatchObject({ kind: 'malformed' });
    answer('tls_1_3', 'on');
    expect(await failure(world.api.setSetting(zone.id, 'tls_1_3', 'off'))).toMatchObject({ kind: 'malformed' });
  });
});

describe('page rules', () => {
  test('are created active, read, listed and deleted', async () => {
    const rule = await world.api.createPageRule(zone.id, pageRule);
    expect(rule).toMatchObject({ ...pageRule, status: 'active', priority: 1 });
    expect(await world.api.getPageRule(zone.id, rule.id)).toEqual(rule);
    expect(await world.api.listPageRules(zone.id)).toEqual([rule]);
    await world.api.deletePageRule(zone.id, rule.id);
    expect(await world.api.listPageRules(zone.id)).toEqual([]);
  });

  test('are changed in place', async () => {
    const { id } = await world.api.createPageRule(zone.id, pageRule);
    const actions = [{ id: 'forwarding_url', value: { url: 'https://newer.example/$2', status_code: 301 } }];
    const changed = await world.api.updatePageRule(zone.id, id, { ...pageRule, actions });
    expect(changed).toMatchObject({ id, actions, status: 'active' });
    expect(await world.api.listPageRules(zone.id)).toEqual([changed]);
    const gone = world.api.updatePageRule(zone.id, 'd'.repeat(32), pageRule);
    expect(await failure(gone)).toMatchObject({ kind: 'refused', status: 404 });
  });

  test('that are gone count as deleted', async () => {
    await world.api.deletePageRule(zone.id, 'd'.repeat(32));
    expect(world.calls()).toHaveLength(1);
  });

  test('with another id than requested are refused', async () => {
    const rule = await world.api.createPageRule(zone.id, pageRule);
    world.fake.faults.push({ kind: 'status', status: 200, body: success(rule) });
    expect(await failure(world.api.getPageRule(zone.id, 'd'.repeat(32)))).toMatchObject({ kind: 'malformed' });
  });

  test('are sent once', async () => {
    world.fake.faults.push({ kind: 'act-then-drop', call: 'POST /zones/*/pagerules' });
    expect(await failure(world.api.createPageRule(zone.id, pageRule))).toMatchObject({ kind: 'unavailable' });
    expect(zone.page_rules).toHaveLength(1);
    expect(world.calls()).toHaveLength(1);
  });

  test('are refused where the zone accepts none, while a redirect can be created', async () => {
    zone.page_rules_closed = true;
    expect(await failure(world.api.createPageRule(zone.id, pageRule))).toMatchObject({ kind: 'refused', code: 1004 });
    const created = await world.api.createRedirect(zone.id, redirect);
    expect(created).toMatchObject({ ref: redirect.ref, action: 'redirect', enabled: true });
  });
});

describe('page rules of a Cloudflare that lists disabled ones only', () => {
  const strict = useCloudflare({ unfilteredPageRules: 'disabled' });

  test('are listed, active ones too, each once', async () => {
    const { id } = strict.fake.addZone({ name: 'example.com', account_id: ACCOUNT, status: 'active' });
    const active = await strict.api.createPageRule(id, pageRule);
    const disabled = await strict.api.createPageRule(id, { ...pageRule, status: 'disabled' });
    expect(await strict.api.listPageRules(id)).toEqual([active, disabled]);
  });
});

describe('single redirects', () => {
  const { status_code, target_url, preserve_query_string } = redirect;
  const action_parameters = { from_value: { status_code, target_url, preserve_query_string } };

  test('get a new target in place, and keep everything else', async () => {
    const made = await world.api.createRedirect(zone.id, redirect);
    await world.api.updateRedirect(made, zone.id, { value: 'https://newer.example/' });
    const [changed] = await world.api.listRedirects(zone.id);
    expect(changed).toMatchObject({ id: made.id, ref: made.ref, expression: made.expression, enabled: true });
    expect(changed!.action_parameters).toEqual({
      from_value: { status_code: 301, preserve_query_string: true, target_url: { value: 'https://newer.example/' } },
    });
    const gone = world.api.updateRedirect({ ...made, id: 'd'.repeat(32) }, zone.id, {
      value: 'https://newer.example/',
    });
    expect(await failure(gone)).toMatchObject({ kind: 'refused', status: 404 });
  });

  test('are an empty list where there is no ruleset yet', async () => {
    expect(await world.api.listRedirects(zone.id)).toEqual([]);
  });

  test('are created together with their ruleset at first, then in it', async () => {
    const first = await world.api.createRedirect(zone.id, redirect);
    const second = await world.api.createRedirect(zone.id, { ...redirect, ref: 'other' });
    expect(first).toMatchObject({ ref: 'example-com', expression: redirect.expression, action_parameters });
    expect(second.ruleset_id).toBe(first.ruleset_id);
    const rulesets = `/zones/${zone.id}/rulesets`;
    expect(world.calls().filter((call) => call.startsWith('POST'))).toEqual([
      `POST ${rulesets}`,
      `POST ${rulesets}/${first.ruleset_id}/rules`,
    ]);
    const refs = (await world.api.listRedirects(zone.id)).map(({ ref }) => ref);
    expect(refs).toEqual(['example-com', 'other']);
  });

  test('of one name are created once, also if the connection drops after the act', async () => {
    world.fake.faults.push({ kind: 'act-then-drop', call: 'POST /zones/*/rulesets' });
    expect(await failure(world.api.createRedirect(zone.id, redirect))).toMatchObject({ kind: 'unavailable' });
    await world.api.createRedirect(zone.id, redirect);
    await world.api.createRedirect(zone.id, redirect);
    expect(zone.rulesets[0]?.rules).toHaveLength(1);
    expect(world.calls().filter((call) => call.startsWith('POST'))).toHaveLength(1);
  });

  test('can be deleted twice', async () => {
    const { ruleset_id, id } = await world.api.createRedirect(zone.id, redirect);
    await world.api.deleteRedirect(zone.id, ruleset_id, id);
    await world.api.deleteRedirect(zone.id, ruleset_id, id);
    expect(await world.api.listRedirects(zone.id)).toEqual([]);
  });

  test('that are missing after their creation are refused', async () => {
    const ruleset = { id: 'e'.repeat(32), phase: 'http_request_dynamic_redirect', rules: [] };
    world.fake.faults.push({ kind: 'status', status: 200, body: success(ruleset), call: 'POST /zones/*/rulesets' });
    expect(await failure(world.api.createRedirect(zone.id, redirect))).toMatchObject({ kind: 'malformed' });
  });
});

test('a page of status 404 does not tell that a rule is gone, nor that a zone has no redirects', async () => {
  world.fake.faults.push({ kind: 'status', status: 404, body: '<html>404 Not Found</html>', times: 9 });
  const malformed = { kind: 'malformed', status: 404 };
  expect(await failure(world.api.deletePageRule(zone.id, 'd'.repeat(32)))).toMatchObject(malformed);
  expect(await failure(world.api.deleteRedirect(zone.id, 'e'.repeat(32), 'f'.repeat(32)))).toMatchObject(malformed);
  expect(await failure(world.api.readRedirects(zone.id))).toMatchObject(malformed);
});
