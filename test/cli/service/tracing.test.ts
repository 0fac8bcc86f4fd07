// OpenTelemetry by its variables alone: one trace from the door over the queue and another process to the outside call, without a secret or a name.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCloudflare, type CloudflareFake } from '../../../src/demo/cloudflare.ts';
import { emptyState } from '../../../src/demo/cloudflare/state.ts';
import { startReceiver, type Receiver, type SentSpan } from './otlp.ts';
import { request } from '../../support/server.ts';
import { loadedBy, makeAdminHome, PASSWORD, type Home, type Started } from '../cli.ts';

const LOGIN = { email: 'ops@example.net', api_key: '0123456789abcdef0123456789abcdef01234' };
const ACCOUNT = 'a'.repeat(32);
const NAMES = ['customer-one.example', 'customer-two.example', 'customer-three.example'];
const PARENT = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' };

let home: Home;
let cdn: CloudflareFake;
let receiver: Receiver;
let env: Record<string, string>;
const started: Started[] = [];

const start = (args: string[], more: Record<string, string> = {}): Started => {
  const one = home.start(args, { env: { ...env, ...more } });
  started.push(one);
  return one;
};

beforeAll(async () => {
  const name_servers: [string, string] = ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'];
  cdn = await startCloudflare({
    latencyMs: 400,
    state: {
      ...emptyState(),
      logins: [{ ...LOGIN, accounts: [ACCOUNT] }],
      accounts: [
        {
          id: ACCOUNT,
          name: 'Main',
          type: 'standard',
          created_on: '2024-03-01T12:21:02Z',
          name_servers,
          pending_cap: 50,
        },
      ],
    },
  });
  for (const name of NAMES) cdn.addZone({ name, account_id: ACCOUNT, status: 'active' });
  receiver = await startReceiver();
  home = await makeAdminHome();
  env = {
    CLOUDFLARE_API_URL: cdn.url,
    SEO_ADMIN_TRUSTED_PROXIES: '127.0.0.1',
    SEO_ADMIN_DNS: '127.0.0.1:9',
    SEO_ADMIN_LANG: 'en',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=of-the-collector',
    OTEL_SERVICE_NAME: 'portfolio',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  };
});
afterAll(async () => {
  for (const { process } of started) process.kill('SIGKILL');
  await Promise.all(started.map(({ ended }) => ended));
  await Promise.all([cdn.close(), receiver.close()]);
  home.remove();
});

const named = (name: string): SentSpan | undefined => receiver.spans.find((span) => span.name === name);

test('a trace goes from the door over the queue into the process that goes on with the work, down to the outside call', async () => {
  const server = start(['serve', '--port', '0', '--no-scheduler']);
  const at = { url: (await server.says(/^listening on (http:\S+)$/m))[1] ?? '' };
  const { token } = (await request(at, 'POST /api/login', { body: { login: 'admin', password: PASSWORD } })).body;
  const account = await request(at, 'POST /api/cloudflare_accounts', { token, body: { name: 'CDN', ...LOGIN } });
  for (const domain_name of NAMES) {
    const body = { domain_name, cloudflare_account_id: account.body.data.id };
    expect((await request(at, 'POST /api/domains', { token, body })).status).toBe(200);
  }
  const asked = cdn.requests.length;
  const headers = { traceparent: `00-${PARENT.trace}-${PARENT.span}-01`, 'X-Request-Id': 'ticket-4711' };
  const body = { action: 'enable' };
  expect((await request(at, 'POST /api/manage-under-attack-mode-all', { token, body, headers })).status).toBe(200);
  await expect.poll(() => cdn.requests.length).toBeGreaterThan(asked);
  // It puts the work back and sends what it has.
  server.process.kill('SIGTERM');
  expect((await server.ended).exit).toBe(143);
  const door = named('POST /api/manage-under-attack-mode-all');
  expect(door).toMatchObject({ traceId: PARENT.trace, parentSpanId: PARENT.span, service: 'portfolio' });
  expect(door?.facts).toMatchObject({ 'http.response.status_code': 200, 'seo_admin.request': 'ticket-4711' });
  expect(named('operation under_attack')).toMatchObject({ traceId: PARENT.trace, parentSpanId: door?.spanId });

  const before = receiver.spans.length;
  const worker = start(['worker', '--only', 'dns']);
  const isEnded = ({ name, facts }: SentSpan): boolean =>
    name === 'operation under_attack' && facts['seo_admin.state'] === 'succeeded';
  await expect
    .poll(() => receiver.spans.find(isEnded))
    .toMatchObject({ traceId: PARENT.trace, parentSpanId: door?.spanId });
  worker.process.kill('SIGTERM');
  await worker.ended;
  const later = receiver.spans.slice(before);
  const work = later.find(isEnded);
  const items = later.filter(({ name, parentSpanId }) => name === 'item' && parentSpanId === work?.spanId);
  expect(items.map(({ facts }) => facts['seo_admin.state'])).toContain('done');
  const call = later.find(({ name }) => name === 'PATCH cloudflare /client/v4/zones/:id/settings/security_level');
  expect(call).toMatchObject({ traceId: PARENT.trace, facts: { 'http.response.status_code': 200 } });
  expect(items.map(({ spanId }) => spanId)).toContain(call?.parentSpanId);
  const known = new Set(receiver.spans.map(({ spanId }) => spanId).concat(PARENT.span));
  expect(receiver.spans.filter(({ parentSpanId }) => parentSpanId && !known.has(parentSpanId))).toEqual([]);
});

