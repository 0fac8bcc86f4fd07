// What has to answer well before visitors are sent there, and whom the gate may ask.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Config } from '../../src/lib/config.ts';
import { passGate, seenAt, setGate, type Gate } from '../../src/services/transfer-gate.ts';
import { QUICK_GATE } from '../quick-gate.ts';
import { temporaryConfig } from '../server.ts';
import { startTrap } from '../world.ts';

interface Answer {
  status?: number;
  location?: string;
  body?: string;
}

const DOMAIN = 'reserve.com';
const ADDRESS = '203.0.113.10';
const MARKER = { path: 'abc.txt', content: Buffer.from('the id\n') };

let server: Server;
let port: number;
let answer: (host: string, path: string, count: number) => Answer;
let asked: string[] = [];

beforeAll(async () => {
  setGate(QUICK_GATE);
  server = createServer((request, response) => {
    const host = request.headers.host ?? '';
    asked.push(`${host}${request.url}`);
    const { status = 200, location, body = '' } = answer(host, request.url ?? '', asked.length);
    response.writeHead(status, location === undefined ? {} : { location }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
afterEach(() => {
  asked = [];
});

const world = (settings: Partial<Config> = {}): Config =>
  temporaryConfig({ allowPrivate: true, connectTo: `::127.0.0.1:${port}`, ...settings });
const pass = async (gate: Partial<Gate> = {}, config = world()): Promise<string> => {
  const signal = new AbortController().signal;
  try {
    await passGate(config, { domain: DOMAIN, address: ADDRESS, marker: null, ...gate }, signal);
    return 'passed';
  } catch (error) {
    return (error as { params: { what: string } }).params.what;
  }
};
const good =
  (body = '') =>
  () => ({ body });

test('three good answers in a row: by the server, then as visitors reach it', async () => {
  answer = good();
  expect(await pass()).toBe('passed');
  expect(asked).toEqual(Array.from({ length: 6 }, () => `${DOMAIN}/`));
});

test('a bad one in between and the count begins anew', async () => {
  answer = (_host, _path, count) => ({ status: count === 4 ? 500 : 200 });
  expect(await pass()).toBe('passed');
  expect(asked.length).toBeGreaterThan(8);
});

test.each<[string, Answer, string]>([
  ['an error', { status: 503 }, `${ADDRESS}: HTTP 503`],
  ['not found', { status: 404 }, `${ADDRESS}: HTTP 404`],
  ['a way to elsewhere', { status: 301, location: 'https://elsewhere.com/' }, `${ADDRESS}: → elsewhere.com`],
  ['a way in a circle', { status: 302, location: `http://${DOMAIN}/` }, `${ADDRESS}: too_many_redirects`],
])('not with %s', async (_name, bad, what) => {
  answer = (host) => (host === DOMAIN ? bad : {});
  expect(await pass()).toBe(what);
});

test('a way to its own www is its own', async () => {
  answer = (host) => (host === DOMAIN ? { status: 301, location: `http://www.${DOMAIN}/` } : {});
  expect(await pass()).toBe('passed');
});

test('with a release of ours its marker has to be there, and to say its id', async () => {
  answer = (_host, path) => (path === '/abc.txt' ? { body: 'the id\n' } : {});
  expect(await pass({ marker: MARKER })).toBe('passed');
  answer = good('<h1>parked</h1>');
  expect(await pass({ marker: MARKER })).toBe(`${ADDRESS}: ≠ abc.txt`);
});

test('a server without a public address is not asked unless that is allowed; nor is any other place', async () => {
  const trap = await startTrap();
  answer = good();
  const config = world({ allowPrivate: false, connectTo: '' });
  expect(await pass({ domain: '127.0.0.1', address: '127.0.0.1' }, config)).toBe('private_address');
  const detour = world({ allowPrivate: false, connectTo: `${DOMAIN}::127.0.0.1:${port}` });
  expect(await pass({ address: '127.0.0.1' }, detour)).toBe('passed');
  expect(asked).toHaveLength(3);
  answer = () => ({ status: 302, location: `http://127.0.0.1:${trap.port}/` });
  expect(await pass({ address: null }, detour)).toBe('→ 127.0.0.1');
  expect(trap.hits()).toBe(0);
  trap.close();
});

test('what a name shows is told in short', async () => {
  answer = (host) => (host === 'old.com' ? { status: 301, location: `http://${DOMAIN}/x` } : {});
  const { signal } = new AbortController();
  expect(await seenAt(world(), 'old.com', signal)).toBe(`→ ${DOMAIN}: HTTP 200`);
  expect(await seenAt(world(), DOMAIN, signal)).toBe('HTTP 200');
  expect(await seenAt(world({ connectTo: '::127.0.0.1:1' }), DOMAIN, signal)).toBe('connect_refused');
});
