// Shared parts of the tests of accounts and servers: Cloudflare in small, a server behind a proxy, and two users.
import { afterAll, beforeAll } from 'vitest';
import { select } from '../../../db/index.ts';
import { startCloudflare, type CloudflareFake } from '../../../src/demo/cloudflare.ts';
import { accountOf, KEY, stateOf } from '../../support/cloudflare-state.ts';
import {
  createPerson,
  request,
  startServer,
  type Answer,
  type Ask,
  type Person,
  type TestServer,
} from '../../support/server.ts';
import { newName } from '../calls.ts';

/** Mask of a secret that is not shown. */
export const MASK = '********';
/** A token of the CDN. */
export const TOKEN = 't'.repeat(40);
/** An account at the CDN. */
export const ACCOUNT = 'a'.repeat(32);
/** The address of the trusted proxy. */
export const PROXY = '127.0.0.9';

/** Cloudflare in small. */
export let outside: CloudflareFake;
/** The server of the test file. */
export let server: TestServer;
/** A user. */
export let owner: Person;
/** Another user. */
export let other: Person;

/** Starts Cloudflare and the server before the tests of a file. */
export function useTeam(): void {
  beforeAll(async () => {
    const logins = [
      { email: 'ops@example.net', api_key: KEY, accounts: [ACCOUNT] },
      { email: 'ops@example.net', token: TOKEN, permissions: ['zone:read' as const], accounts: [ACCOUNT] },
      { email: 'ops@example.net', token: TOKEN.replace('t', 'u'), permissions: [], accounts: [ACCOUNT] },
    ];
    outside = await startCloudflare({ state: stateOf([accountOf(ACCOUNT, 'Main')], logins) });
    outside.addZone({ name: 'example.com', account_id: ACCOUNT, status: 'active' });
    server = await startServer({ cloudflareUrl: outside.url, trustedProxies: [PROXY] }, '0.0.0.0');
    [owner, other] = [await createPerson(server), await createPerson(server)];
  });
  afterAll(async () => {
    await server.close();
    await outside.close();
  });
}

/** Makes a call as a user. */
export const ask = (call: string, body?: unknown, { token }: Person = owner, more: Ask = {}): Promise<Answer> =>
  request(server, call, { token, ...(body === undefined ? {} : { body }), ...more });

/** The fields of a CDN account. */
export const account = (more: object = {}) => ({ name: newName(), email: 'ops@example.net', api_key: KEY, ...more });
/** The fields of a server. */
export const ssh = (more: object = {}) => ({
  name: newName(),
  ssh_host: '203.0.113.10',
  ssh_user: 'root',
  ssh_password: 'correct horse',
  ...more,
});

// oxlint-disable-next-line typescript/no-explicit-any -- an answer of any call
export async function make(path: string, body: object, person: Person = owner): Promise<any> {
  const answer = await ask(`POST /api/${path}`, body, person);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.data ?? answer.body;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a row of any list
export const rowOf = async (path: string, id: number, person: Person, more: Ask = {}): Promise<any> => {
  const { body } = await ask(`GET /api/${path}`, undefined, person, more);
  return (body.data ?? body).find((row: { id: number }) => row.id === id);
};

/** A cell as it is stored. */
export const stored = async (table: string, column: string, id: number): Promise<string> =>
  (await select<{ text: string }>(`SELECT ${column} AS text FROM ${table} WHERE id = $id`, { id }))[0]?.text ?? '';
