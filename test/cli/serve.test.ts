import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BIN, makeHome, PASSWORD, type Home } from './cli.ts';

const LISTENING = /^listening on (http:\/\/127\.0\.0\.1:(\d+))$/m;

let home: Home;
beforeEach(() => {
  home = makeHome();
});
afterEach(() => home.remove());

test('the first run prints how to create the first administrator, until there is one', async () => {
  const server = home.start(['serve', '--port', '0', '--no-scheduler', '--data-dir', home.dir]);
  const [, url = ''] = await server.says(LISTENING);
  await server.says(new RegExp(`seo-admin --data-dir ${home.dir} user create`));
  const [, token = ''] = await server.says(/\/setup#t=([\w-]{43})/);
  expect(await (await fetch(`${url}/api/health`)).json()).toMatchObject({ status: 'ok' });
  const made = await fetch(`${url}/api/setup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, login: 'first', password: PASSWORD }),
  });
  expect(made.status).toBe(200);
  expect((await home.run(['user', 'list', '--json'])).json.items).toMatchObject([{ login: 'first', role: 'admin' }]);
  server.process.kill('SIGTERM');
  const { exit, stdout } = await server.ended;
  expect({ exit, stdout }).toEqual({ exit: 143, stdout: '' });

  const again = home.start(['serve', '--port', '0', '--json']);
  await again.says(LISTENING);
  again.process.kill('SIGINT');
  const second = await again.ended;
  expect(second.exit).toBe(130);
  expect(second.stderr).not.toContain('/setup#');
  expect(second.json).toMatchObject({ ok: true, url: expect.stringMatching(/^http:/) });
});

test('a server whose terminal is closed ends in order, of which it is told twice', async () => {
  const server = home.start(['serve', '--port', '0', '--no-scheduler', '--lang', 'en']);
  await server.says(LISTENING);
  server.process.kill('SIGHUP');
  await server.says(/^Stopping/m);
  server.process.kill('SIGHUP');
  const { exit, stderr } = await server.ended;
  expect([exit, stderr]).toEqual([129, expect.not.stringContaining('seo-admin: ')]);
});

test('the CLI works on the database of a running server; a second server runs beside the first', async () => {
  const first = home.start(['serve', '--port', '0', '--no-scheduler']);
  const [, url = ''] = await first.says(LISTENING);
  const second = home.start(['serve', '--port', '0', '--no-scheduler']);
  const [, other = ''] = await second.says(LISTENING);
  await home.run(['user', 'create', '--login', 'a', '--role', 'admin', '--password-stdin'], { input: PASSWORD });
  for (const address of [url, other]) {
    const login = await fetch(`${address}/api/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ login: 'a', password: PASSWORD }),
    });
    expect(login.status).toBe(200);
  }
  expect((await home.run(['db', 'restore', home.file('x', ''), '--yes'])).exit).toBe(1);
  const copy = home.file('unused', '').replace('unused', 'copy.sqlite');
  expect((await home.run(['db', 'backup', copy])).exit).toBe(0);
  const busy = await home.run(['db', 'restore', copy, '--yes', '--json']);
  expect({ exit: busy.exit, code: busy.json.error.code }).toEqual({ exit: 75, code: 'busy' });
  for (const server of [first, second]) {
    server.process.kill('SIGTERM');
    expect((await server.ended).exit).toBe(143);
  }
  expect((await home.run(['db', 'restore', copy, '--yes'])).exit).toBe(0);
});

test('a port that is taken is reported with a way out', async () => {
  const first = home.start(['serve', '--port', '0']);
  const [, , port = ''] = await first.says(LISTENING);
  const { exit, stderr, json } = await home.run(['serve', '--port', port, '--json']);
  expect({ exit, code: json.error.code }).toEqual({ exit: 1, code: 'eaddrinuse' });
  expect(stderr).toContain('--port 0');
  first.process.kill('SIGTERM');
  await first.ended;
});

test('a server started by npx ends when npx is gone', async () => {
  const script = `require('node:child_process').spawn(process.execPath, ${JSON.stringify([BIN, 'serve', '--port', '0'])}, { stdio: 'inherit' })`;
  const npx = spawn(process.execPath, ['-e', script], {
    env: { ...process.env, npm_command: 'exec', SEO_ADMIN_DATA_DIR: home.dir },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  npx.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const over = once(npx.stderr, 'end');
  while (!LISTENING.test(stderr)) await once(npx.stderr, 'data');
  npx.kill('SIGKILL');
  // The server has inherited the pipe, which ends when the server does.
  await over;
  const [, url = ''] = LISTENING.exec(stderr) ?? [];
  await expect(fetch(`${url}/api/health`)).rejects.toThrow('fetch failed');
});
