import { generateKeyPairSync } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import { startCloudflare, type CloudflareFake } from '../../src/demo/cloudflare.ts';
import { accountOf, KEY, stateOf } from '../support/cloudflare-state.ts';
import {
  createPerson,
  request,
  startServer,
  type Answer,
  type Ask,
  type Person,
  type TestServer,
} from '../support/server.ts';
import { makeOperation, newName } from './calls.ts';

const MASK = '********';
const TOKEN = 't'.repeat(40);
const ACCOUNT = 'a'.repeat(32);
const PROXY = '127.0.0.9';

let outside: CloudflareFake;
let server: TestServer;
let owner: Person;
let other: Person;

beforeAll(async () => {
  const logins = [
    { email: 'ops@example.net', api_key: KEY, accounts: [ACCOUNT] },
    { email: 'ops@example.net', token: TOKEN, permissions: ['zone:read' as const], accounts: [ACCOUNT] },
    { email: 'ops@example.net', token: TOKEN.replace('t', 'u'), permissions: [], accounts: [ACCOUNT] },
  ];
  outside = await startCloudflare({ state: stateOf([accountOf(ACCOUNT, 'Main')], logins) });
  outside.addZone({ name: 'example.com', account_id: ACCOUNT, status: 'active' });
  server = await startServer({ cloudflareUrl: outside.url, trustedProxies: [PROXY] }, '0.0.0.0');
  [owner, other] = [await createPerson(server), await createPerson(server)];
});
afterAll(async () => {
  await server.close();
  await outside.close();
});

const ask = (call: string, body?: unknown, { token }: Person = owner, more: Ask = {}): Promise<Answer> =>
  request(server, call, { token, ...(body === undefined ? {} : { body }), ...more });

const account = (more: object = {}) => ({ name: newName(), email: 'ops@example.net', api_key: KEY, ...more });
const ssh = (more: object = {}) => ({
  name: newName(),
  ssh_host: '203.0.113.10',
  ssh_user: 'root',
  ssh_password: 'correct horse',
  ...more,
});

