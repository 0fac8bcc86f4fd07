// Two servers behind a proxy, on one PostgreSQL database: no caller has to stay with the server that has signed him in.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCloudflare, type CloudflareFake } from '../../../src/demo/cloudflare.ts';
import { emptyState } from '../../../src/demo/cloudflare/state.ts';
import { readEvents } from '../../support/events.ts';
import { startPostgres, type PostgresServer } from '../../support/postgres/cluster.ts';
import { request } from '../../support/server.ts';
import { makeHome, PASSWORD, type Home, type Started } from '../cli.ts';

const KEY = '0123456789abcdef0123456789abcdef01234';
const REQUEST = 'ticket-4711.a';

let postgres: PostgresServer;
let home: Home;
let cdn: CloudflareFake;
let servers: Started[];
let one: { url: string };
let other: { url: string };

beforeAll(async () => {
  postgres = startPostgres({ databases: ['seo'] });
  cdn = await startCloudflare({
    state: { ...emptyState(), logins: [{ email: 'ops@example.net', api_key: KEY, accounts: [] }] },
  });
  home = makeHome();
  const env = {
    DATABASE_URL: postgres.address('seo'),
    CLOUDFLARE_API_URL: cdn.url,
    SEO_ADMIN_LANG: 'en',
    SEO_ADMIN_LOG: 'debug',
    SEO_ADMIN_DNS: '127.0.0.1:9',
  };
  const made = await home.run(['init', '--admin-login', 'admin', '--password-stdin'], { input: `${PASSWORD}\n`, env });
  if (made.exit !== 0) throw new Error(made.stderr);
  servers = [1, 2].map(() => home.start(['serve', '--port', '0', '--no-scheduler'], { env }));
  const [first, second] = await Promise.all(
    servers.map(async (server) => ({ url: (await server.says(/^listening on (http:\S+)$/m))[1] ?? '' })),
  );
  [one, other] = [first!, second!];
});
afterAll(async () => {
  for (const server of servers) server.process.kill('SIGKILL');
  await Promise.all(servers.map(({ ended }) => ended));
  await cdn.close();
  postgres.close();
  home.remove();
});

const signIn = async (at: { url: string }): Promise<string> =>
  (await request(at, 'POST /api/login', { body: { login: 'admin', password: PASSWORD } })).body.token;

/** A line of the log of either server that belongs to a request. */
async function lineOf(id: string, message: string): Promise<object> {
  const line = new RegExp(`^.*"request":"${id}".*"msg":"${message}".*$`, 'm');
  const [found] = await Promise.any(servers.map((server) => server.says(line)));
  return JSON.parse(found) as object;
}

test('who signs in at one server is signed in at the other, hears there what happens at the first, and signs out at both', async () => {
  const token = await signIn(one);
  expect((await request(other, 'GET /api/domains', { token })).status).toBe(200);
  const reader = await readEvents(other, token);
  await request(one, 'POST /api/domains', { token, body: { domain_name: 'one.example' } });
  const started = await request(one, 'POST /api/trigger_background_task', { token, body: {} });
  expect(started.status).toBe(200);
  await reader.find(({ event, data }) => event === 'operation' && data.kind === 'check');
  reader.close();
  expect((await request(one, 'POST /api/logout', { token })).status).toBe(200);
  // It may be known there for less than a second more.
  await expect.poll(async () => (await request(other, 'GET /api/domains', { token })).status).toBe(403);
});

test('the lines of a request, of its outside calls and of its operation have its id, and no secret', async () => {
  const token = await signIn(one);
  const body = { name: 'CDN', email: 'ops@example.net', api_key: KEY };
  const headers = { 'X-Request-Id': REQUEST };
  const added = await request(one, 'POST /api/cloudflare_accounts', { token, body, headers });
  expect([added.status, added.headers['x-request-id']]).toEqual([200, REQUEST]);
  const tested = await request(one, `POST /api/cloudflare_accounts/${added.body.data.id}/test`, { token, headers });
  expect(tested.status).toBe(200);
  expect(await lineOf(REQUEST, 'outside call')).toMatchObject({ service: 'cloudflare', outcome: 'ok', status: 200 });
  const asked = 'ticket-4711.b';
  await request(one, 'POST /api/trigger_background_task', { token, body: {}, headers: { 'X-Request-Id': asked } });
  expect(await lineOf(asked, 'operation')).toMatchObject({ operation: expect.any(Number) });
  expect(await lineOf(asked, 'outside call')).toMatchObject({ service: 'rdap', outcome: 'failed' });
  const odd = await request(one, 'GET /api/health', { headers: { 'X-Request-Id': 'a b"\\c' } });
  expect(odd.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
});

test('neither log has a secret, and a server that is told to stop ends', async () => {
  for (const server of servers) server.process.kill('SIGTERM');
  for (const { stderr, exit } of await Promise.all(servers.map(({ ended }) => ended))) {
    expect(stderr).toContain('"msg":"request"');
    expect(stderr).not.toContain(KEY);
    expect(stderr).not.toContain(PASSWORD);
    expect(exit).toBe(143);
  }
});
