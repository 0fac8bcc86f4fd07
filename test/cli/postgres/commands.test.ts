// The command line and the server over PostgreSQL.
import { writeFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPostgres, type PostgresServer } from '../../support/postgres/cluster.ts';
import { makeHome, PASSWORD, type Home, type Run, type RunOptions } from '../cli.ts';

const SECRET = 'Secret-of-the-database';

let postgres: PostgresServer;
let home: Home;
let said = '';
const address = (database: string, password = SECRET): string => {
  const url = new URL(postgres.address(database));
  url.password = password;
  return url.href;
};
const env = (database = 'seo'): Record<string, string> => ({ DATABASE_URL: address(database), SEO_ADMIN_LANG: 'en' });

async function run(words: string, options: RunOptions = {}): Promise<Run> {
  const result = await home.run(words.split(' '), { ...options, env: { ...env(), ...options.env } });
  said += result.stdout + result.stderr;
  return result;
}

beforeAll(async () => {
  postgres = startPostgres({ databases: ['seo', 'copy', 'closed'] });
  home = makeHome();
  const made = await run('init --admin-login admin --password-stdin', { input: `${PASSWORD}\n` });
  if (made.exit !== 0) throw new Error(made.stderr);
});
afterAll(() => {
  home.remove();
  postgres.close();
});

test('users, projects, domains, lists and checks work over PostgreSQL', async () => {
  expect((await run('user create --login ann --password-stdin', { input: PASSWORD })).exit).toBe(0);
  expect((await run('user create --login ANN --password-stdin', { input: PASSWORD })).exit).toBe(1);
  expect((await run('user list --json')).json.items).toMatchObject([{ login: 'admin' }, { login: 'ann' }]);
  expect((await run('project create Shop --as ann')).exit).toBe(0);
  const added = await run('domain add first.example second.example --project Shop --as ann --json');
  expect([added.exit, added.stderr]).toEqual([0, '']);
  expect((await run('domain list --as ann --json')).json.items).toMatchObject([
    { domain_name: 'first.example' },
    { domain_name: 'second.example' },
  ]);
  const file = home.file('list.txt', 'second.example\n');
  expect((await run(`blocklist update --file ${file} --accept`)).exit).toBe(0);
  const checked = await run('check blocked --all --json --fail-on-blocked');
  expect(checked.exit).toBe(3);
  expect((await run('domain list --status blocked --json')).json.items).toMatchObject([
    { domain_name: 'second.example' },
  ]);
  expect((await run('operation list --json')).exit).toBe(0);
});

test('the server signs people in over PostgreSQL, beside commands', async () => {
  const server = home.start(['serve', '--port', '0'], { env: env() });
  const [, url = ''] = await server.says(/^listening on (http:\/\/127\.0\.0\.1:\d+)$/m);
  const login = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ login: 'admin', password: PASSWORD }),
  });
  const { token } = (await login.json()) as { token: string };
  await run('domain add beside.example');
  const list = await fetch(`${url}/api/domains`, { headers: { authorization: token } });
  expect(JSON.stringify(await list.json())).toContain('beside.example');
  server.process.kill('SIGTERM');
  const { exit, stdout, stderr } = await server.ended;
  said += stdout + stderr;
  expect(exit).toBe(143);
});

test('the database is named by doctor and db status; it is backed up and drilled, and without pg_dump told what to install', async () => {
  const doctor = await run('doctor --json');
  const about = doctor.json.items.find(({ check }: { check: string }) => check === 'database');
  expect(about).toMatchObject({ status: 'ok', message: expect.stringMatching(/^postgres:\/\/.*\/seo$/) });
  const status = (await run('db status --json')).json;
  expect(status).toMatchObject({ file: about.message, integrity: 'ok', pending: [] });
  expect(status.counts.users).toBeGreaterThan(0);
  expect((await run('db migrate')).exit).toBe(0);
  expect((await run(`db backup ${home.dir}/x.dump`)).exit).toBe(0);
  expect((await run(`db drill ${home.dir}/x.dump --json`)).json).toMatchObject({ compared: true });
  writeFileSync(`${home.dir}/z.sql`, '-- PostgreSQL database dump');
  const strange = await run(`db drill ${home.dir}/z.sql --lang en`);
  expect([strange.exit, strange.stderr]).toEqual([1, expect.stringContaining('custom format of pg_dump')]);
  expect(strange.stderr).not.toContain('SQLITE');
  const without = await run(`db backup ${home.dir}/y.dump`, { env: { PATH: '/nowhere' } });
  expect([without.exit, without.stderr]).toEqual([4, expect.stringContaining('postgresql-client')]);
});

