// Names with several addresses, all on one port: one that accepts no connection, one that answers, one that hangs up, and one that
// is silent.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcp, type Server as NetServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkHealth, readPage, type HealthOptions } from '../../src/providers/health.ts';
import type { HealthResult } from '../../src/shared/checks/health.ts';
import { jammedPort } from '../support/jam.ts';
import { startNames, type Records } from '../support/world.ts';

const [JAM, GOOD, CUT, CLOSED, SILENT] = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.7'];
const NAMES: Record<string, Records> = {
  'jam-first.test': { a: [JAM, GOOD] },
  'good-first.test': { a: [GOOD, CLOSED] },
  'cut-first.test': { a: [CUT, GOOD] },
  'third.test': { a: [CLOSED, CLOSED, GOOD] },
  'fourth.test': { a: [CLOSED, '127.0.0.5', '127.0.0.6', GOOD] },
  'jam-silent.test': { a: [JAM, SILENT] },
  'quick-chain.test': { a: [GOOD] },
  'jam-slow.test': { a: [JAM, GOOD] },
  'slow-chain.test': { a: [GOOD] },
  'private.test': { a: [CLOSED] },
};

let names: Awaited<ReturnType<typeof startNames>>;
let jam: Awaited<ReturnType<typeof jammedPort>>;
let servers: NetServer[];
const asked: string[] = [];

const answer: RequestListener = ({ headers, url }, response) => {
  asked.push(`${headers.host}${url}`);
  const hop = Number(url?.slice(1) || 0);
  if (headers.host === 'jam-slow.test') {
    setTimeout(() => response.end(), 2_500);
    return;
  }
  if (headers.host === 'quick-chain.test' && hop < 3) {
    response.writeHead(302, { location: `/${hop + 1}` }).end();
    return;
  }
  // Late enough that a request without any time left would miss the answer.
  if (headers.host === 'quick-chain.test' || headers.host === 'jam-silent.test') {
    setTimeout(() => response.end(), 400);
    return;
  }
  if (headers.host !== 'slow-chain.test') response.end('the body of the page');
  else if (hop === 4) response.end();
  // Each within the timeout, together far beyond it: the check takes off what a busy machine keeps it waiting.
  else setTimeout(() => response.writeHead(302, { location: `/${hop + 1}` }).end(), 800);
};

beforeAll(async () => {
  [names, jam] = await Promise.all([startNames(NAMES), jammedPort()]);
  const good = createServer(answer).listen(jam.port, GOOD);
  const cut = createTcp((socket) => socket.on('error', () => {}).once('data', () => socket.resetAndDestroy())).listen(
    jam.port,
    CUT,
  );
  const silent = createTcp((socket) => socket.on('error', () => {}).resume()).listen(jam.port, SILENT);
  servers = [good, cut, silent];
  await Promise.all(servers.map((server) => once(server, 'listening')));
});
afterAll(async () => {
  jam.close();
  for (const server of servers) server.close();
  await names.close();
});

const options = (timeoutMs: number): HealthOptions => ({
  scheme: 'http',
  timeoutMs,
  allowPrivate: true,
  dns: names.address,
  connectTo: [{ host1: '', port1: null, host2: '', port2: jam.port }],
});

async function check(host: string, timeoutMs: number, more: HealthOptions = {}): Promise<HealthResult | undefined> {
  let result: HealthResult | undefined;
  await checkHealth([host], { ...options(timeoutMs), ...more }, (given) => (result = given));
  return result;
}

test('an address that accepts no connection leaves time for the next one', async () => {
  expect(await check('jam-first.test', 6_000)).toMatchObject({ http_status_code: 200 });
});

test('https addresses without a connection share half of the timeout, and http has the rest', async () => {
  const detour = (port1: number, host2: string) => ({ host1: '', port1, host2, port2: jam.port });
  const more: HealthOptions = { scheme: 'auto', connectTo: [detour(443, ''), detour(80, GOOD)] };
  expect(await check('jam-silent.test', 2_000, more)).toMatchObject({ http_status_code: 200, scheme: 'http' });
});

test('the time that one address takes is deducted from the next one', async () => {
  expect(await check('jam-slow.test', 2_000)).toMatchObject({ error: 'timeout' });
});

test('no further address is asked after one that answered', async () => {
  expect(await check('good-first.test', 5_000)).toMatchObject({ http_status_code: 200 });
});

test('an address that hangs up after the request decides the verdict', async () => {
  asked.length = 0;
  expect(await check('cut-first.test', 5_000)).toMatchObject({ error: 'reset' });
  expect(asked).toEqual([]);
});

test('at most three addresses of a name are asked', async () => {
  expect(await check('third.test', 5_000)).toMatchObject({ http_status_code: 200 });
  expect(await check('fourth.test', 5_000)).toMatchObject({ error: 'connect_refused', http_status_code: null });
});

test('all redirects together end at the timeout', async () => {
  expect(await check('slow-chain.test', 1_000)).toMatchObject({ error: 'timeout' });
});

test('a quick redirect leaves its time to the next one', async () => {
  expect(await check('quick-chain.test', 2_000)).toMatchObject({ http_status_code: 200 });
});

test('a page is read up to the requested number of bytes', async () => {
  const { timeoutMs: _timeout, ...rest } = options(0);
  const page = await readPage('good-first.test', '/', { ...rest, timeoutMs: 5_000, bodyBytes: 8 });
  expect(page).toMatchObject({ status: 200, body: 'the body' });
});

test.each(['http', 'https'] as const)(
  'a private address is refused as that on the default port of %s',
  async (scheme) => {
    const result = await check('private.test', 5_000, { scheme, allowPrivate: false, connectTo: [] });
    expect(result).toMatchObject({ error: 'private_address' });
  },
);
