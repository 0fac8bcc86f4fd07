import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../support/server.ts';

// More connections than a process may have that is not looked after.
const MANY = 150;
const FILES = 8;
// More answers than the files of a page.
const CALLS = 16;

let server: TestServer;
/** The server's ends of the connections. */
const accepted: Socket[] = [];
const clients: Socket[] = [];
const onSocket = (message: unknown): void => void accepted.push((message as { socket: Socket }).socket);

beforeAll(async () => {
  subscribe('net.server.socket', onSocket);
  server = await startServer();
});
afterAll(async () => {
  unsubscribe('net.server.socket', onSocket);
  for (const client of clients) client.destroy();
  await server.close();
});

async function open(): Promise<Socket> {
  const client = connect(server.port, '127.0.0.1').setEncoding('latin1');
  clients.push(client);
  await once(client, 'connect');
  return client;
}

/** Asks on a connection, and returns the status of the answer. */
async function ask(client: Socket, path: string, token = ''): Promise<string> {
  const authorization = token && `Authorization: ${token}\r\n`;
  client.write(`HEAD ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization}\r\n`);
  const [text] = (await once(client, 'data')) as [string];
  return text.slice(9, 12);
}

/** Keeps the process from its timers, as work that takes long does. */
function beBusy(): void {
  const until = performance.now() + 200;
  while (performance.now() < until);
}

const held = (): number => accepted.filter((socket) => socket.isPaused()).length;

test('signed-in people on many connections wait neither for a page nor for their calls while the process is busy', async () => {
  const { token } = server.admin;
  for (let index = 0; index < MANY; index++) expect(await ask(await open(), '/api/session', token)).toBe('200');
  const page = await open();
  beBusy();
  for (let file = 0; file < FILES; file++) {
    expect(await ask(page, '/first-paint.js')).toBe('200');
    expect(held()).toBe(0);
  }
  for (const path of ['/api/session', '/api/domains/999', '/first-paint.js']) {
    await ask(page, path, token);
    expect(held()).toBe(0);
  }
});

test.each([
  ['who are refused', '/api/session', '401'],
  ['who read files again and again', '/first-paint.js', '200'],
])('callers without a right %s on many connections wait', async (_who, path, status) => {
  accepted.length = 0;
  let [busyAt, most] = [0, 0];
  const crowd = Array.from({ length: MANY }, async () => {
    const stranger = await open();
    for (let call = 0; call < CALLS && most === 0; call++) {
      if (performance.now() >= busyAt) {
        beBusy();
        busyAt = performance.now() + 300;
      }
      expect(await ask(stranger, path)).toBe(status);
      most = Math.max(most, held());
    }
    return stranger;
  });
  const strangers = await Promise.all(crowd);
  expect(most).toBeGreaterThan(0);
  for (const stranger of strangers) stranger.destroy();
});
