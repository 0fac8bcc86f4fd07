// Shared parts of the tests of Cloudflare in small: three logins, two accounts, and a zone.
import { afterEach, beforeEach, expect } from 'vitest';
import { startCloudflare, type CloudflareFake, type CloudflareOptions } from '../../../src/demo/cloudflare.ts';
import { emptyState, type CloudflareState, type Zone } from '../../../src/demo/cloudflare/state.ts';
import { faultOfAnswer } from '../cloudflare-answers.ts';

/** An account. */
export const A = 'a'.repeat(32);
/** Another account, of the third login alone. */
export const B = 'b'.repeat(32);
/** The key of the first login. */
export const KEY = '0123456789abcdef0123456789abcdef01234';
/** The headers of the first login. */
export const PAIR = { 'X-Auth-Email': 'ops@example.net', 'X-Auth-Key': KEY };
/** The token of the second login. */
export const TOKEN = 't'.repeat(40);

const account = (id: string, first: string) => ({
  id,
  name: `Account ${first}`,
  type: 'standard' as const,
  created_on: '2024-03-01T12:21:02Z',
  name_servers: [`${first}.ns.cloudflare.com`, 'bob.ns.cloudflare.com'] as [string, string],
  pending_cap: 50,
});

const world = (): CloudflareState => ({
  ...emptyState(),
  logins: [
    { email: 'ops@example.net', api_key: KEY, accounts: [A] },
    { email: 'ops@example.net', token: TOKEN, permissions: ['zone:read', 'dns:edit'], accounts: [A] },
    { email: 'two@example.net', api_key: KEY.replace('0', 'f'), accounts: [A, B] },
  ],
  accounts: [account(A, 'ada'), account(B, 'eve')],
});

interface Got {
  status: number;
  headers: Headers;
  code: number | undefined;
  chain: number | undefined;
  result: any; // oxlint-disable-line typescript/no-explicit-any -- an answer of any call
  info: Record<string, number>;
}

/** Cloudflare in small, of the running test. */
export let cloudflare: CloudflareFake;
/** The zone `example.com`. */
export let zone: Zone;

/** Starts Cloudflare anew. */
export async function start(options: CloudflareOptions = {}): Promise<void> {
  await cloudflare?.close();
  cloudflare = await startCloudflare({ state: world(), ...options });
  zone = cloudflare.addZone({ name: 'example.com', account_id: A, status: 'active' });
}

/** Makes a call and checks every JSON answer against Cloudflare's description. */
export async function ask(call: string, body?: unknown, headers: Record<string, string> = PAIR): Promise<Got> {
  const [method = '', path = ''] = call.split(' ');
  const response = await fetch(cloudflare.url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = text === '' ? {} : JSON.parse(text);
  expect(faultOfAnswer(method, path.replace(/\?.*/, ''), response.status, answer)).toBe('');
  const [error] = answer.errors ?? [];
  return {
    status: response.status,
    headers: response.headers,
    code: error?.code,
    chain: error?.error_chain?.[0]?.code,
    result: answer.result,
    info: answer.result_info,
  };
}

/** A path below the zone. */
export const at = (path: string): string => `/zones/${zone.id}${path}`;
/** Adds a record to the zone. */
export const record = (body: object) => ask(`POST ${at('/dns_records')}`, body);

/** Starts a new Cloudflare with the zone `example.com` for each test. */
export function useCloudflare(): void {
  beforeEach(() => start());
  afterEach(() => cloudflare.close());
}
