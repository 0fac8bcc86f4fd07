import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startAdmission } from '../../src/api/http/admission.ts';

let server: Server;
let url: string;
let arrived: string[];
let handled: string[];
/** The functions that answer the waiting calls of `/api/slow`. */
let release: (() => void)[];

beforeEach(async () => {
  arrived = [];
  handled = [];
  release = [];
  const admit = startAdmission([]);
  server = createServer((request, response) => {
    arrived.push(request.url ?? '');
    admit(request, response, () => {
      handled.push(request.url ?? '');
      const answer = (): void => void response.end('{}');
      if (request.url?.startsWith('/api/slow')) release.push(answer);
      else if (request.url === '/api/turns') void inTurns(10).then(answer);
      else if (request.url === '/api/refused') refuse(response);
      else answer();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const answer of release) answer();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

async function inTurns(left: number): Promise<void> {
  for (; left > 0; left--) await turn();
}

/** Refuses a call as a door does, at the cost of a look at its token. */
function refuse(response: ServerResponse): void {
  const until = performance.now() + 0.2;
  while (performance.now() < until);
  response.writeHead(401).end('{}');
}

const get = async (path: string): Promise<number> => (await fetch(`${url}${path}`)).status;

test('calls that wait for something outside give up their places', async () => {
  const slow = Array.from({ length: 40 }, (_, index) => get(`/api/slow/${index}`));
  await expect.poll(() => release.length).toBe(40);
  expect(await get('/api/quick')).toBe(200);
  for (const answer of release) answer();
  expect(new Set(await Promise.all(slow))).toEqual(new Set([200]));
});

test('calls beyond the capacity are refused at once, health and sign-in are not', async () => {
  const slow = Array.from({ length: 600 }, (_, index) => get(`/api/slow/${index}`));
  const first = await Promise.race(slow);
  expect(first).toBe(503);
  expect(await Promise.all([get('/api/health'), get('/api/login'), get('/')])).toEqual([200, 200, 200]);
  // The admitted calls are served in turn.
  const serving = setInterval(() => release.splice(0).forEach((answer) => answer()), 5);
  const statuses = await Promise.all(slow);
  clearInterval(serving);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(64);
  expect(await get('/api/quick')).toBe(200);
});

test('a call whose client left while it waited is not begun', async () => {
  // 64 calls are ahead of it, so that its turn is seconds away.
  const slow = Array.from({ length: 64 }, (_, index) => get(`/api/slow/${index}`));
  await expect.poll(() => arrived.length, { interval: 5 }).toBe(64);
  const leaving = httpRequest(`${url}/api/left`);
  leaving.on('error', () => undefined);
  leaving.end();
  await expect.poll(() => arrived, { interval: 5 }).toContain('/api/left');
  const connection = leaving.socket;
  leaving.destroy();
  await once(connection!, 'close');
  const stays = get('/api/stays');
  await expect.poll(() => arrived, { interval: 5 }).toContain('/api/stays');
  const serving = setInterval(() => release.splice(0).forEach((answer) => answer()), 5);
  expect(await stays).toBe(200);
  await Promise.all(slow);
  clearInterval(serving);
  expect(handled).not.toContain('/api/left');
});

test('a call whose target is in absolute form waits in the queue like any other', async () => {
  const { hostname, port } = new URL(url);
  const slow = Array.from({ length: 64 }, (_, index) => get(`/api/slow/${index}`));
  await expect.poll(() => arrived.length, { interval: 5 }).toBe(64);
  const path = `http://${hostname}:${port}/api/absolute`;
  const call = httpRequest({ hostname, port, path });
  const answered = once(call, 'response') as Promise<[IncomingMessage]>;
  call.end();
  await expect.poll(() => arrived, { interval: 5 }).toContain(path);
  expect(handled).not.toContain(path);
  const serving = setInterval(() => release.splice(0).forEach((answer) => answer()), 5);
  const [response] = await answered;
  response.resume();
  expect(response.statusCode).toBe(200);
  await Promise.all(slow);
  clearInterval(serving);
  expect(await get('/api/quick')).toBe(200);
});

/** Keeps `count` connections asking for what is refused until `stop`; tells how many have had an answer, and the number of answers. */
function crowd(count: number): { answered: () => number; answers: () => number; stop: () => void } {
  const { hostname, port } = new URL(url);
  let answers = 0;
  const answered = new Set<Socket>();
  const ask = `GET /api/refused HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname, () => socket.write(ask));
    socket.on('data', () => {
      answers++;
      answered.add(socket);
      socket.write(ask);
    });
    return socket.on('error', () => undefined);
  });
  return {
    answered: () => answered.size,
    answers: () => answers,
    stop: () => sockets.forEach((socket) => socket.destroy()),
  };
}

test('callers who are refused on many connections leave the process time for others', async () => {
  const { answered, answers, stop } = crowd(600);
  // A turn takes one new connection.
  await expect.poll(answered, { interval: 5, timeout: 200_000 }).toBe(600);
  const before = answers();
  // Each of these takes ten turns of the process, in which every connection that is read is answered once.
  for (let call = 0; call < 5; call++) expect(await get('/api/turns')).toBe(200);
  const meanwhile = answers() - before;
  stop();
  expect(meanwhile).toBeLessThan(6_000);
});
