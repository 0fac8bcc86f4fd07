// dns, rules, protect and check redirects on the command line, against a fake Cloudflare.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, transaction } from '../../db/index.ts';
import { startCloudflare, type CloudflareFake } from '../../src/demo/cloudflare.ts';
import { emptyState, type Zone } from '../../src/demo/cloudflare/state.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { startWorld } from '../support/world.ts';
import { makeAdminHome, type Home, type Run } from './cli.ts';

const KEY = '0123456789abcdef0123456789abcdef01234';
const ACCOUNT = 'a'.repeat(32);
const NAMES = ['one.com', 'two.com', 'three.com'];

let home: Home;
let outside: CloudflareFake;
let env: Record<string, string>;

beforeAll(async () => {
  home = await makeAdminHome();
  const account = { id: ACCOUNT, name: 'Main', type: 'standard' as const, created_on: '2024-03-01T12:21:02Z' };
  const accounts = [
    {
      ...account,
      name_servers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'] as [string, string],
      pending_cap: 50,
    },
  ];
  const logins = [{ email: 'ops@example.net', api_key: KEY, accounts: [ACCOUNT] }];
  outside = await startCloudflare({ state: { ...emptyState(), accounts, logins } });
  for (const name of NAMES) outside.addZone({ name, account_id: ACCOUNT, status: 'active' });
  env = { CLOUDFLARE_API_URL: outside.url };
  const good = async (words: string[], input?: string): Promise<void> => {
    const { exit, stderr } = await home.run(words, { env, ...(input !== undefined && { input }) });
    if (exit !== 0) throw new Error(stderr);
  };
  await good(['cloudflare', 'add', 'Main', '--email', 'ops@example.net', '--key-stdin'], KEY);
  await good(['server', 'add', 'srv', '--host', '203.0.113.10', '--user', 'root', '--password-stdin'], 'secret word');
  await good(['project', 'create', 'Casino']);
  await good(['domain', 'add', ...NAMES, 'no-account.com']);
  await good(['domain', 'add', 'in-project.com', '--project', 'Casino']);
  await openDatabase(loadConfig({ dataDir: home.dir }, {}).databaseFile);
  await transaction(() =>
    execute(`UPDATE domains SET cloudflare_account_id = 1 WHERE domain_name IN ('one.com', 'two.com', 'three.com')`),
  );
});
afterAll(async () => {
  await closeDatabase();
  await outside.close();
  home.remove();
});
beforeEach(() => {
  outside.requests.length = 0;
});

const run = (line: string, input?: string): Promise<Run> =>
  home.run([...line.split(' '), '--json', '--lang', 'en'], { env, ...(input !== undefined && { input }) });
const zone = (name: string): Zone => Object.values(outside.state.zones).find((one) => one.name === name)!;
const writes = (): string[] =>
  outside.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
const records = (name: string): string[] =>
  zone(name)
    .records.map((record) => `${record.type} ${record.name} ${record.content}`)
    .toSorted();

const PLANNED: [line: string, acts: number][] = [
  ['dns set one.com --account Main --server srv --tls on', 1],
  ['rules attach main.com one.com new.com --account Main --server srv', 5],
  ['protect under-attack enable --all', 3],
  ['protect tls off one.com two.com', 2],
];

test.each(PLANNED)(
  '%s prints the plan and writes nothing with --dry-run; without --yes it does nothing',
  async (line, acts) => {
    const { json, exit } = await run(`${line} --dry-run`);
    expect([exit, json.dry_run, json.items.length]).toEqual([0, true, acts]);
    const asked = await run(line);
    expect([asked.exit, asked.json.error.code]).toEqual([2, 'usage']);
    expect(writes()).toEqual([]);
  },
);

test.each([
  ['rules attach main.com one.com new.com --account Main --server srv', true],
  ['dns set one.com --account Main --server srv --tls on', false],
])('the plan of %s says what a new zone lacks: %s', async (line, hasNote) => {
  const { stdout, stderr } = await home.run([...line.split(' '), '--dry-run', '--lang', 'en'], { env });
  expect((stdout + stderr).includes('A new zone has the records of this plan alone. Mail (MX), TXT')).toBe(hasNote);
});

