import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startCloudflare, type CloudflareFake, type CloudflareOptions } from '../../src/demo/cloudflare.ts';
import { emptyState, type CloudflareState, type Login, type Zone } from '../../src/demo/cloudflare/state.ts';
import { faultOfAnswer } from './cloudflare-answers.ts';

const A = 'a'.repeat(32);
const B = 'b'.repeat(32);
const KEY = '0123456789abcdef0123456789abcdef01234';
const PAIR = { 'X-Auth-Email': 'ops@example.net', 'X-Auth-Key': KEY };
const TOKEN = 't'.repeat(40);

const account = (id: string, first: string) => ({
  id,
  name: `Account ${first}`,
  type: 'standard' as const,
  created_on: '2024-03-01T12:21:02Z',
  name_servers: [`${first}.ns.cloudflare.com`, 'bob.ns.cloudflare.com'] as [string, string],
  pending_cap: 50,
});

const world = (): CloudflareState => ({
  ...emptyState(),
  logins: [
    { email: 'ops@example.net', api_key: KEY, accounts: [A] },
    { email: 'ops@example.net', token: TOKEN, permissions: ['zone:read', 'dns:edit'], accounts: [A] },
    { email: 'two@example.net', api_key: KEY.replace('0', 'f'), accounts: [A, B] },
  ],
  accounts: [account(A, 'ada'), account(B, 'eve')],
});

interface Got {
  status: number;
  headers: Headers;
  code: number | undefined;
  chain: number | undefined;
  result: any; // oxlint-disable-line typescript/no-explicit-any -- an answer of any call
  info: Record<string, number>;
}

let cloudflare: CloudflareFake;
let zone: Zone;

async function start(options: CloudflareOptions = {}): Promise<void> {
  await cloudflare?.close();
  cloudflare = await startCloudflare({ state: world(), ...options });
  zone = cloudflare.addZone({ name: 'example.com', account_id: A, status: 'active' });
}

