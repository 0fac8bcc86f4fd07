// The fake Cloudflare for the tests of the adapter. Every request is checked against Cloudflare's own description.
import { afterEach, beforeEach, expect } from 'vitest';
import { startCloudflare, type CloudflareFake, type CloudflareOptions } from '../../src/demo/cloudflare.ts';
import { emptyState, type DnsRecord } from '../../src/demo/cloudflare/state.ts';
import { cloudflare, type Cloudflare } from '../../src/providers/cloudflare.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { faultOfRequest } from './openapi.ts';

export const ACCOUNT = 'a'.repeat(32);
export const OTHER_ACCOUNT = 'b'.repeat(32);
export const LOGIN = { email: 'ops@example.net', api_key: '0123456789abcdef0123456789abcdef01234' };
export const STRANGER = { email: 'two@example.net', api_key: 'f123456789abcdef0123456789abcdef01234' };
export const TOKEN = { email: '', api_key: 't'.repeat(40) };

const account = (id: string, name: string) => ({
  id,
  name,
  type: 'standard' as const,
  created_on: '2024-03-01T12:21:02Z',
  name_servers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'] as [string, string],
  pending_cap: 50,
});

const state = () => ({
  ...emptyState(),
  logins: [
    { ...LOGIN, accounts: [ACCOUNT] },
    { ...STRANGER, accounts: [ACCOUNT, OTHER_ACCOUNT] },
    { email: 'ops@example.net', token: TOKEN.api_key, permissions: ['zone:read' as const], accounts: [ACCOUNT] },
  ],
  accounts: [account(ACCOUNT, 'Main'), account(OTHER_ACCOUNT, 'Other')],
});

export interface CloudflareWorld {
  fake: CloudflareFake;
  /** The adapter for LOGIN. */
  api: Cloudflare;
  open: (...args: Tail<Parameters<typeof cloudflare>>) => Cloudflare;
  /** Returns the requests as `METHOD /path`. */
  calls: () => string[];
}
type Tail<List extends unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

/** Starts a new world for each test; usable only within tests. */
export function useCloudflare(options: CloudflareOptions = {}): CloudflareWorld {
  const world = {} as CloudflareWorld;
  beforeEach(async () => {
    const fake = await startCloudflare({ state: state(), ...options });
    world.fake = fake;
    world.open = (login, options) => cloudflare(fake.url, login, options);
    world.api = world.open(LOGIN);
    world.calls = () => fake.requests.map(({ method, path }) => `${method} ${path}`);
  });
  afterEach(async () => {
    await world.fake.close();
    expect(world.fake.requests.map(faultOfRequest).filter((fault) => fault !== '')).toEqual([]);
  });
  return world;
}

/** A record in the form that the fake stores. */
export const record = (
  fields: Pick<DnsRecord, 'id' | 'type' | 'name' | 'content'> & Partial<DnsRecord>,
): DnsRecord => ({
  proxied: false,
  proxiable: true,
  ttl: 1,
  comment: null,
  tags: [],
  settings: {},
  meta: {},
  created_on: '2026-01-01T05:20:00Z',
  modified_on: '2026-01-01T05:20:00Z',
  ...fields,
});

/** Returns the ProviderError that a call throws. */
export async function failure(call: Promise<unknown>): Promise<ProviderError> {
  const error = await call.then(
    () => new Error('nothing was thrown'),
    (error: unknown) => error,
  );
  if (error instanceof ProviderError) return error;
  throw error;
}

/** The envelope of a success. */
export const success = (result: unknown, result_info?: object) => ({
  success: true,
  errors: [],
  messages: [],
  result,
  result_info,
});