// oxlint-disable-next-line typescript/no-explicit-any -- an answer of any call
async function make(path: string, body: object, person: Person = owner): Promise<any> {
  const answer = await ask(`POST /api/${path}`, body, person);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.data ?? answer.body;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a row of any list
const rowOf = async (path: string, id: number, person: Person, more: Ask = {}): Promise<any> => {
  const { body } = await ask(`GET /api/${path}`, undefined, person, more);
  return (body.data ?? body).find((row: { id: number }) => row.id === id);
};

const stored = async (table: string, column: string, id: number): Promise<string> =>
  (await select<{ text: string }>(`SELECT ${column} AS text FROM ${table} WHERE id = $id`, { id }))[0]?.text ?? '';

describe('a CDN account', () => {
  test('has the fields of the contract, with the data from the CDN', async () => {
    const made = await make('cloudflare_accounts', account({ name: 'Main' }));
    expect(made).toEqual({
      id: expect.any(Number),
      name: 'Main',
      email: 'ops@example.net',
      api_key: KEY,
      ns_1: 'ada.ns.cloudflare.com',
      ns_2: 'bob.ns.cloudflare.com',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      domains: 0,
      groups: [],
      zones: 1,
      checked_at: expect.stringMatching(/^\d{4}-.*Z$/),
      check_error: null,
      cf_account_id: null,
      cf_accounts: [{ id: ACCOUNT, name: expect.any(String) }],
      can_edit: true,
    });
    expect(await rowOf('cloudflare_accounts', made.id, owner)).toEqual(made);
  });

  test.each([
    ['a wrong key', { api_key: KEY.replace('0', 'f') }, /не принят/],
    [
      'a token that lacks permissions',
      { email: '', api_key: TOKEN },
      /DNS: Edit, Zone Settings: Edit, Page Rules: Edit/,
    ],
    ['a token that lacks everything', { email: '', api_key: TOKEN.replace('t', 'u') }, /Zone: Read/],
  ])('is saved with %s, and says so', async (_title, login, sentence) => {
    const made = await make('cloudflare_accounts', account(login));
    expect(made.check_error).toMatch(sentence);
    const { body } = await ask(`POST /api/cloudflare_accounts/${made.id}/test`, {});
    expect(body.data).toMatchObject({ ok: false, message: made.check_error });
  });

  test('keeps its known data while the CDN does not answer', async () => {
    const { id } = await make('cloudflare_accounts', account());
    outside.faults.push({ kind: 'status', status: 503, times: 20 });
    const { body } = await ask(`POST /api/cloudflare_accounts/${id}/test`, {});
    outside.faults.length = 0;
    expect(body.data).toMatchObject({ ok: false, code: 'provider_unavailable' });
    const row = await rowOf('cloudflare_accounts', id, owner);
    expect(row).toMatchObject({ zones: 1, ns_1: 'ada.ns.cloudflare.com', check_error: expect.any(String) });
    expect((await ask(`POST /api/cloudflare_accounts/${id}/test`, {})).body.data).toMatchObject({ ok: true, zones: 1 });
    expect((await rowOf('cloudflare_accounts', id, owner)).check_error).toBeNull();
  });

  test('can be tested before it is saved', async () => {
    const calls = () => outside.requests.length;
    const good = await ask('POST /api/cloudflare_accounts/test', { email: 'ops@example.net', api_key: KEY });
    expect(good.body.data).toMatchObject({ ok: true, kind: 'key', zones: 1, missing: [] });
    const token = await ask('POST /api/cloudflare_accounts/test', { api_key: TOKEN });
    expect(token.body.data).toMatchObject({
      ok: false,
      code: 'permission_missing',
      kind: 'token',
      missing: ['dns', 'settings', 'page_rules', 'redirects'],
    });
    const before = calls();
    const masked = await ask('POST /api/cloudflare_accounts/test', { api_key: MASK });
    expect([masked.status, Object.keys(masked.body.fields)]).toEqual([400, ['api_key']]);
    expect(calls()).toBe(before);
  });

  test('is edited in the sent fields only; the key is tested again only with a new login', async () => {
    const { id } = await make('cloudflare_accounts', account());
    const before = outside.requests.length;
    const sealed = await stored('cloudflare_accounts', 'api_key', id);
    for (const body of [{ name: 'New name' }, { name: 'New name', email: 'ops@example.net', api_key: MASK }]) {
      expect((await ask(`POST /api/cloudflare_accounts/${id}`, body)).body.data).toMatchObject({
        name: 'New name',
        api_key: KEY,
      });
    }
    expect(await stored('cloudflare_accounts', 'api_key', id)).toBe(sealed);
    expect(outside.requests.length).toBe(before);
    const edited = await ask(`POST /api/cloudflare_accounts/${id}`, { api_key: TOKEN, email: '' });
    expect(edited.body.data).toMatchObject({ api_key: TOKEN, check_error: expect.stringContaining('DNS: Edit') });
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ email: 'nonsense' }, 'email'],
    [{ api_key: '' }, 'api_key'],
    [{ api_key: MASK }, 'api_key'],
  ])('is refused with %j', async (wrong, field) => {
    const answer = await ask('POST /api/cloudflare_accounts', account(wrong));
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, [field]]);
  });
});

describe('a secret', () => {
  const secrets = [
    ['cloudflare_accounts', 'api_key', account, 'POST'],
    ['servers', 'ssh_password', ssh, 'PUT'],
  ] as const;

  test.each(secrets)('of %s is shown only to its creator and to admins', async (path, field, body, method) => {
    const made = await make(path, body());
    expect(made[field]).toBe(body()[field as never]);
    expect(await stored(path, field, made.id)).toMatch(/^v1\./);
    expect((await rowOf(path, made.id, server.admin))[field]).toBe(made[field]);
    const seen = await rowOf(path, made.id, other);
    expect([seen[field], seen.can_edit]).toEqual([MASK, false]);
    const refused = await ask(`${method} /api/${path}/${made.id}`, { name: 'Mine' }, other);
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    expect((await ask(`DELETE /api/${path}/${made.id}`, undefined, other)).status).toBe(403);
  });

  test.each(secrets)('of %s leaves the machine only under TLS', async (path, field, body) => {
    const { id } = await make(path, body());
    const seen = async (headers: Record<string, string>, from?: string) =>
      (await rowOf(path, id, owner, { headers, ...(from && { from }) }))[field] !== MASK;
    expect(await seen({})).toBe(true);
    expect(await seen({ 'x-forwarded-proto': 'https' }, PROXY)).toBe(true);
    expect(await seen({ 'x-forwarded-proto': 'http' }, PROXY)).toBe(false);
    expect(await seen({}, PROXY)).toBe(false);
    // The headers of a caller that is no listed proxy are not trusted, and the caller no longer counts as local.
    expect(await seen({ 'x-forwarded-proto': 'https' })).toBe(false);
    expect(await seen({ 'x-forwarded-for': '198.51.100.7' })).toBe(false);
  });

  test.each(secrets)('of %s that was copied from another row is not shown', async (path, field, body, method) => {
    const [one, two] = [await make(path, body()), await make(path, body())];
    await transaction(() =>
      execute(`UPDATE ${path} SET ${field} = (SELECT ${field} FROM ${path} WHERE id = $one) WHERE id = $two`, {
        one: one.id,
        two: two.id,
      }),
    );
    expect((await rowOf(path, two.id, owner))[field]).toBe(MASK);
    expect((await ask(`${method} /api/${path}/${two.id}`, { [field]: `new ${KEY}` })).body.data[field]).toBe(
      `new ${KEY}`,
    );
  });

  const away = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

  test.runIf(away)('is masked for every caller on the network without TLS', async () => {
    const { id } = await make('servers', ssh());
    const url = `http://${away}:${server.port}`;
    const { body } = await request({ url }, 'GET /api/servers', { token: owner.token });
    const row = body.data.find((one: { id: number }) => one.id === id);
    expect(row).toMatchObject({ ssh_password: MASK, can_edit: true });
  });
});