describe('dns', () => {
  test('points a domain at a server', async () => {
    const { json, exit } = await run('dns set one.com --account Main --server srv --tls on --yes');
    expect(exit).toBe(0);
    expect(json).toMatchObject({
      ok: true,
      kind: 'dns_change',
      state: 'succeeded',
      items: [{ item: 'dns one.com', state: 'done' }],
    });
    expect(records('one.com')).toEqual(['A one.com 203.0.113.10', 'A www.one.com 203.0.113.10']);
    expect((await run('dns set one.com --account Nobody --server srv --yes')).exit).toBe(1);
  });

  test('lists records and applies the list again: nothing to change', async () => {
    const listed = await run('dns list one.com');
    expect(listed.json).toMatchObject({
      summary: { total: 2, editable: 2 },
      zone: { name: 'one.com', status: 'active' },
    });
    const file = home.file('records.json', listed.stdout);
    expect((await run(`dns apply one.com --file ${file}`)).json).toMatchObject({ ok: true, summary: { total: 0 } });
    const input = listed.stdout;
    const piped = await home.run(['dns', 'apply', 'one.com', '--file', '-', '--json'], { env, input });
    expect([piped.stderr, piped.json]).toMatchObject(['', { ok: true, summary: { total: 0 } }]);
    expect(writes()).toEqual([]);
  });

  test('applies lines of a zone file, empties a zone only with --override, and can be undone', async () => {
    const text = [
      '; a comment',
      '@ 300 IN A 192.0.2.1 ; cf-proxied:true',
      'mail IN A 192.0.2.2',
      '@ MX 10 mail.one.com.',
      '@ TXT "v=spf1; -all"',
    ].join('\n');
    const file = home.file('zone.txt', text);
    const plan = await run(`dns apply one.com --file ${file} --dry-run`);
    expect(plan.json).toMatchObject({ dry_run: true, summary: { create: 3, update: 0, delete: 2 } });
    expect(writes()).toEqual([]);
    const done = await run(`dns apply one.com --file ${file} --yes`);
    expect(done.exit).toBe(0);
    expect(records('one.com')).toEqual([
      'A mail.one.com 192.0.2.2',
      'A one.com 192.0.2.1',
      'TXT one.com "v=spf1; -all"',
    ]);
    const empty = await run(`dns apply one.com --file ${home.file('empty.json', '[]')} --yes`);
    expect([empty.exit, empty.json.error.code]).toEqual([1, 'unsafe_plan']);
    expect(empty.json.error.message).toMatch(/would be gone\. Confirm it by itself: --override$/);
    const wrong = await run(`dns apply one.com --file ${home.file('wrong', '{"x":')} --yes`);
    expect(wrong.exit).toBe(2);
    expect((await run(`operation restore ${done.json.operation.id} --yes`)).exit).toBe(0);
    expect(records('one.com')).toEqual(['A one.com 203.0.113.10', 'A www.one.com 203.0.113.10']);
    const forced = await run(`dns apply one.com --file ${home.file('empty.json', '[]')} --override --yes`);
    expect([forced.exit, records('one.com')]).toEqual([0, []]);
  });
});

test('rules are attached, listed and removed', async () => {
  expect((await run('rules attach main.com two.com not_a_name --account Main --server srv --yes')).exit).toBe(2);
  expect((await run('rules attach main.com two.com --account Main --server srv --yes')).json.state).toBe('succeeded');
  const { items } = (await run('rules list two.com')).json;
  expect(items).toMatchObject([{ kind: 'page_rule', status: 'active' }]);
  outside.requests.length = 0;
  expect((await run(`rules remove two.com ${items[0].id} --dry-run`)).json).toMatchObject({ dry_run: true, items });
  expect(writes()).toEqual([]);
  expect((await run(`rules remove two.com ${items[0].id} --yes`)).exit).toBe(0);
  expect((await run('rules list two.com')).json.items).toEqual([]);
  expect((await run(`rules remove two.com ${items[0].id} --yes`)).exit).toBe(1);
});