test('a server that is away, a wrong login, a missing database and a bad address are told without the password', async () => {
  const away = address('seo').replace(/host=[^&]*/, 'host=/nowhere');
  for (const [DATABASE_URL, exit] of [
    [away, 6],
    [`postgres://postgres:${SECRET}@127.0.0.1:1/seo`, 6],
    [address('nothing'), 4],
    [address('seo').replace('postgres:Sec', 'nobody:Sec'), 4],
    [`postgres://postgres:${SECRET}@[/seo`, 4],
    [`postgres://postgres:${SECRET}%zz@127.0.0.1/seo`, 4],
    [`${address('seo')}&sslmode=verify-ca&sslrootcert=/nowhere`, 6],
  ] as const) {
    const env = { DATABASE_URL, SEO_ADMIN_LOG: 'debug' };
    const found = await run('user list --json', { env });
    expect([DATABASE_URL, found.exit]).toEqual([DATABASE_URL, exit]);
    expect(found.json.error.message).toMatch(/\S(?<!: )$/);
    await run('doctor --json', { env });
  }
});

test('a login that may not write ends a server, a worker and a command with the reason', async () => {
  const client = new pg.Client({ connectionString: address('closed', '') });
  await client.connect();
  await client.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC; CREATE ROLE guest LOGIN');
  await client.end();
  const DATABASE_URL = address('closed').replace('postgres:Sec', 'guest:Sec');
  for (const words of ['serve --port 0', 'worker', 'db status', 'user list']) {
    const found = await run(`${words} --json`, { env: { DATABASE_URL } });
    expect([words, found.exit]).toEqual([words, 4]);
    expect(found.json.error.message).toMatch(/postgres:.*\/closed cannot be written to: 42501: permission denied/);
  }
});

test('a server that finds no room for all of its connections ends with the reason', async () => {
  const client = new pg.Client({ connectionString: address('closed', '') });
  await client.connect();
  await client.query('CREATE ROLE few LOGIN CONNECTION LIMIT 3; GRANT ALL ON SCHEMA public TO few');
  const DATABASE_URL = address('closed').replace('postgres:Sec', 'few:Sec');
  const found = await run('serve --port 0 --json', { env: { DATABASE_URL } });
  expect(found).toMatchObject({ exit: 6, json: { error: { message: expect.stringContaining('53300: too many') } } });
  await expect
    .poll(async () => (await client.query(`SELECT 1 FROM pg_stat_activity WHERE usename = 'few'`)).rowCount)
    .toBe(0);
  await client.end();
});

test('a portfolio goes into PostgreSQL and back by db copy', async () => {
  const own = { DATABASE_URL: 'sqlite:own.sqlite' };
  const target = address('copy', '');
  const password = home.file('pw.txt', `${SECRET}\n`);
  const back = await run('db copy sqlite:own.sqlite --json');
  expect([back.exit, back.stderr]).toEqual([0, '']);
  const rehearsed = await run(`db copy ${target} --password-file ${password} --dry-run --json`, { env: own });
  expect(rehearsed.json).toMatchObject({ ok: true, summary: { dry_run: true, rows: back.json.summary.rows } });
  const few = await run(`db copy ${target} --password-file ${password} --dry-run --csv`, { env: own });
  const many = await run('db copy sqlite:more.sqlite --csv', { env: own });
  for (const { stdout } of [few, many]) expect(stdout.split('\r\n')[0]).toBe('table,rows,sha256');
  const there = await run(`db copy ${target} --password-file ${password} --json`, { env: own });
  expect(there.json).toMatchObject({ ok: true, items: back.json.items });
  const domains = async (DATABASE_URL: string) =>
    (await run('domain list --json', { env: { DATABASE_URL } })).json.items;
  expect(await domains(address('copy'))).toEqual(await domains('sqlite:own.sqlite'));
  const again = await run(`db copy ${target} --password-file ${password} --json`, { env: own });
  expect([again.exit, again.json.error.code]).toEqual([1, 'conflict']);
  const shown = await home.run(['db', 'copy', address('copy'), '--json'], { env: { ...env(), ...own } });
  expect([shown.exit, shown.stderr]).toEqual([2, expect.stringContaining('--password-file')]);
  expect(shown.stdout + shown.stderr).not.toContain(SECRET);
  expect((await run('db copy nonsense')).exit).toBe(2);
  expect((await run('db copy sqlite:other.sqlite --as ann')).exit).toBe(4);
});

test('a server and a worker that meet the database of a newer version say so and end', async () => {
  const client = new pg.Client({ connectionString: postgres.address('copy') });
  await client.connect();
  await client.query(`INSERT INTO migrations (name, applied_at) VALUES ('9999-of-a-newer-version', '')`);
  await client.end();
  for (const words of ['serve --port 0', 'worker']) {
    const { exit, stderr } = await run(words, { env: env('copy') });
    expect([exit, stderr]).toEqual([4, expect.stringContaining('9999-of-a-newer-version')]);
  }
  const { exit, json } = await run('doctor --json', { env: env('copy') });
  const about = json.items.find(({ check }: { check: string }) => check === 'database');
  expect([exit, about.status, about.message]).toEqual([1, 'fail', expect.stringContaining('9999-of-a-newer-version')]);
});

test('nothing that was said contains the password of the database', () => {
  expect(said.length).toBeGreaterThan(1000);
  expect(said).not.toContain(SECRET);
});
