// Page rules and redirects at Cloudflare in small.
import { describe, expect, test } from 'vitest';
import { ask, at, start, useCloudflare, zone } from './world.ts';

useCloudflare();

describe('page rules', () => {
  const rule = (url: string, extra: object = {}) => ({
    targets: [{ target: 'url', constraint: { operator: 'matches', value: '*example.com/*' } }],
    actions: [{ id: 'forwarding_url', value: { url, status_code: 301 } }],
    status: 'active',
    ...extra,
  });
  const create = (body: object) => ask(`POST ${at('/pagerules')}`, body);

  test('are made, listed, changed and deleted, three at most', async () => {
    const { result } = await create(rule('https://new.example/$2'));
    await create({ ...rule('https://new.example/'), status: undefined });
    await create({ ...rule(''), actions: [{ id: 'security_level', value: 'under_attack' }] });
    expect((await create(rule('https://new.example/'))).code).toBe(1004);
    expect((await ask(`GET ${at('/pagerules')}`)).result).toHaveLength(3);
    expect((await ask(`GET ${at('/pagerules?status=active')}`)).result).toHaveLength(2);
    const one = at(`/pagerules/${result.id}`);
    expect((await ask(`PATCH ${one}`, { status: 'disabled' })).result).toMatchObject({
      ...rule('https://new.example/$2'),
      status: 'disabled',
    });
    expect((await ask(`PUT ${one}`, rule('https://other.example/'))).result).toMatchObject({ status: 'active' });
    expect((await ask(`GET ${one}`)).result.id).toBe(result.id);
    expect((await ask(`DELETE ${one}`)).result).toEqual({ id: result.id });
    expect((await ask(`DELETE ${one}`)).status).toBe(404);
  });

  test('with unsupported actions and targets are refused', async () => {
    const both = [{ id: 'ssl', value: 'full' }, ...rule('https://new.example/').actions];
    expect((await create({ ...rule(''), actions: both })).code).toBe(1004);
    expect((await create(rule('https://new.example/$3'))).code).toBe(1004);
    expect((await create({ ...rule('https://x/'), targets: [] })).code).toBe(1004);
  });

  test('cannot be added to some zones', async () => {
    zone.page_rules_closed = true;
    expect(await create(rule('https://new.example/'))).toMatchObject({ status: 400, code: 1004 });
  });

  test('can be listed as disabled ones only where no status is given', async () => {
    await start({ unfilteredPageRules: 'disabled' });
    await create(rule('https://new.example/'));
    expect((await ask(`GET ${at('/pagerules')}`)).result).toEqual([]);
    expect((await ask(`GET ${at('/pagerules?status=active')}`)).result).toHaveLength(1);
  });
});

describe('redirects', () => {
  const ENTRYPOINT = '/rulesets/phases/http_request_dynamic_redirect/entrypoint';
  const redirect = (ref: string, extra: object = {}) => ({
    ref,
    expression: `(http.host eq "${ref}.example")`,
    action: 'redirect',
    action_parameters: { from_value: { status_code: 301, target_url: { value: 'https://new.example/' } } },
    ...extra,
  });
  const creation = (rules: object[]) => ({
    name: 'default',
    kind: 'zone',
    phase: 'http_request_dynamic_redirect',
    rules,
  });

  test('have an entry point that is created once; rules can be added and deleted', async () => {
    expect(await ask(`GET ${at(ENTRYPOINT)}`)).toMatchObject({ status: 404, code: 10_003 });
    const made = (await ask(`POST ${at('/rulesets')}`, creation([redirect('a')]))).result;
    expect((await ask(`POST ${at('/rulesets')}`, creation([]))).code).toBe(20_217);
    const added = (await ask(`POST ${at(`/rulesets/${made.id}/rules`)}`, redirect('b'))).result;
    expect(added.rules.map(({ ref }: { ref: string }) => ref)).toEqual(['a', 'b']);
    expect((await ask(`POST ${at(`/rulesets/${made.id}/rules`)}`, redirect('b'))).code).toBe(20_120);
    const first = at(`/rulesets/${made.id}/rules/${added.rules[0].id}`);
    const patched = (await ask(`PATCH ${first}`, { enabled: false })).result;
    expect(patched.rules[0]).toMatchObject({ ref: 'a', enabled: false, id: added.rules[0].id, version: '2' });
    expect((await ask(`DELETE ${first}`)).result.rules).toHaveLength(1);
    expect((await ask(`DELETE ${first}`)).code).toBe(10_004);
    expect((await ask(`GET ${at(ENTRYPOINT)}`)).result.rules).toMatchObject([{ ref: 'b' }]);
    expect((await ask(`GET ${at('/rulesets')}`)).result).toHaveLength(1);
    expect((await ask(`DELETE ${at(`/rulesets/${made.id}`)}`)).status).toBe(204);
  });

  test('are dropped by a PUT that does not list them, and keep their identity by ref', async () => {
    const before = (await ask(`PUT ${at(ENTRYPOINT)}`, { rules: [redirect('a'), redirect('b')] })).result;
    const after = (await ask(`PUT ${at(ENTRYPOINT)}`, { rules: [redirect('b')] })).result;
    expect(after.rules).toMatchObject([{ id: before.rules[1].id, ref: 'b' }]);
  });

  test('that are broken or too many are refused', async () => {
    expect((await ask(`PUT ${at(ENTRYPOINT)}`, { rules: [redirect('a', { action_parameters: {} })] })).code).toBe(
      20_000,
    );
    const rules = Array.from({ length: 11 }, (_, i) => redirect(`r${i}`));
    expect((await ask(`PUT ${at(ENTRYPOINT)}`, { rules })).code).toBe(20_217);
  });
});