describe('protect', () => {
  const level = (name: string): unknown => zone(name).settings['security_level']?.value;

  test("switches the named domains, and reports those it can't reach", async () => {
    const part = await run('protect under-attack enable one.com no-account.com --yes');
    expect(part.exit).toBe(5);
    expect(part.json).toMatchObject({ errors: [{ domain: 'no-account.com', code: 'no_cloudflare_account' }] });
    expect(NAMES.map(level)).toEqual(['under_attack', undefined, undefined]);
    expect(part.json.summary).toEqual({ total: 2, done: 2, failed: 1 });
    expect((await run('protect under-attack enable --yes')).exit).toBe(2);
    expect((await run('protect under-attack enable one.com --all --yes')).exit).toBe(2);
    for (const line of ['under-attack enable', 'tls off']) {
      for (const more of ['--yes', '--dry-run']) {
        const both = await run(`protect ${line} --all --project Casino ${more}`);
        expect([both.exit, both.json.error.message]).toEqual([2, expect.stringContaining('--all; --project')]);
      }
    }
    expect((await run('protect tls off --project Casino --yes')).json).toMatchObject({
      ok: true,
      summary: { total: 0 },
    });
  });

  test('exits with 5 after a partial failure, and the operation can be resumed', async () => {
    outside.faults.push({ kind: 'status', status: 400, call: `PATCH /zones/${zone('three.com').id}/settings/tls_1_3` });
    const part = await run('protect tls off --all --yes');
    expect(part.exit).toBe(5);
    expect(part.json).toMatchObject({
      state: 'partial',
      counts: { done: 2, failed: 1 },
      items: [{ state: 'done' }, { item: 'tls three.com', state: 'failed' }, { state: 'done' }],
      summary: { total: 3, done: 3, failed: 1 },
      errors: [{ domain: 'three.com', code: 'failed', message: expect.stringMatching(/./) }],
    });
    const { summary, errors } = (await run(`operation show ${part.json.id}`)).json;
    expect({ summary, errors }).toEqual({ summary: part.json.summary, errors: part.json.errors });
    expect((await run(`operation resume ${part.json.id} --yes`)).exit).toBe(0);
    expect(zone('three.com').settings['tls_1_3']?.value).toBe('off');
  });

  test('exits with 130 on a signal and prints how to resume', async () => {
    for (const one of Object.values(outside.state.zones)) one.settings = {};
    outside.faults.push({ kind: '429', retryAfter: 3, call: 'PATCH /zones/*/settings/*', times: 3 });
    const started = home.start(['protect', 'under-attack', 'enable', '--all', '--yes', '--lang', 'en'], { env });
    await expect.poll(() => writes().length).toBeGreaterThan(0);
    started.process.kill('SIGINT');
    const { exit, stderr } = await started.ended;
    outside.faults.length = 0;
    const [, printed = ''] = /: seo-admin (operation resume \d+ --lang en)$/m.exec(stderr) ?? [];
    expect([exit, printed]).toEqual([130, expect.stringMatching(/\d --lang en$/)]);
    expect((await run(printed)).exit).toBe(0);
    expect(NAMES.map(level)).toEqual(Array(3).fill('under_attack'));
  });

  test('exits with 6 if a service is unavailable while it is only read', async () => {
    const away = { CLOUDFLARE_API_URL: 'http://127.0.0.1:9' };
    for (const line of ['dns list one.com', 'protect tls off --all --dry-run', 'rules list one.com']) {
      expect([line, (await home.run(line.split(' '), { env: away })).exit]).toEqual([line, 6]);
    }
  });
});

test('check redirects prints the chain of each host, and detects a loop', async () => {
  const world = await startWorld({
    'a.test': { status: 301, location: 'http://b.test/' },
    'b.test': { status: 200 },
    'c.test': { status: 302, location: 'http://c.test/' },
  });
  const to = { SEO_ADMIN_CONNECT_TO: `::127.0.0.1:${world.port}`, SEO_ADMIN_ALLOW_PRIVATE_TARGETS: 'on' };
  const { json, exit } = await home.run('check redirects http://a.test c.test --json'.split(' '), { env: to });
  expect([exit, json.summary]).toEqual([0, { total: 2, redirected: 1, loops: 1 }]);
  await world.close();
});
