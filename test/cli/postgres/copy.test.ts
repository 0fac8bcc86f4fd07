// Errors of `db copy` about a source and a target that it can't take, by the real command line.
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPostgres, type PostgresServer } from '../../support/postgres/cluster.ts';
import { makeHome, PASSWORD, type Home, type Run } from '../cli.ts';

let postgres: PostgresServer;
let home: Home;
const SOURCE = { DATABASE_URL: 'sqlite:own.sqlite', SEO_ADMIN_LANG: 'en' };
const inHome = (name: string): string => join(home.dir, name);
const copy = (to: string, env: Record<string, string> = {}, ...flags: string[]): Promise<Run> =>
  home.run(['db', 'copy', to, '--json', ...flags], { env: { ...SOURCE, ...env } });
const told = ({ exit, json }: Run) => [exit, json.error?.code, json.error?.message];

/** Makes a role of the server that has to give a password. */
async function requirePassword(login: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.address('postgres') });
  await client.connect();
  await client.query(`CREATE ROLE ${login} LOGIN PASSWORD '${password}'`);
  await client.query(`ALTER DATABASE asks OWNER TO ${login}`);
  const { rows } = await client.query<{ hba_file: string }>('SHOW hba_file');
  const [{ hba_file: file }] = rows as [{ hba_file: string }];
  writeFileSync(file, `local all ${login} scram-sha-256\n${readFileSync(file, 'utf8')}`);
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}

beforeAll(async () => {
  postgres = startPostgres({ databases: ['seo', 'asks', 'served', 'cut'] });
  home = makeHome();
  const made = await home.run(['init', '--admin-login', 'admin', '--password-stdin'], {
    input: `${PASSWORD}\n`,
    env: SOURCE,
  });
  if (made.exit !== 0) throw new Error(made.stderr);
});
afterAll(() => {
  home.remove();
  postgres.close();
});

test('a server that asks for a password is told as that, and takes it from a file', async () => {
  await requirePassword('owner', 'its-password');
  const address = postgres.address('asks').replace('postgres@', 'owner@');
  const shown = expect.stringMatching(/^The database postgres:\/\/\S+\/asks asks for a password/);
  expect(told(await copy(address))).toEqual([4, 'not_configured', shown]);
  const listed = await home.run(['user', 'list', '--json'], { env: { ...SOURCE, DATABASE_URL: address } });
  expect(told(listed)).toEqual([4, 'not_configured', shown]);
  const wrong = await copy(address, {}, '--password-file', home.file('wrong', 'another-password\n'));
  expect(told(wrong)).toEqual([4, 'not_configured', expect.stringContaining('refuses the connection')]);
  expect(wrong.stdout + wrong.stderr).not.toContain('another-password');
  const done = await copy(address, {}, '--password-file', home.file('right', 'its-password\n'));
  expect(done.json).toMatchObject({ ok: true });
});

test('a target that is the source itself by another name is told as that, and at once', async () => {
  symlinkSync(inHome('own.sqlite'), inHome('link.sqlite'));
  expect(told(await copy('sqlite:link.sqlite'))).toEqual([2, 'invalid', 'That is the database itself']);
  const address = postgres.address('seo');
  expect((await copy(address)).exit).toBe(0);
  const again = await copy(`${address}&connect_timeout=9`, { DATABASE_URL: address });
  expect(told(again)).toEqual([2, 'invalid', 'That is the database itself']);
});

test('a source whose key is missing or another one is refused before anything is written', async () => {
  const missing = inHome('nowhere');
  expect(told(await copy('sqlite:new.sqlite', { SEO_ADMIN_KEY_FILE: missing }))).toEqual([
    4,
    'key_missing',
    expect.stringContaining(missing),
  ]);
  const other = home.file('other', `${Buffer.alloc(32, 7).toString('base64')}\n`);
  chmodSync(other, 0o600);
  const wrong = await copy('sqlite:new.sqlite', { SEO_ADMIN_KEY_FILE: other });
  expect(told(wrong)).toEqual([4, 'key_wrong', expect.stringContaining(other)]);
  expect([existsSync(missing), existsSync(inHome('new.sqlite'))]).toEqual([false, false]);
});

test('a file that is no database is told by its name, whether it is the target or the source', async () => {
  const text = home.file('text.sqlite', 'no database, but somebody’s text\n'.repeat(100));
  const folder = inHome('folder');
  mkdirSync(folder);
  for (const path of [text, folder]) {
    const message = expect.stringContaining(`The target ${path} `);
    expect(told(await copy(`sqlite:${path}`))).toEqual([1, 'conflict', message]);
  }
  expect(readFileSync(text, 'utf8')).toMatch(/^no database/);
  const damaged = await copy('sqlite:new.sqlite', { DATABASE_URL: `sqlite:${text}` });
  expect([damaged.exit, damaged.json.error.message]).toEqual([1, expect.stringContaining('damaged')]);
  expect(existsSync(inHome('new.sqlite'))).toBe(false);
});

test('an address without the name of a database, and a password for a file, are refused before anything is read', async () => {
  const nameless = expect.stringContaining('postgres://login@host/name');
  for (const address of ['postgres://owner@127.0.0.1', 'postgres://owner@127.0.0.1/']) {
    expect(told(await copy(address))).toEqual([2, 'usage', nameless]);
  }
  writeFileSync(inHome('password.txt'), 'secret');
  const unused = await copy('sqlite:new.sqlite', {}, '--password-file', inHome('password.txt'));
  expect(told(unused)).toEqual([2, 'usage', expect.stringContaining('a SQLite file has no password')]);
  expect(existsSync(inHome('new.sqlite'))).toBe(false);
});

test('a copy that is interrupted says that nothing was copied, and nothing was', async () => {
  const address = postgres.address('cut');
  expect((await home.run(['db', 'migrate'], { env: { ...SOURCE, DATABASE_URL: address } })).exit).toBe(0);
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  await client.query('DELETE FROM installation');
  await client.query('BEGIN; LOCK TABLE installation IN SHARE MODE');
  const running = home.start(['db', 'copy', address, '--json'], { env: SOURCE });
  const waiting = 'SELECT 1 FROM pg_locks WHERE NOT granted';
  await expect.poll(async () => (await client.query(waiting)).rows.length).toBe(1);
  running.process.kill('SIGINT');
  await client.query('COMMIT');
  expect(told(await running.ended)).toEqual([130, 'interrupted', 'Stopped: nothing was copied']);
  expect((await client.query('SELECT 1 FROM installation')).rows).toEqual([]);
  await client.end();
  expect((await copy(address)).exit).toBe(0);
});

test('a source on which a server runs is told as in use, and what is written there stays there alone', async () => {
  const address = postgres.address('served');
  expect((await copy(address)).exit).toBe(0);
  const env = { ...SOURCE, DATABASE_URL: address };
  const server = home.start(['serve', '--port', '0', '--no-scheduler'], { env });
  await server.says(/^listening on/m);
  expect(told(await copy('sqlite:new.sqlite', env))).toEqual([
    75,
    'busy',
    expect.stringContaining('stop seo-admin serve'),
  ]);
  expect(existsSync(inHome('new.sqlite'))).toBe(false);
  server.process.kill('SIGTERM');
  await server.ended;
  // The server's session may outlive its process for a moment.
  await expect.poll(async () => (await copy('sqlite:new.sqlite', env)).exit).toBe(0);
});
