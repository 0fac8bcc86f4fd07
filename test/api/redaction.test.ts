// Secrets are redacted in the exchange with their own account, and nowhere else.
import { randomBytes } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seal, unseal } from '../../src/lib/secret.ts';
import { SERVER_IP, startCdn, type Cdn } from '../support/cdn.ts';
import { createPerson, request, startServer, type Person, type TestServer } from '../support/server.ts';

let cdn: Cdn;
let attacker: Person;
let user: Person;

beforeAll(async () => {
  cdn = await startCdn();
  attacker = await createPerson(cdn.server);
  user = await createPerson(cdn.server);
});
afterAll(() => cdn.close());

const ask = (person: Person, call: string, body?: unknown) =>
  request(cdn.server, call, {
    token: person.token,
    headers: { 'accept-language': 'en' },
    ...(body !== undefined && { body }),
  });

test('a password that equals a public name redacts nothing in the operations of another user', async () => {
  for (const word of ['example.com', 'example', 'cloudflare', SERVER_IP]) {
    const server = { name: word, ssh_host: '127.0.0.1:9', ssh_user: 'root', ssh_password: word };
    const made = await ask(attacker, 'POST /api/servers', server);
    await ask(attacker, `POST /api/servers/${made.body.data.id}/test`, {});
    await ask(attacker, 'GET /api/servers');
    await ask(attacker, 'POST /api/cloudflare_accounts', { name: word, email: 'a@example.net', api_key: word });
  }
  cdn.addZone('example.com', ['A @ 198.51.100.1']);
  const body = { domain_name: 'example.com', cloudflare_account_id: cdn.accounts[0] };
  expect((await ask(user, 'POST /api/domains', body)).status).toBe(200);
  const pointing = {
    accountId: cdn.accounts[0],
    domainName: 'example.com',
    ipAddress: SERVER_IP,
    tls: 'on',
    updateNs: 'off',
  };
  const refusal = { success: false, errors: [{ code: 1004, message: 'example.com cannot be changed' }], result: null };
  cdn.fake.faults.push({ kind: 'status', status: 400, body: refusal, match: ({ method }) => method !== 'GET' });
  const { operation } = (await ask(user, 'POST /api/manage_dns', pointing)).body;
  await cdn.ended(operation.id);
  const view = await ask(user, `GET /api/operations/${operation.id}`);
  const items = await ask(user, `GET /api/operations/${operation.id}/items`);
  expect(items.body.data[0].item).toContain('example.com');
  expect(items.body.data[0].error).toContain('example.com cannot be changed');
  await ask(user, `POST /api/operations/${operation.id}/retry`, {});
  expect(await cdn.ended(operation.id)).toMatchObject({ state: 'succeeded' });
  const again = await ask(user, `GET /api/operations/${operation.id}/items`);
  expect(again.text).toContain(SERVER_IP);
  expect(view.text + items.text + again.text).not.toContain('****');
});

/** Starts a service that answers, after `answer()`, with the received key in several spellings. */
async function startEcho(): Promise<{ url: string; server: Server; asked: Promise<void>; answer: () => void }> {
  const waiting: (() => void)[] = [];
  let isOpen = false;
  let heard: () => void;
  const asked = new Promise<void>((resolve) => (heard = resolve));
  const say = (response: ServerResponse, key: string): void => {
    const spelled = [key, Buffer.from(`me:${key}`).toString('base64'), Buffer.from(key).toString('hex')];
    const errors = [{ code: 1004, message: `no: ${spelled.join(' ')}` }];
    response.writeHead(400).end(JSON.stringify({ success: false, errors, result: null }));
  };
  const server = createServer(({ headers }, response) => {
    const answer = (): void => say(response, String(headers['x-auth-key']));
    if (isOpen) answer();
    else waiting.push(answer);
    heard();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`,
    server,
    asked,
    answer: () => {
      isOpen = true;
      for (const one of waiting.splice(0)) one();
    },
  };
}

test('a key is redacted in the errors of its own exchange, even if five thousand other secrets were read meanwhile', async () => {
  const echo = await startEcho();
  const server: TestServer = await startServer({ cloudflareUrl: echo.url });
  try {
    const key = randomBytes(20).toString('hex').slice(0, 37);
    const body = { name: 'Real', email: 'ops@example.net', api_key: key };
    const added = request(server, 'POST /api/cloudflare_accounts', { token: server.admin.token, body });
    await echo.asked;
    for (let n = 1; n <= 5_000; n += 1) {
      const place = `servers.ssh_password:${n}` as const;
      unseal(place, seal(place, `throw-away secret ${n}`));
    }
    echo.answer();
    const account = await added;
    expect(account.status).toBe(200);
    expect(account.body.data.check_error).toContain('********');
    const tested = await request(server, `POST /api/cloudflare_accounts/${account.body.data.id}/test`, {
      token: server.admin.token,
      body: {},
    });
    const told = [account.body.data.check_error, tested.text].join();
    for (const spelling of [key, Buffer.from(`me:${key}`).toString('base64'), Buffer.from(key).toString('hex')]) {
      expect(told).not.toContain(spelling.slice(8, -8));
    }
  } finally {
    await server.close();
    echo.server.close();
  }
});