/** Makes a call and checks every JSON answer against Cloudflare's description. */
async function ask(call: string, body?: unknown, headers: Record<string, string> = PAIR): Promise<Got> {
  const [method = '', path = ''] = call.split(' ');
  const response = await fetch(cloudflare.url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = text === '' ? {} : JSON.parse(text);
  expect(faultOfAnswer(method, path.replace(/\?.*/, ''), response.status, answer)).toBe('');
  const [error] = answer.errors ?? [];
  return {
    status: response.status,
    headers: response.headers,
    code: error?.code,
    chain: error?.error_chain?.[0]?.code,
    result: answer.result,
    info: answer.result_info,
  };
}

const at = (path: string): string => `/zones/${zone.id}${path}`;
const record = (body: object) => ask(`POST ${at('/dns_records')}`, body);

beforeEach(() => start());
afterEach(() => cloudflare.close());

describe('a login', () => {
  const cases: [string, Record<string, string>, number, number, number?][] = [
    ['nobody', {}, 400, 9106],
    ['an address that is none', { ...PAIR, 'X-Auth-Email': 'ops' }, 400, 6003, 6102],
    ['a token in the place of the key', { ...PAIR, 'X-Auth-Key': TOKEN }, 400, 6003, 6103],
    ['an unknown key', { ...PAIR, 'X-Auth-Key': KEY.replace('0', '1') }, 403, 9103],
    ['no token at all', { Authorization: 'Bearer short' }, 400, 6003, 6111],
    ['an unknown token', { Authorization: `Bearer ${'u'.repeat(40)}` }, 403, 9109],
    ['both', { ...PAIR, Authorization: `Bearer ${TOKEN}` }, 400, 6003, 6111],
  ];
  test.each(cases)('is refused: %s', async (_, headers, status, code, chain) => {
    expect(await ask('GET /zones', undefined, headers)).toMatchObject({ status, code, chain });
  });

  test('with a key sees its user, accounts and memberships', async () => {
    expect((await ask('GET /user')).result).toMatchObject({ email: 'ops@example.net', suspended: false });
    expect((await ask('GET /accounts')).result).toMatchObject([{ id: A, type: 'standard' }]);
    expect((await ask('GET /memberships')).result).toMatchObject([{ status: 'accepted', account: { id: A } }]);
    expect(await ask('GET /user/tokens/verify')).toMatchObject({ status: 401, code: 1000 });
  });

  test('with a token is verified, and has the listed permissions', async () => {
    const token = { Authorization: `Bearer ${TOKEN}` };
    expect((await ask('GET /user/tokens/verify', undefined, token)).result).toMatchObject({ status: 'active' });
    expect((await ask(`GET ${at('')}`, undefined, token)).status).toBe(200);
    expect((await ask(`GET ${at('/dns_records')}`, undefined, token)).status).toBe(200);
    expect(await ask(`GET ${at('/settings')}`, undefined, token)).toMatchObject({ status: 403, code: 10_000 });
    expect(await ask('GET /user', undefined, token)).toMatchObject({ status: 403, code: 9109 });
  });

  test('cannot reach a zone of another account', async () => {
    const other = cloudflare.addZone({ name: 'other.example', account_id: B });
    expect(await ask(`GET /zones/${other.id}`)).toMatchObject({ status: 403, code: 9109 });
    expect((await ask('GET /zones')).info).toMatchObject({ total_count: 1 });
    expect(await ask(`GET /zones/${'0'.repeat(32)}`)).toMatchObject({ status: 404, code: 1001 });
    expect(await ask('GET /zones/nonsense')).toMatchObject({ status: 400, code: 7003 });
  });
});

describe('zones', () => {
  const create = (name: string, id = A) => ask('POST /zones', { name, account: { id } });

  test('are created, wait for their name servers, and become active', async () => {
    const { result } = await create('xn--e1afmkfd.xn--p1ai');
    expect(result).toMatchObject({
      status: 'pending',
      name_servers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
    });
    const check = `PUT /zones/${result.id}/activation_check`;
    await ask(check);
    expect((await ask(`GET /zones/${result.id}`)).result.status).toBe('pending');
    expect(await ask(check)).toMatchObject({ status: 400, code: 1224 });
  });

  test('become active by name servers at the registry', async () => {
    await start({ activationSeconds: 0 });
    const { result } = await create('new.example');
    cloudflare.state.delegations['new.example'] = ['bob.ns.cloudflare.com', 'ada.ns.cloudflare.com'];
    await ask(`PUT /zones/${result.id}/activation_check`);
    const now = (await ask(`GET /zones/${result.id}`)).result;
    expect(now.status).toBe('active');
    expect(now.activated_on).not.toBeNull();
  });

  test('that may not be added are refused with their code', async () => {
    cloudflare.state.unregistered.push('fresh.ru');
    cloudflare.state.banned.push('banned.ru');
    expect((await create('example.com')).code).toBe(1061);
    expect((await create('fresh.ru')).code).toBe(1049);
    expect((await create('banned.ru')).code).toBe(1097);
    expect((await create('www.shop.co.uk')).code).toBe(1099);
    expect((await create('co.uk')).code).toBe(1099);
    expect((await create('Пример.рф')).code).toBe(1001);
    expect(await create('fine.ru', B)).toMatchObject({ status: 403, code: 0 });
  });

  test('are refused while too many wait; another account may add the name', async () => {
    const [first] = cloudflare.state.accounts;
    Object.assign(first ?? {}, { pending_cap: 1 });
    expect((await create('one.ru')).status).toBe(200);
    expect((await create('two.ru')).code).toBe(1118);
    const two = { 'X-Auth-Email': 'two@example.net', 'X-Auth-Key': KEY.replace('0', 'f') };
    const made = await ask('POST /zones', { name: 'example.com', account: { id: B } }, two);
    expect(made.result.name_servers).toContain('eve.ns.cloudflare.com');
    expect((await ask('GET /zones?name=example.com', undefined, two)).info).toMatchObject({ total_count: 2 });
  });

  test('are listed by pages, filtered and sorted', async () => {
    for (let i = 0; i < 120; i += 1) cloudflare.addZone({ name: `site-${i}.ru`, account_id: A });
    expect((await ask('GET /zones?per_page=50&page=3')).info).toEqual({
      page: 3,
      per_page: 50,
      count: 21,
      total_count: 121,
      total_pages: 3,
    });
    expect((await ask('GET /zones?per_page=51')).status).toBe(400);
    expect((await ask('GET /zones?page=9')).result).toEqual([]);
    expect((await ask('GET /zones?name=site-7.ru')).result).toMatchObject([{ name: 'site-7.ru' }]);
    expect((await ask('GET /zones?name=contains:te-11')).info).toMatchObject({ total_count: 11 });
    expect((await ask('GET /zones?status=active')).info).toMatchObject({ total_count: 1 });
    expect((await ask('GET /zones?direction=desc&per_page=5')).result[0].name).toBe('site-99.ru');
  });

  test('are found by name and by page among ten thousand', async () => {
    for (let i = 0; i < 10_000; i += 1) cloudflare.addZone({ name: `many-${i}.ru`, account_id: A });
    expect((await ask('GET /zones?per_page=50&page=200')).result).toHaveLength(50);
    expect((await ask('GET /zones?per_page=50&page=201')).result).toMatchObject([{ name: 'many-9999.ru' }]);
    expect((await ask('GET /zones?name=many-7777.ru')).result).toHaveLength(1);
    expect((await create('many-7777.ru')).code).toBe(1061);
  });

  test('are paused, purged and deleted', async () => {
    expect((await ask(`PATCH ${at('')}`, { paused: true })).result.paused).toBe(true);
    expect((await ask(`POST ${at('/purge_cache')}`, { purge_everything: true })).result.id).toBe(zone.id);
    expect((await ask(`POST ${at('/purge_cache')}`, {})).code).toBe(1012);
    expect((await ask(`DELETE ${at('')}`)).result.id).toBe(zone.id);
    expect((await ask('GET /zones?name=example.com')).result).toEqual([]);
  });
});

describe('DNS records', () => {
  test('of every type are stored in the spelling of the API', async () => {
    const made = await Promise.all([
      record({ type: 'A', name: '@', content: '198.51.100.4', proxied: true, ttl: 300 }),
      record({ type: 'AAAA', name: 'WWW', content: '2001:db8::1' }),
      record({ type: 'CNAME', name: '*.example.com', content: 'Target.Example.' }),
      record({ type: 'TXT', name: 'example.com', content: 'v=spf1 -all' }),
      record({ type: 'MX', name: 'example.com', content: 'mx.example.com', priority: 10 }),
      record({
        type: 'URI',
        name: '_http._tcp',
        priority: 10,
        data: { weight: 1, target: 'https://www.example.com/' },
      }),
      record({ type: 'CAA', name: '@', data: { flags: 0, tag: 'issue', value: 'letsencrypt.org' } }),
      record({
        type: 'SRV',
        name: '_sip._tcp',
        data: { priority: 5, weight: 1, port: 5060, target: 'sip.example.com' },
      }),
    ]);
    expect(made.map(({ result }) => [result.name, result.content, result.proxied, result.ttl])).toEqual([
      ['example.com', '198.51.100.4', true, 1],
      ['www.example.com', '2001:db8::1', false, 1],
      ['*.example.com', 'target.example', false, 1],
      ['example.com', '"v=spf1 -all"', false, 1],
      ['example.com', 'mx.example.com', false, 1],
      ['_http._tcp.example.com', '1 "https://www.example.com/"', false, 1],
      ['example.com', '0 issue "letsencrypt.org"', false, 1],
      ['_sip._tcp.example.com', '1 5060 sip.example.com', false, 1],
    ]);
    expect((await ask(`GET ${at('/dns_records?type=MX')}`)).result).toMatchObject([{ priority: 10 }]);
    expect((await ask(`GET ${at('/dns_records?per_page=3&page=2')}`)).info).toMatchObject({ count: 3, total_count: 8 });
  });

  const broken: [string, object, number][] = [
    ['an address that is none', { type: 'A', name: '@', content: '300.1.1.1' }, 9005],
    ['an IPv4 address as AAAA', { type: 'AAAA', name: '@', content: '198.51.100.4' }, 9006],
    ['a target that is none', { type: 'CNAME', name: 'www', content: 'no target' }, 9007],
    ['a name that is none', { type: 'A', name: 'a b', content: '198.51.100.4' }, 9000],
    ['a proxied TXT', { type: 'TXT', name: '@', content: 'x', proxied: true }, 9004],
    ['a short TTL', { type: 'A', name: '@', content: '198.51.100.4', ttl: 30 }, 9021],
    ['a URI by its content', { type: 'URI', name: '@', content: '10 1 "https://x/"', priority: 10 }, 9101],
    ['an MX without priority', { type: 'MX', name: '@', content: 'mx.example.com' }, 9102],
    ['an unknown type', { type: 'NONE', name: '@', content: 'x' }, 9002],
  ];
  test.each(broken)('%s is refused', async (_, body, chain) => {
    expect(await record(body)).toMatchObject({ status: 400, code: 1004, chain });
  });

  test('conflict with an equal record, and as a CNAME with an address', async () => {
    const a = { type: 'A', name: 'www', content: '198.51.100.4' };
    const { result } = await record(a);
    expect((await record(a)).code).toBe(81_058);
    expect((await record({ ...a, proxied: true })).code).toBe(81_057);
    expect((await record({ type: 'CNAME', name: 'www', content: 'x.example' })).code).toBe(81_053);
    await record({ type: 'CNAME', name: 'shop', content: 'x.example' });
    expect((await record({ ...a, name: 'shop' })).code).toBe(81_054);
    expect((await ask(`PATCH ${at(`/dns_records/${result.id}`)}`, { proxied: true })).result.proxied).toBe(true);
    const put = await ask(`PUT ${at(`/dns_records/${result.id}`)}`, { ...a, content: '198.51.100.5' });
    expect(put.result).toMatchObject({ content: '198.51.100.5', proxied: false });
    expect((await ask(`DELETE ${at(`/dns_records/${result.id}`)}`)).result).toEqual({ id: result.id });
    expect(await ask(`DELETE ${at(`/dns_records/${result.id}`)}`)).toMatchObject({ status: 404, code: 81_044 });
  });

  test('are all changed by a batch, or none', async () => {
    const one = (await record({ type: 'A', name: 'one', content: '198.51.100.1' })).result;
    const two = (await record({ type: 'A', name: 'two', content: '198.51.100.2' })).result;
    const broken = { deletes: [{ id: one.id }], posts: [{ type: 'A', name: 'x', content: 'bad' }] };
    expect((await ask(`POST ${at('/dns_records/batch')}`, broken)).code).toBe(1004);
    expect((await ask(`GET ${at('/dns_records')}`)).result).toHaveLength(2);
    const good = {
      deletes: [{ id: one.id }],
      patches: [{ id: two.id, proxied: true }],
      posts: [{ type: 'CNAME', name: 'one', content: 'x.example' }],
    };
    const { result } = await ask(`POST ${at('/dns_records/batch')}`, good);
    expect(result).toMatchObject({ deletes: [{ id: one.id }], patches: [{ proxied: true }], puts: [], posts: [{}] });
    const posts = Array.from({ length: 201 }, (_, i) => ({ type: 'A', name: `n${i}`, content: '198.51.100.1' }));
    expect((await ask(`POST ${at('/dns_records/batch')}`, { posts })).code).toBe(1004);
    expect((await ask(`POST ${at('/dns_records/batch')}`, { posts: posts.slice(1) })).result.posts).toHaveLength(200);
  });
});

describe('settings', () => {
  test('have defaults, are set one by one and together', async () => {
    const all = (await ask(`GET ${at('/settings')}`)).result as { id: string; value: unknown }[];
    expect(all.find(({ id }) => id === 'security_level')).toMatchObject({ value: 'medium' });
    for (const [id, value] of Object.entries({
      tls_1_3: 'off',
      security_level: 'under_attack',
      ech: 'off',
      ssl: 'flexible',
    })) {
      expect((await ask(`PATCH ${at(`/settings/${id}`)}`, { value })).result).toMatchObject({ id, value });
      expect((await ask(`GET ${at(`/settings/${id}`)}`)).result).toMatchObject({ id, value });
    }
    const items = [
      { id: 'tls_1_3', value: 'zrt' },
      { id: 'always_use_https', value: 'on' },
    ];
    expect((await ask(`PATCH ${at('/settings')}`, { items })).result).toMatchObject(items);
  });

  test('with unknown names and values are refused', async () => {
    expect((await ask(`PATCH ${at('/settings/nonsense')}`, { value: 'on' })).code).toBe(1006);
    expect((await ask(`PATCH ${at('/settings/tls_1_3')}`, { value: 'maybe' })).code).toBe(1007);
    expect((await ask(`PATCH ${at('/settings/security_level')}`, { value: 'off' })).code).toBe(1007);
  });
});

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

describe('limits and faults', () => {
  test('beyond the rate limit all calls of the user are refused, by key and by token', async () => {
    await start({ rateLimit: { calls: 3, seconds: 60 } });
    const answers = [];
    for (let i = 0; i < 4; i += 1) answers.push(await ask('GET /zones'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers[0]?.headers.get('ratelimit')).toMatch(/^"default";r=2;t=\d+$/);
    expect(answers[0]?.headers.get('retry-after')).toBeNull();
    expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(50);
    expect((await ask('GET /zones', undefined, { Authorization: `Bearer ${TOKEN}` })).status).toBe(429);
    const two = { 'X-Auth-Email': 'two@example.net', 'X-Auth-Key': KEY.replace('0', 'f') };
    expect((await ask('GET /zones', undefined, two)).status).toBe(200);
  });

  test('a fault applies to its call, the given number of times', async () => {
    cloudflare.faults.push(
      { kind: 'status', status: 503, call: 'GET /zones/*', times: 2 },
      { kind: '429', retryAfter: 7, call: 'GET /zones' },
    );
    expect((await ask('GET /user')).status).toBe(200);
    expect((await ask(`GET ${at('')}`)).status).toBe(503);
    expect((await ask(`GET ${at('')}`)).status).toBe(503);
    expect((await ask(`GET ${at('')}`)).status).toBe(200);
    expect((await ask('GET /zones')).headers.get('retry-after')).toBe('7');
    expect(cloudflare.faults).toEqual([]);
  });

  test('a connection can be cut before the act and after it', async () => {
    const body = { type: 'A', name: 'www', content: '198.51.100.4' };
    cloudflare.faults.push(
      { kind: 'drop-before', call: 'POST /zones/**' },
      { kind: 'act-then-drop', call: 'POST /zones/**' },
    );
    await expect(record(body)).rejects.toThrow('fetch failed');
    expect(zone.records).toHaveLength(0);
    await expect(record(body)).rejects.toThrow('fetch failed');
    expect(zone.records).toHaveLength(1);
  });

  test('an answer can be malformed or late', async () => {
    cloudflare.faults.push({ kind: 'malformed' }, { kind: 'delay', ms: 20 });
    await expect(ask('GET /user')).rejects.toThrow('JSON');
    expect((await ask('GET /user')).status).toBe(200);
  });

  test('calls are recorded', async () => {
    await record({ type: 'A', name: 'www', content: '198.51.100.4' });
    expect(cloudflare.requests.at(-1)).toMatchObject({
      method: 'POST',
      path: at('/dns_records'),
      body: { type: 'A' },
      login: 'ops@example.net',
      status: 200,
    });
  });
});

test('the state is JSON, with which another server can continue', async () => {
  await record({ type: 'A', name: 'www', content: '198.51.100.4' });
  await start({ state: JSON.parse(JSON.stringify(cloudflare.state)) as CloudflareState });
  const found = (await ask('GET /zones?name=example.com')).result;
  expect(found).toHaveLength(2);
});

test('two worlds generate the same ids', async () => {
  const first = zone.id;
  await start();
  expect(zone.id).toBe(first);
});

test('a login is plain data, and is refused once it is removed', async () => {
  cloudflare.state.logins = cloudflare.state.logins.filter((login: Login) => login.email !== 'ops@example.net');
  expect((await ask('GET /zones')).code).toBe(9103);
});
