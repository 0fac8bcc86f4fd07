// Answers of RDAP services that leave things out, and pages that are none.
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onLoopback } from '../../../src/demo/loopback.ts';
import { askRdap } from '../../../src/providers/registry/rdap.ts';

let status = 200;
let type = '';
let body = '';
let server: { url: string; close: () => Promise<void> };
beforeAll(async () => {
  server = await onLoopback(
    createServer((_incoming, response) => {
      response.writeHead(status, { 'content-type': type }).end(body);
    }),
  );
});
afterAll(() => server.close());

const ask = () => askRdap(`${server.url}/`, 'mine.com');
const answer = (code: number, contentType: string, text: string): void => {
  [status, type, body] = [code, contentType, text];
};
const RDAP = 'application/rdap+json';

test.each([
  [RDAP, '{"errorCode":404}'],
  ['application/json', ''],
])('status 404 with %s %s says that a name is free', async (contentType, text) => {
  answer(404, contentType, text);
  expect(await ask()).toMatchObject({ state: 'free' });
});

test('a web page of status 404 says nothing', async () => {
  answer(404, 'text/html; charset=utf-8', '<h1>404 Not Found</h1><p>nginx</p>');
  await expect(ask()).rejects.toMatchObject({ kind: 'malformed' });
});

test('members that are null, and an event without a date, leave the others readable', async () => {
  const domain = {
    objectClassName: 'domain',
    ldhName: 'MINE.COM',
    status: null,
    events: [{ eventAction: 'transfer' }, { eventAction: 'expiration', eventDate: '2027-01-01T00:00:00Z' }],
    entities: null,
    nameservers: null,
  };
  answer(200, RDAP, JSON.stringify(domain));
  expect(await ask()).toMatchObject({
    state: 'registered',
    expires_at: '2027-01-01T00:00:00.000Z',
    statuses: [],
    name_servers: [],
    registrar: null,
  });
});
