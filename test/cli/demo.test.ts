import { existsSync, rmSync } from 'node:fs';
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

  const real = ['seo-admin.sqlite', 'key'].map((name) => join(home.dir, name));
  const resetAs = async (login: string) =>
    (await home.run(['--demo', '--as', login, 'demo', 'reset', '--yes', '--json'])).json;
  for (const name of real) rmSync(name, { force: true });
  expect((await resetAs('nobody')).error.code).toBe('not_found');
  expect((await resetAs('operator')).error.code).toBe('forbidden');
  expect(existsSync(join(home.dir, 'demo.sqlite'))).toBe(true);
  expect(await resetAs('demo')).toMatchObject({ ok: true, exit: 0 });
  expect((await resetAs('demo')).error.code).toBe('not_found');
  expect(real.filter((name) => existsSync(name))).toEqual([]);
  expect((await home.run(['demo', 'reset', '--json'])).json).toMatchObject({ ok: true, exit: 0 });
  expect(existsSync(join(home.dir, 'demo.sqlite'))).toBe(false);
  expect(existsSync(join(home.dir, 'demo'))).toBe(false);
});

test('a command with --demo works on the running demo and its services, and says so where none runs', async () => {
  const absent = await home.run(['--demo', 'registrar', 'list', '--json']);
  expect([absent.exit === 0, absent.json.error.code]).toEqual([false, 'demo_not_running']);
  expect(absent.stderr).toContain('seo-admin serve --demo');

  const server = home.start(DEMO);
  await server.says(LISTENING);
  const { items } = (await home.run(['registrar', 'list', '--demo', '--json'])).json;
  expect(items.map(({ type }: { type: string }) => type).toSorted()).toEqual([
    'expired.ru',
    'namecheap.com',
    'porkbun.com',
    'reg.ru',
    'reghouse.ru',
  ]);
  const regru = items.find(({ type }: { type: string }) => type === 'reg.ru');
  const tested = await home.run(['--demo', 'registrar', 'test', String(regru.id), '--json']);
  expect(tested.exit).toBe(0);
  expect(tested.json.items).toMatchObject([{ message: 'Вход работает. Баланс: 8\u00A0425,50 RUB' }]);
  expect((await home.run(['registrar', 'list', '--json'])).json.items).toEqual([]);
  const status = await home.run(['status', '--demo', '--json']);
  const commands = status.json.items.map(({ command }: { command: string }) => command);
  const transfer = commands.find((command: string) => command.includes('transfer plan'));
  const planned = await home.run([...transfer.split(' ').slice(1), '--json']);
  expect(commands.filter((command: string) => !command.startsWith('seo-admin --demo '))).toEqual([]);
  expect(planned.json.schema).toBe('seo-admin/transfer.plan@1');
  expect(planned.json.error?.code).not.toBe('demo_not_running');

  server.process.kill('SIGKILL');
  await server.ended;
  expect(existsSync(join(home.dir, 'demo', 'running.json'))).toBe(true);
  const killed = await home.run(['--demo', 'registrar', 'list', '--json']);
  expect(killed.json.error.code).toBe('demo_not_running');
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

test('the demo is begun by the host or an administrator of it that --as names alone, and is left as it was else', async () => {
  const begin = (login: string, size: string) => [...DEMO, '--demo-size', size, '--as', login, '--json'];
  const refusal = async (login: string, size: string) => (await home.run(begin(login, size))).json.error.code;
  expect([await refusal('nobody', '40'), await refusal('operator', '50')]).toEqual(['not_found', 'forbidden']);
  const server = home.start(begin('demo', '40'));
  const [, url = ''] = await server.says(LISTENING);
  expect(await domains(url, await signIn(url, 'demo'))).toBe(40);
  await stop(server);
  expect(await refusal('operator', '50')).toBe('forbidden');
  const again = home.start(DEMO);
  const [, other = ''] = await again.says(LISTENING);
  expect(await domains(other, await signIn(other, 'demo'))).toBe(40);
  await stop(again);
});
