import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCloudflare, type CloudflareFake } from '../../src/demo/cloudflare.ts';
import { accountOf, KEY, stateOf } from '../support/cloudflare-state.ts';
import { makeAdminHome, PASSWORD, type Home, type Run } from './cli.ts';

const TOKEN = 't'.repeat(40);
const ACCOUNT = 'a'.repeat(32);

let home: Home;
let outside: CloudflareFake;
let env: Record<string, string>;

beforeAll(async () => {
  home = await makeAdminHome();
  const logins = [
    { email: 'ops@example.net', api_key: KEY, accounts: [ACCOUNT] },
    { email: 'ops@example.net', token: TOKEN, permissions: ['zone:read' as const], accounts: [ACCOUNT] },
  ];
  outside = await startCloudflare({ state: stateOf([accountOf(ACCOUNT, 'Main')], logins) });
  outside.addZone({ name: 'example.com', account_id: ACCOUNT, status: 'active' });
  env = { CLOUDFLARE_API_URL: outside.url };
});
afterAll(async () => {
  await outside.close();
  home.remove();
});

const run = (line: string, input?: string): Promise<Run> =>
  home.run([...line.split(' '), '--json', '--lang', 'en'], { env, ...(input === undefined ? {} : { input }) });

describe('cloudflare', () => {
  test('adds an account with its key from a pipe, and tests the key', async () => {
    const { json } = await run('cloudflare add Main --email ops@example.net --key-stdin', `${KEY}\n`);
    expect(json).toMatchObject({
      ok: true,
      name: 'Main',
      api_key: '********',
      zones: 1,
      ns_1: 'ada.ns.cloudflare.com',
      check_error: null,
    });
  });

  test('takes its key from the flags of a token as well, which the help does not repeat', async () => {
    const file = home.file('token.txt', `${KEY}\n`);
    for (const [line, input] of [
      [`cloudflare add Other --email ops@example.net --token-file ${file} --dry-run`],
      ['cloudflare add Other --email ops@example.net --token-stdin --dry-run', KEY],
      [`xmlriver add River --login 12345 --token-file ${file} --dry-run`],
    ] as const) {
      expect([line, (await run(line, input)).exit]).toEqual([line, 0]);
    }
    const help = (await home.run(['cloudflare', 'add', '--help'])).stdout;
    expect([help.includes('--key-file'), help.includes('--token-file')]).toEqual([true, false]);
  });

  test('writes nothing and calls no outside service with --dry-run', async () => {
    const asked = outside.requests.length;
    const before = (await run('cloudflare list')).json.items;
    for (const line of [
      'cloudflare add Other --key-stdin --dry-run',
      'cloudflare edit Main --name Renamed --dry-run',
      'cloudflare remove Main --dry-run',
      'group add Some --account Main --dry-run',
    ]) {
      expect((await run(line, `${KEY}\n`)).json).toMatchObject({ ok: true, dry_run: true });
    }
    expect((await run('cloudflare list')).json.items).toEqual(before);
    expect((await run('group list')).json.items).toEqual([]);
    expect(outside.requests).toHaveLength(asked);
  });

  test('keeps an account whose key lacks a permission, and names the permission', async () => {
    const { json, stderr } = await run(`cloudflare add Token --key-file ${home.file('token', TOKEN)}`);
    expect(json).toMatchObject({ ok: true, zones: 1, check_error: expect.stringContaining('DNS: Edit') });
    expect(stderr).toContain('DNS: Edit');
  });

  test('tests keys and exits with 0, 1, 5 or 6 by the result', async () => {
    const all = await run('cloudflare test');
    expect(all.json).toMatchObject({ exit: 5, summary: { total: 2, fail: 1 } });
    expect(all.json.items[0]).toMatchObject({ name: 'Main', status: 'ok', message: 'The key works, zones: 1' });
    expect(all.json.items[1]).toMatchObject({ name: 'Token', status: 'fail', code: 'permission_missing' });
    expect((await run('cloudflare test Main')).exit).toBe(0);
    expect((await run('cloudflare test token')).exit).toBe(1);
    const away = await home.run(['cloudflare', 'test', 'Main'], { env: { CLOUDFLARE_API_URL: 'http://127.0.0.1:9' } });
    expect(away.exit).toBe(6);
    expect((await run('cloudflare test Main')).exit).toBe(0);
  });

  test('edits the given fields and keeps the rest', async () => {
    expect((await run('cloudflare edit Token --name Second')).json).toMatchObject({ name: 'Second', email: '' });
    const wrong = await run('cloudflare edit Second --key-stdin', 'nonsense');
    expect(wrong.json).toMatchObject({ ok: true, check_error: expect.stringContaining('not accepted') });
    expect((await run('cloudflare list')).json.items.map(({ name }: { name: string }) => name)).toEqual([
      'Main',
      'Second',
    ]);
  });

  test.each([
    ['cloudflare add X', 2],
    ['cloudflare add X --key-stdin', 2, ''],
    ['cloudflare add X --key-stdin', 2, '********'],
    ['cloudflare add X --email nonsense --key-stdin', 2, KEY],
    ['cloudflare edit nothing --name X', 1],
    ['cloudflare remove Main', 2],
    ['cloudflare test nothing', 1],
  ])('%s ends with %i', async (line: string, exit: number, input?: string) =>
    expect((await run(line, input)).exit).toBe(exit),
  );
});

