import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWorld, type Site, type World } from '../support/world.ts';
import { BIN, loadedBy, makeAdminHome, type Home } from './cli.ts';

let home: Home;
let world: World;
let env: Record<string, string>;
const returning: Site = { status: 503 };

beforeAll(async () => {
  world = await startWorld({
    'good.test': { status: 200 },
    'broken.test': { status: 503 },
    'moved.test': { status: 301, location: '//good.test/' },
    'hanging.test': { fault: 'hang' },
    'returning.test': returning,
  });
  env = { SEO_ADMIN_CONNECT_TO: `::127.0.0.1:${world.port}` };
  home = await makeAdminHome();
  await home.run([
    'blocklist',
    'update',
    '--file',
    home.file('list.txt', 'blocked.ru\n*.masked.com\nпример.рф\nreturning.test\n'),
  ]);
});
afterAll(async () => {
  await world.close();
  home.remove();
});

describe('names', () => {
  test('come from arguments, a file, - and a pipe, with any separators, each once, in order', async () => {
    const list = 'b.ru, blocked.ru;a.ru # c.ru\n\tПример.РФ b.ru';
    const expected = ['b.ru', 'blocked.ru', 'a.ru', 'xn--e1afmkfd.xn--p1ai'];
    const runs = await Promise.all([
      home.run(['check', 'blocked', '--json', 'b.ru', 'blocked.ru', 'a.ru', 'пример.рф']),
      home.run(['check', 'blocked', '--json', '--file', home.file('names.txt', list)]),
      home.run(['check', 'blocked', '--json', '-'], { input: list }),
      home.run(['check', 'blocked', '--json'], { input: list }),
    ]);
    for (const { json } of runs) expect(json.items.map(({ domain }: { domain: string }) => domain)).toEqual(expected);
  });

  test.each([[[]], [['-']]])('come from a file as standard input: %j', (words) => {
    for (const names of ['blocked.ru\nfree.ru\n', `blocked.ru\n${'free.ru\n'.repeat(20_000)}`]) {
      const file = openSync(home.file('input.txt', names), 'r');
      const args = [BIN, 'check', 'blocked', ...words, '--json', '--fail-on-blocked', '--data-dir', home.dir];
      const { status, stdout } = spawnSync(process.execPath, args, { stdio: [file, 'pipe', 'inherit'] });
      closeSync(file);
      expect([status, JSON.parse(String(stdout)).summary]).toMatchObject([3, { total: 2, blocked: 1 }]);
    }
  });

  test('given as arguments leave standard input unread', async () => {
    const run = home.start(['check', 'blocked', 'a.ru', '--json'], { input: 'b.ru' });
    expect((await run.ended).json.items).toHaveLength(1);
  });

  test('that are invalid are reported beside the valid ones', async () => {
    const { exit, json } = await home.run(['check', 'blocked', 'ok.ru', 'http://x/y', 'blocked.ru', '--json']);
    expect(exit).toBe(5);
    expect(json.items.map(({ status }: { status: string }) => status)).toEqual(['free', 'unknown', 'blocked']);
    expect(json.errors).toEqual([{ domain: 'http://x/y', code: 'bad_name', message: expect.any(String) }]);
  });

  test('are not awaited from a pipe that nobody writes to or closes', async () => {
    const run = home.start(['check', 'blocked', '--json'], { input: null });
    expect((await run.ended).exit).toBe(2);
  });
});

