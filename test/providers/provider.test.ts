// The conformance suites, run on one small service that is a provider of every kind.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestJson } from '../../src/providers/http.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import {
  defineRegistrar,
  defineSearchSource,
  defineSiteHost,
  defineVantage,
  type Call,
  type HostedSite,
} from '../../src/providers/provider.ts';
import { describeRegistrar, describeSiteHost, describeVantage } from './conformance.ts';
import { describeSearchSource } from './search/conformance.ts';

let server: Server;
const sites = new Map<string, HostedSite>();

const ANSWERS: Record<string, (name: string) => unknown> = {
  '/login': () => ({}),
  '/domains': () => [{ domain_name: 'a.example', expires_at: '2027-01-01T00:00:00.000Z' }],
  '/balance': () => ({ amount: '12.50', currency: 'USD' }),
  '/page': (page) => ({ urls: page === '99' ? [] : [`https://${page}.example/`], isLast: page === '99' }),
  '/sites': () => [...sites.values()],
  '/site': (name) => {
    const site = sites.get(name) ?? { names: [name], folder: `/var/www/${name}`, has_certificate: false };
    sites.set(name, site);
    return site;
  },
  '/reach': (host) => ({ host, verdict: 'reached', ms: 12 }),
};

beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    response.statusCode = request.headers.authorization === 'right' ? 200 : 401;
    response.end(JSON.stringify(ANSWERS[pathname]?.(searchParams.get('name') ?? '') ?? null));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());

const call = (): Call => ({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
const fields = { user: 'text', key: 'secret' } as const;
const login = { user: 'ann', key: 'right' };
type Own = typeof login;

async function ask<T>({ key }: Own, path: string, { url: base = '', signal }: Call): Promise<T> {
  const url = new URL(path, base);
  const { status, json } = await requestJson({
    service: 'small',
    method: 'GET',
    url,
    headers: { authorization: key },
    timeoutMs: 5_000,
    signal,
  });
  if (status === 401) throw new ProviderError('credentials', 'the login is refused', { status });
  return json as T;
}

const own = { id: 'sample.example', fields, testLogin: (with_: Own, to: Call) => ask<void>(with_, '/login', to) };

const registrar = defineRegistrar({
  ...own,
  currency: 'USD',
  listDomains: (with_, to) => ask(with_, '/domains', to),
  readBalance: (with_, to) => ask(with_, '/balance', to),
});

describeRegistrar(
  { provider: registrar, login, call },
  { owned: 'a.example', free: 'free.example', taken: 'taken.example', premium: 'premium.example', charges: () => [] },
);
describeSearchSource(
  {
    provider: defineSearchSource({
      ...own,
      readPage: (with_, _query, page, to) => ask(with_, `/page?name=${page}`, to),
    }),
    login,
    call,
  },
  { indexed: 'a.example', absent: 'b.example' },
);
describeSiteHost({
  provider: defineSiteHost({
    ...own,
    listSites: (with_, to) => ask(with_, '/sites', to),
    ensureSite: (with_, name, to) => ask(with_, `/site?name=${name}`, to),
  }),
  login,
  call,
});
describeVantage({
  provider: defineVantage({ ...own, reach: (with_, host, to) => ask(with_, `/reach?name=${host}`, to) }),
  login,
  call,
});

test('a capability that a provider lacks can be told without a call', () => {
  expect('register' in registrar).toBe(false);
  expect('listDomains' in registrar).toBe(true);
});
