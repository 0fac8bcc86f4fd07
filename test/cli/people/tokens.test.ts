import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAdminHome, PASSWORD, type Home } from '../cli.ts';

let home: Home;
beforeAll(async () => {
  home = await makeAdminHome();
  await home.run(['user', 'create', '--login', 'ann', '--password-stdin'], { input: PASSWORD });
  await home.run(['user', 'create', '--login', 'bob', '--password-stdin'], { input: PASSWORD });
});
afterAll(() => home.remove());

test('a token is printed once on stdout, is in no file, and is listed and revoked by its user alone', async () => {
  const made = await home.run(['token', 'create', 'nightly', '--scope', 'write', '--as', 'ann']);
  expect(made.stdout).toMatch(/^sa_[\w-]{43}\n$/);
  const token = made.stdout.trim();
  expect(made.stderr).not.toContain(token);
  for (const file of readdirSync(home.dir)) {
    expect(readFileSync(join(home.dir, file)).includes(token.slice(3))).toBe(false);
  }
  const { items } = JSON.parse((await home.run(['token', 'list', '--as', 'ann', '--json'])).stdout) as {
    items: { id: number; hint: string; scope: string }[];
  };
  expect(items).toMatchObject([{ login: 'ann', name: 'nightly', scope: 'write', hint: token.slice(-4) }]);
  const id = String(items[0]?.id);
  expect((await home.run(['token', 'revoke', id, '--as', 'bob'])).exit).toBe(1);
  expect((await home.run(['token', 'revoke', id, '--as', 'ann'])).exit).toBe(0);
  expect((await home.run(['token', 'revoke', id])).exit).toBe(1);
});

test('a user gets no token of administrators by the command line either', async () => {
  for (const flag of [['--scope', 'admin'], ['--never-expires']]) {
    expect((await home.run(['token', 'create', 'a', ...flag, '--as', 'ann'])).exit).toBe(1);
    expect((await home.run(['token', 'create', 'a', ...flag])).exit).toBe(0);
  }
});

test('the second factor of a user is reset on the host, not by a user', async () => {
  expect((await home.run(['user', 'reset-second-factor', 'ann'])).exit).toBe(0);
  expect((await home.run(['user', 'reset-second-factor', 'ann', '--as', 'bob'])).exit).toBe(4);
});

test('a password that is set on the host ends the address of the calendar, too', async () => {
  const server = home.start(['serve', '--port', '0', '--no-scheduler']);
  const [, url = ''] = await server.says(/^listening on (http:\S+)$/m);
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as { token: string; url: string };
  };
  const { token } = await post('/api/login', { login: 'ann', password: PASSWORD });
  const feed = await post('/api/expiry_feed', {}, { Authorization: `Bearer ${token}` });
  expect((await fetch(url + feed.url)).status).toBe(200);
  const set = await home.run(['user', 'passwd', 'ann', '--password-stdin'], { input: `${PASSWORD} new` });
  expect(set.exit).toBe(0);
  expect((await fetch(url + feed.url)).status).toBe(404);
  server.process.kill('SIGTERM');
  await server.ended;
});
