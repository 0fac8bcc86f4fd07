// The checks before every route: hosts, headers, proxies, methods, and clients that are slow or malicious.
import { createConnection } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { select } from '../../db/index.ts';
import { routes } from '../../src/api/index.ts';
import { createPerson, PASSWORD, request, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer({ publicUrl: 'https://panel.example/', trustedProxies: ['127.0.0.9'] });
});
afterAll(() => server.close());

/** Sends raw bytes and returns everything received until the server closes. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection({ port: server.port, host: '127.0.0.1' });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    socket.write(bytes, 'latin1');
  });
}

const get = (headers: string, path = '/api/health') =>
  raw(`GET ${path} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
const statusOf = (answer: string): number => Number(answer.split(' ')[1]);

test('our own names and addresses are served with any port', async () => {
  const hosts = [
    'localhost',
    'LOCALHOST:1',
    '127.0.0.1',
    `127.0.0.1:${server.port}`,
    '[::1]',
    '[::1]:80',
    '[::ffff:7f00:1]',
  ];
  hosts.push('panel.example', 'Panel.Example:443', '192.168.1.10:4180', '203.0.113.5', 'panel.example.:80');
  for (const host of hosts) expect([host, statusOf(await get(`Host: ${host}\r\n`))]).toEqual([host, 200]);
});

test('a target in absolute form is served only if its host is ours, too', async () => {
  const ask = async (target: string) =>
    statusOf(await raw(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`));
  for (const host of ['localhost', '127.0.0.1:8080', '[::1]']) expect(await ask(`http://${host}/api/health`)).toBe(200);
  for (const target of [
    'http://evil.example',
    'HTTP://evil.example:80',
    'http://localhost@evil.example',
    'http://',
    'ftp://localhost',
  ]) {
    for (const path of ['/api/health', '/'])
      expect([target, path, await ask(target + path)]).toEqual([target, path, 421]);
  }
});

test('a foreign, broken or second Host is refused', async () => {
  const hosts = ['evil.example', 'localhost.evil.example', 'localhost@evil.example', 'localhost:80@evil.example'];
  hosts.push('evil.example:4180', 'panel.example.evil', 'xpanel.example', '', ' ', 'localhost:', 'localhost:999999');
  hosts.push('localhost/', 'localhost?', 'localhost#', 'localhost\\', '2130706433', '0x7f.1', '127.1', '[::1', '::1');
  hosts.push('[localhost]', 'localhost:80:80', 'localhost,evil.example', 'local\thost', 'localhost..', 'л');
  for (const host of hosts) expect([host, statusOf(await get(`Host: ${host}\r\n`))]).toEqual([host, 421]);
  for (const path of ['/', '/api/session', '/api/nothing', '/index.html']) {
    expect([path, statusOf(await get('Host: evil.example\r\n', path))]).toEqual([path, 421]);
  }
  expect(statusOf(await get('Host: localhost\r\nHost: evil.example\r\n'))).toBe(421);
  expect(statusOf(await get('Host: localhost\r\nHost: localhost\r\n'))).toBe(421);
  expect(statusOf(await get(''))).toBe(400);
  expect(statusOf(await raw('GET /api/health HTTP/1.0\r\n\r\n'))).toBe(421);
});

test('requests that two servers could parse differently are refused', async () => {
  const post = 'POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
  const smuggled = 'GET /api/users HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const shapes = {
    'length and chunks': `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    'two lengths': `${post}Content-Length: 2\r\nContent-Length: 50\r\n\r\n{}${smuggled}`,
    'the same length twice': `${post}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`,
    'a list of lengths': `${post}Content-Length: 2, 2\r\n\r\n{}`,
    'a negative length': `${post}Content-Length: -2\r\n\r\n{}`,
    'a length with a sign': `${post}Content-Length: +2\r\n\r\n{}`,
    'a blank before the colon': `${post}Content-Length : 2\r\n\r\n{}`,
    'a folded header': `${post}X-A: a\r\n b\r\nContent-Length: 2\r\n\r\n{}`,
    'an unknown encoding': `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    'chunks, then another encoding': `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    'a bad chunk': `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    'a NUL in a header': `${post}X-A: a\0b\r\n\r\n`,
    'TLS on a plain port': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'a blank in the path': 'GET /api/he alth HTTP/1.1\r\nHost: localhost\r\n\r\n',
  };
  for (const [shape, bytes] of Object.entries(shapes)) {
    const answer = await raw(bytes);
    expect([shape, statusOf(answer), answer.match(/HTTP\/1\.1 /g)?.length]).toEqual([shape, 400, 1]);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({ error: 'Bad Request', code: 'bad_request' });
  }
});

test('headers that are too long are refused', async () => {
  const answer = await get(`Host: localhost\r\nX-A: ${'x'.repeat(64 * 1024)}\r\n`);
  expect(statusOf(answer)).toBe(431);
  expect(answer).toContain('"code":"request_header_fields_too_large"');
  expect(statusOf(await get('Host: localhost\r\n', `/api/health?${'x'.repeat(64 * 1024)}`))).toBe(431);
  const many = Array.from({ length: 3000 }, (_, index) => `X-${index}: a\r\n`).join('');
  expect(statusOf(await get(`Host: localhost\r\n${many}`))).toBe(431);
});

test('every answer carries the security headers, and none a cookie', async () => {
  const calls = ['GET /', 'GET /sites', 'GET /api/health', 'GET /api/session', 'GET /api/nothing', 'PATCH /api/login'];
  for (const call of [
    ...calls,
    'POST /api/login',
    'GET /../../etc/passwd',
    'GET /%2e%2e/%2e%2e/etc/passwd',
    'GET /api/%ff',
  ]) {
    const { headers, text } = await request(server, call);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;font-src 'self';connect-src 'self';" +
        "frame-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    for (const absent of ['set-cookie', 'x-powered-by', 'access-control-allow-origin', 'server']) {
      expect(headers[absent]).toBeUndefined();
    }
    expect(text).not.toContain('root:');
  }
  const signedIn = await request(server, 'POST /api/login', { body: { login: 'admin', password: PASSWORD } });
  expect(signedIn.headers['set-cookie']).toBeUndefined();
  expect(signedIn.headers['cache-control']).toBe('no-store');
});

test('a cross-site request is refused', async () => {
  const { token } = server.admin;
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
  const answer = await request(server, 'POST /api/projects', { token, headers, body: { name: 'x' } });
  expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
  const preflight = { ...headers, 'access-control-request-method': 'POST' };
  const options = await request(server, 'OPTIONS /api/projects', { headers: preflight });
  expect(options.headers['access-control-allow-origin']).toBeUndefined();
  expect(options.status).toBeGreaterThanOrEqual(400);
});

test('a method that a path does not support is 405 and lists the supported ones', async () => {
  for (const path of new Set(routes.map((route) => route.path))) {
    const allowed = routes.filter((route) => route.path === path).map(({ method }) => method);
    for (const method of [
      'PATCH',
      'TRACE',
      'PROPFIND',
      ...['GET', 'POST', 'PUT', 'DELETE'].filter((m) => !allowed.includes(m)),
    ]) {
      const { status, headers, body } = await request(server, `${method} ${path.replace(/:\w+/, '1')}`);
      const shared = routes.filter((route) => route.method === method && matches(route.path, path));
      // A path such as `/api/domains/1` may match another route as well.
      expect([method, path, shared.length > 0 || (status === 405 && body.code === 'method_not_allowed')]).toEqual([
        method,
        path,
        true,
      ]);
      expect(shared.length > 0 || allowed.every((name) => headers.allow?.includes(name))).toBe(true);
    }
  }
});

test('a method that a path has not is answered in words with those that it has', async () => {
  const said = async (lang: string): Promise<string> =>
    (await request(server, 'GET /api/projects', { headers: { 'accept-language': lang } })).body.error;
  expect([await said('ru'), await said('en')]).toEqual([
    'Такого метода у этого адреса нет, есть: POST',
    'This address does not take that method; it takes POST',
  ]);
});

const matches = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path);

test('an unknown path of the API is 404 in JSON, without a token too', async () => {
  for (const path of [
    '/api',
    '/api/',
    '/api/nothing',
    '/api/domains/1/nothing',
    '/api/Domains',
    '/api//domains',
    '/api/%2e%2e/x',
  ]) {
    const { status, text, headers } = await request(server, `GET ${path}`);
    expect([path, status, text]).toEqual([path, 404, '{"error":"Not found","code":"not_found"}']);
    expect(headers['content-type']).toMatch(/^application\/json/);
  }
});

test('X-Forwarded-For is trusted from a listed proxy only, and its last address that is no proxy is the caller', async () => {
  const person = await createPerson(server);
  const addressAfter = async (from: string, forwarded: string) => {
    const body = { login: person.login, password: PASSWORD };
    await request(server, 'POST /api/login', { body, from, headers: { 'x-forwarded-for': forwarded } });
    const [row] = await select<{ address: string }>('SELECT address FROM sessions ORDER BY id DESC LIMIT 1');
    return row?.address;
  };
  expect(await addressAfter('127.0.0.1', '198.51.100.7')).toBe('127.0.0.1');
  expect(await addressAfter('127.0.0.9', '198.51.100.7')).toBe('198.51.100.7');
  expect(await addressAfter('127.0.0.9', '10.6.6.6, 198.51.100.8')).toBe('198.51.100.8');
  expect(await addressAfter('127.0.0.9', '198.51.100.8, 127.0.0.9')).toBe('198.51.100.8');
  expect(await addressAfter('127.0.0.9', ', ,')).toBe('127.0.0.9');
});

test('connections with slow heads and bodies are closed, and other calls are answered meanwhile', async () => {
  const head =
    'POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"login":';
  const slow = [
    ...Array.from({ length: 100 }, () => raw('GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-A: ')),
    ...Array.from({ length: 20 }, () => raw(head)),
  ];
  const open = new Set(slow);
  for (const socket of slow) void socket.then(() => open.delete(socket));
  while (open.size > 0) {
    expect((await request(server, 'GET /api/session', { token: server.admin.token })).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const answers = await Promise.all(slow);
  expect(answers.filter((answer) => statusOf(answer) === 200)).toEqual([]);
});

test('a client that disconnects during a request does no harm', async () => {
  const { token } = server.admin;
  const begun = `POST /api/projects HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${token}\r\nContent-Type: application/json\r\n`;
  const upload = begun.replace('application/json', 'multipart/form-data; boundary=x').replace('projects', 'domains');
  const part = '--x\r\nContent-Disposition: form-data; name="html_file"; filename="a"\r\n\r\nabc';
  const all = [`${begun}Content-Length: 100\r\n\r\n{"name":`, `${begun}Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam`];
  for (const bytes of [...all, `${upload}Content-Length: 9999\r\n\r\n${part}`]) {
    await new Promise<void>((resolve) => {
      const socket = createConnection({ port: server.port, host: '127.0.0.1' }, () => {
        socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 50));
      });
      socket.on('close', () => resolve());
    });
  }
  expect((await request(server, 'GET /api/user_projects', { token })).body).toEqual({ data: [] });
});