test('a round of checks is a span with its counts and one of the sites that it has asked, whatever the number of names', async () => {
  const before = receiver.spans.length;
  const checked = start(['check', 'all', '--json'], { SEO_ADMIN_CONNECT_TO: '::127.0.0.1:9' });
  await checked.ended;
  const spans = receiver.spans.slice(before);
  const one = (name: string): SentSpan | undefined => {
    const found = spans.filter((span) => span.name === name);
    expect(found).toHaveLength(1);
    return found[0];
  };
  const [work, http, sites, list] = ['operation check', 'check http', 'sites', 'check blocklist'].map(one);
  expect(http).toMatchObject({ traceId: work?.traceId, parentSpanId: work?.spanId });
  // Whole numbers are texts in OTLP's JSON.
  expect(http?.facts).toMatchObject({ 'seo_admin.done': NAMES.length, 'seo_admin.failed': 0 });
  expect(sites).toMatchObject({ parentSpanId: http?.spanId, facts: { 'peer.service': 'sites' } });
  expect(sites?.facts).toMatchObject({ 'seo_admin.asked': NAMES.length, 'seo_admin.answered': 0 });
  // There is no list: the step fails for all names, and says why by its key.
  expect(list).toMatchObject({ parentSpanId: work?.spanId, status: { code: 2 } });
  expect(list?.facts).toMatchObject({ 'error.type': 'check.list_missing', 'seo_admin.failed': NAMES.length });
});

test('spans have no secret, no query and no name of a customer', async () => {
  const sent = JSON.stringify(receiver.spans);
  for (const word of [LOGIN.api_key, LOGIN.email, PASSWORD, 'customer-', 'of-the-collector', ACCOUNT, 'name=']) {
    expect(sent).not.toContain(word);
  }
  expect(receiver.headers.every((one) => one['x-collector-key'] === 'of-the-collector')).toBe(true);
});

test('protobuf is the usual form; a command is a trace of its own; what is switched off loads and sends nothing', async () => {
  const usual = { OTEL_EXPORTER_OTLP_PROTOCOL: '' };
  expect((await start(['domain', 'list', '--json'], usual).ended).exit).toBe(0);
  expect(receiver.packed.some((body) => body.includes('seo-admin domain list'))).toBe(true);
  const count = receiver.headers.length;
  for (const [name, value] of [
    ['OTEL_SDK_DISABLED', 'true'],
    ['OTEL_TRACES_EXPORTER', 'none'],
  ] as const) {
    expect((await start(['domain', 'list', '--json'], { [name]: value }).ended).exit).toBe(0);
  }
  expect(receiver.headers).toHaveLength(count);
  const { modules, files } = await loadedBy(['domain', 'list', '--json'], { SEO_ADMIN_DATA_DIR: home.dir });
  expect([...modules, ...files].filter((one) => /opentelemetry/.test(one))).toEqual([]);
});

test('a collector that is away and a protocol that is not known are told, and stop nothing', async () => {
  const away = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_EXPORTER_OTLP_TIMEOUT: '300' };
  const server = start(['serve', '--port', '0', '--no-scheduler'], away);
  const at = { url: (await server.says(/^listening on (http:\S+)$/m))[1] ?? '' };
  expect((await request(at, 'GET /api/health', {})).status).toBe(200);
  await server.says(/traces were not sent/);
  server.process.kill('SIGTERM');
  expect((await server.ended).exit).toBe(143);
  const worker = start(['worker', '--only', 'bot'], { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
  await worker.says(/grpc is not known/);
  worker.process.kill('SIGTERM');
  expect((await worker.ended).exit).toBe(143);
});
