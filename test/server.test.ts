// The whole server: many writers, several processes, and shutdowns of every kind.
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { select } from '../db/index.ts';
import { startChild } from './support/child.ts';
import { crashRounds } from './support/crash.ts';
import { PASSWORD, request, startServer, temporaryConfig } from './support/server.ts';

test('a thousand domains added at once become a thousand rows', async () => {
  const server = await startServer();
  const { token } = server.admin;
  // Calls beyond the capacity are refused, and retried after the time that the answer names.
  let takenAtOnce = 0;
  const add = async (index: number) => {
    for (let tries = 0; ; tries += 1) {
      const answer = await request(server, 'POST /api/domains', {
        token,
        body: { domain_name: `many-${index}.example` },
      });
      if (answer.status !== 503) {
        if (tries === 0) takenAtOnce += 1;
        return answer;
      }
      await new Promise((resolve) => setTimeout(resolve, Number(answer.headers['retry-after']) * 1000));
    }
  };
  const answers = await Promise.all(Array.from({ length: 1000 }, (_, index) => add(index)));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  // A few calls at once are never refused, however slow the machine is.
  expect(takenAtOnce).toBeGreaterThanOrEqual(64);
  expect((await request(server, 'GET /api/domains?limit=1', { token })).body.total).toBe(1000);
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1000);
  await server.close();
});

test('the same name added many times at once becomes one row', async () => {
  const server = await startServer();
  const { token } = server.admin;
  const body = { domain_name: 'one.example' };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => request(server, 'POST /api/domains', { token, body })),
  );
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  await server.close();
});

test('the server and other processes write to one file', async () => {
  const server = await startServer();
  const { token } = server.admin;
  const file = server.config.databaseFile;
  const children = ['a', 'b'].map((name) => startChild('test/children/add-domains.ts', [file, name, '50']));
  const own = Array.from({ length: 50 }, (_, index) =>
    request(server, 'POST /api/domains', { token, body: { domain_name: `own-${index}.example` } }),
  );
  expect((await Promise.all(own)).filter(({ status }) => status !== 200)).toEqual([]);
  await Promise.all(children.map((child) => child.output()));
  expect((await request(server, 'GET /api/dashboard', { token })).body.all).toBe(150);
  expect(await select('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  await server.close();
});

test('a server killed during writes loses no acknowledged write', async () => {
  const { acknowledged, lost, damage, slowestStart } = await crashRounds(10);
  console.log(`crash: ${acknowledged} acknowledged writes in 10 rounds, ready again in ${slowestStart} ms at most`);
  expect({ lost, damage }).toEqual({ lost: [], damage: [] });
  expect(acknowledged).toBeGreaterThan(50);
});

test('on SIGTERM the server answers the calls under way and exits cleanly', async () => {
  const { dataDir } = temporaryConfig();
  const child = startChild('test/children/serve.ts', [dataDir]);
  const url = await child.line();
  const body = Buffer.from(JSON.stringify({ login: 'nobody', password: PASSWORD }));
  const headers = { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' };
  const outgoing = httpRequest(`${url}/api/login`, { method: 'POST', headers });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  outgoing.flushHeaders();
  // The server has read the head, so the call is under way at the SIGTERM.
  await once(outgoing, 'continue');
  child.process.kill('SIGTERM');
  while (await isOpen(url)) await new Promise((resolve) => setTimeout(resolve, 20));
  outgoing.end(body);
  const [response] = await answered;
  response.resume();
  expect(response.statusCode).toBe(401);
  if (child.process.exitCode === null) await once(child.process, 'exit');
  expect(child.process.exitCode).toBe(0);
  rmSync(dataDir, { recursive: true, force: true });
});

/** Tells whether the server accepts a new connection. */
const isOpen = async (url: string): Promise<boolean> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};
