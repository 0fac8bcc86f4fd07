import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeHome, type Home, type Started } from './cli.ts';

const LISTENING = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/m;
const DEMO = ['serve', '--demo', '--port', '0', '--no-scheduler'];

let home: Home;
beforeEach(() => {
  home = makeHome();
});
afterEach(() => home.remove());

async function signIn(url: string, login: string): Promise<string> {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ login, password: login });
  const answer = await fetch(`${url}/api/login`, { method: 'POST', headers, body });
  return ((await answer.json()) as { token: string }).token;
}

async function domains(url: string, token: string): Promise<number> {
  const answer = await fetch(`${url}/api/domains`, { headers: { Authorization: token } });
  return ((await answer.json()) as { data: object[] }).data.length;
}

async function stop(server: Started): Promise<string> {
  server.process.kill('SIGTERM');
  const { exit, stderr } = await server.ended;
  expect(exit).toBe(143);
  return stderr;
}

test('the demo needs no setup, prints its logins, and leaves the real data alone', async () => {
  const server = home.start(DEMO);
  const [, url = ''] = await server.says(LISTENING);
  expect(await domains(url, await signIn(url, 'demo'))).toBe(240);
  expect(await domains(url, await signIn(url, 'operator'))).toBe(80);

  const second = await home.run([...DEMO, '--json']);
  expect([second.exit, second.json.error.code]).toEqual([75, 'busy']);
  expect((await home.run(['demo', 'reset', '--json'])).exit).toBe(75);

  const stderr = await stop(server);
  expect(stderr).toContain('demo / demo, operator / operator');
  expect(stderr).not.toContain('/setup#');
  expect(existsSync(join(home.dir, 'demo.sqlite'))).toBe(true);
  expect(existsSync(join(home.dir, 'seo-admin.sqlite'))).toBe(false);
  expect((await home.run(['domain', 'list', '--json'])).json.items).toEqual([]);

  expect((await home.run(['demo', 'reset', '--json'])).json).toMatchObject({ ok: true, exit: 0 });
  expect(existsSync(join(home.dir, 'demo.sqlite'))).toBe(false);
  expect(existsSync(join(home.dir, 'demo'))).toBe(false);
});

test('the demo has the requested size, also when frozen', async () => {
  const server = home.start([...DEMO, '--demo-size', '500', '--demo-freeze']);
  const [, url = ''] = await server.says(LISTENING);
  expect(await domains(url, await signIn(url, 'demo'))).toBe(500);
  await stop(server);
});

test('the demo refuses to listen on the network, and its flags are refused without --demo', async () => {
  for (const args of [
    ['serve', '--demo', '--host', '0.0.0.0'],
    ['serve', '--demo', '--host', '127.example.com'],
    ['serve', '--demo-size', '10'],
    ['serve', '--demo-freeze'],
    ['serve', '--demo', '--demo-size', '0'],
  ]) {
    const { exit, stderr } = await home.run(args);
    expect([args, exit, stderr === '']).toEqual([args, 2, false]);
  }
  expect(existsSync(home.dir)).toBe(false);
});

test('the demo and its world end at once if the port is taken', async () => {
  const first = home.start(['serve', '--port', '0', '--no-scheduler']);
  const [, url = ''] = await first.says(LISTENING);
  const { exit, json } = await home.run(['serve', '--demo', '--port', new URL(url).port, '--json']);
  expect({ exit, code: json.error.code }).toEqual({ exit: 1, code: 'eaddrinuse' });
  await stop(first);
});
