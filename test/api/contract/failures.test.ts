// Every failure has the envelope and the status of the contract, also where Node, or the parser of forms, has its own.
import { createConnection } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failureOf } from '../../../src/api/http/errors.ts';
import { createLog } from '../../../src/lib/log.ts';
import { asAppError } from '../../../src/operations/failure.ts';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import { createPerson, request, startServer, type TestServer } from '../../support/server.ts';
import { SITE, zipFile, zipOf } from '../../support/zips.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** Sends raw bytes, and returns the status of the answer and its body. */
async function answerTo(bytes: string): Promise<[status: number, body: unknown]> {
  const text = await new Promise<string>((resolve, reject) => {
    const socket = createConnection({ port: server.port, host: '127.0.0.1' }, () => socket.write(bytes));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
  return [Number(text.split(' ')[1]), JSON.parse(text.split('\r\n\r\n')[1] ?? '')];
}

test('a request that HTTP itself does not allow is refused in JSON', async () => {
  expect(await answerTo('GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n')).toEqual([
    400,
    { error: 'Bad Request', code: 'bad_request' },
  ]);
  const head = 'POST /api/login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 200-ok\r\n';
  expect(await answerTo(`${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`)).toEqual([
    417,
    { error: 'Expectation Failed', code: 'expectation_failed' },
  ]);
});

test('a form with more files or fields than its call has is malformed, not too large', async () => {
  const { token } = server.admin;
  const twice = new FormData();
  twice.append('name', 'Two archives');
  for (const name of ['a.zip', 'b.zip']) twice.append('template_file', zipFile(zipOf(SITE), name));
  const crowded = new FormData();
  for (let index = 0; index < 1000; index++) crowded.append(`field${index}`, 'x');
  for (const body of [twice, crowded]) {
    const answer = await request(server, 'POST /api/templates', { token, body });
    expect([answer.status, answer.body.code]).toEqual([400, 'bad_multipart']);
  }
  expect((await request(server, 'GET /api/templates', { token })).body.data).toEqual([]);
});

test('an API token without the right is refused with the code of any caller without it', async () => {
  const { token: session } = await createPerson(server);
  const made = await request(server, 'POST /api/tokens', { token: session, body: { name: 'reads', scope: 'read' } });
  const { token } = made.body;
  for (const call of ['POST /api/projects', 'POST /api/logout', 'GET /api/tables']) {
    const { status, body } = await request(server, call, {
      token,
      ...(call.startsWith('POST') && { body: { name: 'x' } }),
    });
    expect([call, status, body.code]).toEqual([call, 403, 'forbidden']);
  }
});

test('a service that takes no more calls is told with a time to try again, its own or the usual one', () => {
  for (const [retryAfter, told] of [
    [7, 7],
    [undefined, 60],
  ]) {
    const refusal = asAppError(new ProviderError('rate_limited', 'service: HTTP 429', { retryAfter }));
    expect(failureOf(refusal, 'en', createLog('silent'))).toMatchObject({
      status: 429,
      body: { code: 'provider_rate_limited', error: expect.stringContaining('HTTP 429') },
      retryAfter: told,
    });
  }
});