describe('a group', () => {
  test('has the shape of the contract', async () => {
    const [one, two] = [
      await make('cloudflare_accounts', account({ name: 'B' })),
      await make('cloudflare_accounts', account({ name: 'A' })),
    ];
    const group = await make('cloudflare_groups', { name: 'G', accounts: [one.id, two.id, one.id] });
    const accounts = [
      { id: two.id, name: 'A' },
      { id: one.id, name: 'B' },
    ];
    expect(group).toEqual({ id: expect.any(Number), name: 'G', accounts, can_edit: true });
    const { body } = await ask('GET /api/cloudflare_groups');
    expect(body).toContainEqual(group);
    expect((await rowOf('cloudflare_accounts', one.id, owner)).groups).toEqual([{ id: group.id, name: 'G' }]);
    const renamed = await ask(`PUT /api/cloudflare_groups/${group.id}`, { name: 'H' });
    expect(renamed.body).toEqual({ ...group, name: 'H' });
    const emptied = await ask(`PUT /api/cloudflare_groups/${group.id}`, { name: 'H', accounts: [] });
    expect(emptied.body.accounts).toEqual([]);
    expect((await ask(`DELETE /api/cloudflare_groups/${group.id}`)).body).toEqual({ message: 'Группа удалена' });
  });

  test('refuses unknown accounts and stays unchanged', async () => {
    const { id } = await make('cloudflare_accounts', account());
    const group = await make('cloudflare_groups', { name: 'G', accounts: [id] });
    const answer = await ask(`PUT /api/cloudflare_groups/${group.id}`, { name: 'H', accounts: [999_999] });
    expect([answer.status, answer.body.error]).toEqual([422, 'Unknown accounts']);
    expect(await rowOf('cloudflare_groups', group.id, owner)).toEqual(group);
  });
});

const WRONG_PORTS = [
  '203.0.113.10:',
  '203.0.113.10:0',
  'a.example:65536',
  'a.example:2 2',
  'a.example:ssh',
  '[1.2.3.4]:22',
];