describe('group', () => {
  test("holds accounts by name, and an account in a group can't be removed", async () => {
    const made = await run('group add Europe --account Main Second');
    expect(made.json.accounts.map(({ name }: { name: string }) => name)).toEqual(['Main', 'Second']);
    const refused = await run('cloudflare remove Main --yes');
    expect(refused.json).toMatchObject({
      exit: 1,
      error: { code: 'in_use', message: expect.stringContaining('Europe') },
    });
    expect((await run('group edit Europe --name EU --account Main')).json.accounts).toHaveLength(1);
    expect((await run('group test EU')).exit).toBe(0);
    expect((await run('group add Bad --account nobody')).exit).toBe(1);
    expect((await run('group list')).json.items).toHaveLength(1);
    expect((await run('group remove EU')).exit).toBe(2);
    expect((await run('group remove EU --yes')).exit).toBe(0);
    expect((await run('cloudflare remove Main --yes')).exit).toBe(0);
  });
});

describe('server', () => {
  test('is added, edited, listed and removed; its password is never shown', async () => {
    const made = await run('server add One --host 203.0.113.10 --user root --password-stdin', 'hunter2 hunter2\n');
    expect(made.json).toMatchObject({ ok: true, ssh_host: '203.0.113.10', ssh_password: '********' });
    expect((await run('server edit One --user admin')).json).toMatchObject({ ssh_user: 'admin' });
    const moved = await run('server edit One --host 203.0.113.11');
    expect(moved.json).toMatchObject({ exit: 2, error: { fields: { ssh_password: expect.any(String) } } });
    const file = home.file('password', 'hunter2 hunter2');
    expect((await run(`server edit One --host 203.0.113.11 --password-file ${file}`)).exit).toBe(0);
    expect((await run('server add Bad --host a..b --user root --password-stdin', 'x')).exit).toBe(2);
    expect((await run('server list')).stdout).not.toContain('hunter2');
    expect((await run('server remove One --yes')).exit).toBe(0);
  });
});

describe('a rehearsal', () => {
  beforeAll(async () => {
    for (const [line, input] of [
      ['user create --login ann --password-stdin', PASSWORD],
      ['registrar add Old --type reg.ru --login l --password-stdin', 'hunter2'],
      ['server add Two --host 203.0.113.10 --user root --password-stdin', 'hunter2'],
      ['cloudflare add Third --email ops@example.net --key-stdin', KEY],
      ['group add All --account Third', ''],
    ] as const) {
      const { exit, stderr } = await run(line, input);
      if (exit !== 0) throw new Error(`${line}: ${stderr}`);
    }
  });

  test.each([
    ['registrar edit Old --type expired.ru', 'invalid'],
    ['registrar edit Old --sandbox on', 'invalid'],
    ['registrar edit Old --name New --as ann', 'forbidden'],
    ['registrar add R --type reg.ru --login l --password-stdin --sandbox on', 'invalid'],
    ['server edit Two --host 203.0.113.11', 'invalid'],
    ['server edit Two --name New --as ann', 'forbidden'],
    ['server add S --host 203.0.113.12 --user root --password-stdin', 'invalid', '-----BEGIN PRIVATE KEY-----\nx\n'],
    ['cloudflare edit Third --name New --as ann', 'forbidden'],
    ['group edit All --name New --as ann', 'forbidden'],
  ])('of %s is refused as the command is: %s', async (line: string, code: string, input = 'hunter2') => {
    const [rehearsed, real] = [await run(`${line} --dry-run`, input), await run(line, input)];
    expect(real.json).toMatchObject({ ok: false, error: { code } });
    expect(rehearsed.json).toEqual(real.json);
  });
});
