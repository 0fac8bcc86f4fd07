// The address of a caller as a trusted proxy writes it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { select } from '../../../db/index.ts';
import { createPerson, PASSWORD, request, startServer, type TestServer } from '../../support/server.ts';

const PROXY = '127.0.0.9';
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ trustedProxies: [PROXY, '2001:db8::9'] });
});
afterAll(() => server.close());

const signIn = (login: string, password: string, forwarded: string) => {
  const headers = { 'x-forwarded-for': forwarded };
  return request(server, 'POST /api/login', { body: { login, password }, from: PROXY, headers });
};

test.each([
  ['an IPv4 address in the form of IPv6', '::ffff:198.51.100.7', '198.51.100.7'],
  ['the same in hexadecimal, in capitals', '::FFFF:C633:6407', '198.51.100.7'],
  ['the same without abbreviation', '0:0:0:0:0:ffff:198.51.100.7', '198.51.100.7'],
  ['an address with a port', '198.51.100.7:50123', '198.51.100.7'],
  ['an IPv6 address with a port', '[2001:DB8:1::7]:50123', '2001:db8:1::7'],
  ['an IPv6 address in brackets', '[2001:db8:1:0::7]', '2001:db8:1::7'],
  ['a trusted proxy in another form', `198.51.100.7, ::ffff:${PROXY}`, '198.51.100.7'],
  ['a trusted proxy with a port', '198.51.100.7, [2001:db8:0::9]:443', '198.51.100.7'],
  ['no address, after one that the caller may have written himself', '198.51.100.7, unknown', PROXY],
])('%s is stored as the plain one', async (_, forwarded, address) => {
  const { login } = await createPerson(server);
  expect((await signIn(login, PASSWORD, forwarded)).status).toBe(200);
  expect(await select('SELECT address FROM sessions ORDER BY id DESC LIMIT 1')).toEqual([{ address }]);
});

test('an address is refused at its sixth wrong password, whatever port it is written with', async () => {
  const answers: number[] = [];
  for (let port = 5000; port < 5006; port += 1)
    answers.push((await signIn('somebody', 'wrong', `198.51.100.10:${port}`)).status);
  expect(answers).toEqual([401, 401, 401, 401, 401, 429]);
});