describe('check blocked', () => {
  test('finds names, masks and IDN; --fail-on-blocked then exits with 3', async () => {
    const names = ['blocked.ru', 'www.masked.com', 'пример.рф', 'free.ru'];
    const { exit, json } = await home.run(['check', 'blocked', ...names, '--json', '--fail-on-blocked']);
    expect({ exit, ok: json.ok, summary: json.summary }).toEqual({
      exit: 3,
      ok: true,
      summary: { total: 4, blocked: 3, free: 1, unknown: 0 },
    });
    expect((await home.run(['check', 'blocked', ...names])).exit).toBe(0);
    expect((await home.run(['check', 'blocked', 'free.ru', '--fail-on-blocked'])).exit).toBe(0);
  });

  test('opens no database and loads few files', async () => {
    const { files, built, modules } = await loadedBy(['check', 'blocked', 'a.ru'], { SEO_ADMIN_DATA_DIR: home.dir });
    expect(files.filter((url) => url.includes('/node_modules/'))).toEqual([]);
    expect(modules).toContain('src/providers/blocklist/index-lookup.ts');
    expect(modules.filter((path) => /^db\/|\/api\/|\/operations\/|-update/.test(path))).toEqual([]);
    expect(built.filter((url) => url.endsWith('.js')).length).toBeLessThan(10);
  });

  test('of the portfolio is stored as an operation', async () => {
    await home.run(['domain', 'add', 'blocked.ru', 'free.ru']);
    const run = await home.run(['check', 'blocked', '--all', '--json', '--fail-on-blocked']);
    expect(run.exit).toBe(3);
    const operation = await home.run(['operation', 'show', String(run.json.operation.id), '--json']);
    expect(operation.json).toMatchObject({ kind: 'check', state: 'succeeded', done: 2 });
    expect((await home.run(['domain', 'list', '--status', 'blocked', '--format', 'plain'])).stdout).toMatch(
      /^blocked\.ru\t/,
    );
  });
});

describe('check http', () => {
  test('prints code, error, time and redirects, in the order given', async () => {
    const names = ['moved.test', 'broken.test', 'good.test'];
    const { exit, json } = await home.run(['check', 'http', ...names, '--scheme', 'http', '--json'], { env });
    expect(exit).toBe(0);
    expect(json.items).toEqual([
      expect.objectContaining({
        domain: 'moved.test',
        http_status_code: 200,
        error: null,
        redirects: [expect.anything()],
      }),
      expect.objectContaining({ domain: 'broken.test', http_status_code: 503, error: null, redirects: [] }),
      expect.objectContaining({ domain: 'good.test', http_status_code: 200, ms: expect.any(Number) }),
    ]);
  });

  test('does not follow with --no-follow', async () => {
    const args = ['check', 'http', 'moved.test', '--scheme', 'http', '--no-follow', '--json'];
    expect((await home.run(args, { env })).json.items[0].http_status_code).toBe(301);
  });

  test('stores the results of portfolio domains', async () => {
    await home.run(['domain', 'add', 'good.test']);
    await home.run(['check', 'http', 'good.test', '--scheme', 'http'], { env });
    expect((await home.run(['domain', 'show', 'good.test', '--json'])).json.http_status_code).toBe(200);
  });

  test('stops in order on Ctrl-C and prints the results so far', async () => {
    const args = ['check', 'http', 'good.test', 'hanging.test', '--scheme', 'http', '--timeout', '60', '--json'];
    const run = home.start(args, { env });
    while (!world.seen.some(({ url }) => url.includes('hanging.test')))
      await new Promise((next) => setTimeout(next, 50));
    run.process.kill('SIGINT');
    const { exit, json } = await run.ended;
    expect(exit).toBe(130);
    expect(json).toMatchObject({ ok: false, exit: 130, error: { code: 'interrupted' } });
  });
});

test('check all of what is broken covers the same names in every step, also those that answer again', async () => {
  const rows = 'domain_name,expired_at\nreturning.test,2026-01-31\n';
  await home.run(['domain', 'import', home.file('rows.csv', rows)]);
  await home.run(['check', 'http', 'returning.test', '--scheme', 'http'], { env });
  Object.assign(returning, { status: 200 });
  const run = await home.run(['check', 'all', '--status', 'broken', '--fail-on-blocked', '--json'], { env });
  expect([run.exit, run.json.summary]).toMatchObject([3, { total: 1, blocked: 1, expired: 1 }]);
  expect(run.json.items).toMatchObject([
    {
      domain: 'returning.test',
      status: 'blocked',
      http_status_code: 200,
      expired_at: expect.stringContaining('2026-01-31'),
    },
  ]);
  expect(run.json.operation).toMatchObject({ state: 'succeeded', total: 2, done: 2 });
});

test('generated names can be piped into a check', async () => {
  const { stdout } = await home.run(['name', 'generate', '{a|b}{1|2}.ru', '--count', '4', '--unique']);
  const checked = await home.run(['check', 'blocked', '--csv'], { input: stdout });
  expect(checked.stdout.trimEnd().split('\r\n')).toHaveLength(5);
});