describe('a server', () => {
  test('has the fields of the contract', async () => {
    const made = await make('servers', ssh({ name: 'S', ssh_host: 'Host.Example.com' }));
    expect(made).toEqual({
      id: expect.any(Number),
      name: 'S',
      ssh_host: 'host.example.com',
      ssh_user: 'root',
      ssh_password: 'correct horse',
      created_at: expect.any(String),
      host_key: null,
      host_key_seen: null,
      checked_at: null,
      check_error: null,
      domains: 0,
      can_edit: true,
    });
  });

  test('takes a private key as its password, of OpenSSH and of OpenSSL', async () => {
    const format = { format: 'pem', type: 'pkcs8' } as const;
    const keys = [
      ssh2.utils.generateKeyPairSync('ed25519').private,
      generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(format).toString(),
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(format).toString(),
    ];
    for (const ssh_password of keys) {
      const { id } = await make('servers', ssh({ ssh_password }));
      expect((await rowOf('servers', id, owner)).ssh_password).toBe(ssh_password);
    }
  });

  test('is refused with an encrypted or unreadable private key', async () => {
    const locked = ssh2.utils.generateKeyPairSync('ed25519', {
      passphrase: 'x',
      cipher: 'aes256-ctr',
      rounds: 4,
    }).private;
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const lock = { cipher: 'aes-256-cbc', passphrase: 'x', format: 'pem' } as const;
    const encrypted = [locked, rsa.export({ ...lock, type: 'pkcs8' }), rsa.export({ ...lock, type: 'pkcs1' })];
    const broken = ['-----BEGIN OPENSSH PRIVATE KEY-----\nabc=\n-----END OPENSSH PRIVATE KEY-----\n', '-----BEGIN x'];
    for (const [ssh_password, said] of [
      ...encrypted.map((key) => [String(key), /без пароля/] as const),
      ...broken.map((key) => [key, /не читается/] as const),
    ]) {
      const answer = await ask('POST /api/servers', ssh({ ssh_password }));
      expect([answer.status, answer.body.fields.ssh_password]).toEqual([400, expect.stringMatching(said)]);
    }
  });

  test.each([
    ['203.0.113.10:2222', '203.0.113.10:2222'],
    ['203.0.113.10:22', '203.0.113.10'],
    ['Host.Example.com:022', 'host.example.com'],
    ['2001:DB8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:DB8::1]:2222', '[2001:db8::1]:2222'],
  ])('is kept with the host “%s” as “%s”', async (typed, kept) => {
    expect((await make('servers', ssh({ ssh_host: typed }))).ssh_host).toBe(kept);
  });

  test('wants its password again with a new host, of admins as well', async () => {
    const { id } = await make('servers', ssh());
    const put = (body: object, person = owner) => ask(`PUT /api/servers/${id}`, body, person);
    expect((await put({ ssh_host: '203.0.113.10', ssh_user: 'me', ssh_password: MASK })).status).toBe(200);
    for (const person of [owner, server.admin]) {
      for (const more of [{}, { ssh_password: MASK }]) {
        const answer = await put({ ssh_host: '203.0.113.66', ...more }, person);
        expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ['ssh_password']]);
      }
    }
    expect((await rowOf('servers', id, owner)).ssh_host).toBe('203.0.113.10');
    expect((await put({ ssh_host: '203.0.113.66', ssh_password: 'again' })).status).toBe(200);
  });

  test.each(['', 'a b', 'a..b', '300.1.1.1', 'root@host', 'host:22', '-oProxyCommand=x', ...WRONG_PORTS])(
    'is refused with the host “%s”',
    async (ssh_host) => expect((await ask('POST /api/servers', ssh({ ssh_host }))).status).toBe(400),
  );
});

describe('a row in use', () => {
  test('is not deleted while an operation works on it', async () => {
    const { id } = await make('cloudflare_accounts', account());
    const operation = await makeOperation(owner);
    const set = (state: string) =>
      transaction(() => execute('UPDATE operations SET state = $state WHERE id = $operation', { operation, state }));
    await set('running');
    await transaction(() =>
      execute(
        `INSERT INTO operation_uses (operation_id, kind, used_id) VALUES ($operation, 'cloudflare_accounts', $id)`,
        { operation, id },
      ),
    );
    const refused = await ask(`DELETE /api/cloudflare_accounts/${id}`);
    expect([refused.status, refused.body.error.includes(`#${operation}`)]).toEqual([409, true]);
    await set('succeeded');
    expect((await ask(`DELETE /api/cloudflare_accounts/${id}`)).status).toBe(200);
  });

  test('is not deleted, and the refusal names its uses; domains of another user are only counted', async () => {
    const [cloudflare, host] = [await make('cloudflare_accounts', account()), await make('servers', ssh())];
    const references = { cloudflare_account_id: cloudflare.id, server_id: host.id };
    const mine = await make('domains', { domain_name: newName(), ...references });
    const foreign = await make('domains', { domain_name: newName(), ...references }, other);
    const group = await make('cloudflare_groups', { name: 'Holder', accounts: [cloudflare.id] });
    const refused = await ask(`DELETE /api/cloudflare_accounts/${cloudflare.id}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'in_use']);
    expect(refused.body.error).toContain(`${mine.domain_name}, +1; Holder`);
    expect(refused.body.error).not.toContain(foreign.domain_name);
    expect((await ask(`DELETE /api/servers/${host.id}`)).body.error).toContain(`${mine.domain_name}, +1`);

    await ask(`DELETE /api/domains/${mine.id}`);
    await ask(`DELETE /api/domains/${foreign.id}`, undefined, other);
    await ask(`DELETE /api/cloudflare_groups/${group.id}`);
    expect((await ask(`DELETE /api/cloudflare_accounts/${cloudflare.id}`)).status).toBe(200);
    expect((await ask(`DELETE /api/servers/${host.id}`)).status).toBe(200);
    // A restored domain has lost its references to rows that were deleted meanwhile.
    const restored = await ask(`POST /api/domains/${mine.id}/restore`, {});
    expect(restored.body.data).toMatchObject({ server_id: null, cloudflare_account_id: null });
  });
});
