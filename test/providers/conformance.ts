// The suites that every provider of a kind has to pass. A provider's own test calls the suite of its kind with the provider,
// its server of `src/demo`, and a login that this server takes.
import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../src/providers/provider-error.ts';
import type { Call, Fields, Login, Registrar, SearchSource, SiteHost, Vantage } from '../../src/providers/provider.ts';

/** A provider with what its suite needs: a login that its server takes, and the server's address. */
export interface Candidate<P, F extends Fields> {
  provider: P;
  login: Login<F>;
  call: () => Call;
}

interface Any {
  id: string;
  fields: Fields;
  testLogin: (login: Record<string, string>, call: Call) => Promise<void>;
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** The tests of every kind: its declaration, a login that works, one that is refused, a server that is away. */
function describeAny({ provider, login, call }: Candidate<Any, Fields>): void {
  test('the id is a lower-case name, and each field is declared once as text or secret', () => {
    expect(provider.id).toMatch(/^[a-z0-9][a-z0-9.-]*$/);
    expect(Object.keys(provider.fields).toSorted()).toEqual(Object.keys(login).toSorted());
  });

  test('a login that the service takes passes its test', async () => {
    await provider.testLogin(login, call());
  });

  test('a wrong secret is an error of the kind `credentials`, and no secret stands in its message', async () => {
    const secrets = Object.keys(provider.fields).filter((name) => provider.fields[name] === 'secret');
    const wrong = { ...login, ...Object.fromEntries(secrets.map((name) => [name, `wrong-${name}-7f3a`])) };
    const error = await failureOf(provider.testLogin(wrong, call()));
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ kind: 'credentials' });
    for (const name of secrets) expect((error as Error).message).not.toContain(wrong[name]);
  });

  test('a service that does not answer is an error of the kind `unavailable`', async () => {
    const error = await failureOf(provider.testLogin(login, { ...call(), url: 'http://127.0.0.1:9' }));
    expect(error).toMatchObject({ kind: 'unavailable' });
  });
}

/** The suite of registrars. */
export function describeRegistrar<F extends Fields>(candidate: Candidate<Registrar<F>, F>): void {
  const { provider, login, call } = candidate;
  describe(`the registrar ${provider.id}`, () => {
    describeAny(candidate as unknown as Candidate<Any, Fields>);

    const { listDomains, readBalance } = provider;
    if (listDomains) {
      test('lists domains by lower-case ASCII name, each once, with times in UTC', async () => {
        const domains = await listDomains(login, call());
        const names = domains.map(({ domain_name }) => domain_name);
        expect(new Set(names).size).toBe(names.length);
        for (const { domain_name, expires_at } of domains) {
          expect(domain_name).toMatch(/^[a-z0-9.-]+$/);
          if (expires_at !== null) expect(new Date(expires_at).toISOString()).toBe(expires_at);
        }
      });
    }
    if (readBalance) {
      test('reads the balance as a decimal text with its currency', async () => {
        const { amount, currency } = await readBalance(login, call());
        expect(amount).toMatch(/^-?\d+(\.\d+)?$/);
        expect(currency).toMatch(/^[A-Z]{3}$/);
      });
    }
  });
}

/** The suite of search sources. */
export function describeSearchSource<F extends Fields>(candidate: Candidate<SearchSource<F>, F>): void {
  const { provider, login, call } = candidate;
  describe(`the search source ${provider.id}`, () => {
    describeAny(candidate as unknown as Candidate<Any, Fields>);

    const { readResults } = provider;
    if (readResults) {
      test('reads results in their order, no further than was asked for', async () => {
        const query = { engine: 'google', keyword: 'seo', region: 'us', device: 'desktop', depth: 10 } as const;
        const { depth, urls } = await readResults(login, query, call());
        expect(depth).toBeLessThanOrEqual(10);
        expect(urls.length).toBeLessThanOrEqual(depth);
        for (const url of urls) expect(URL.canParse(url)).toBe(true);
      });
    }
  });
}

/** The suite of hostings. */
export function describeSiteHost<F extends Fields>(candidate: Candidate<SiteHost<F>, F>): void {
  const { provider, login, call } = candidate;
  describe(`the hosting ${provider.id}`, () => {
    describeAny(candidate as unknown as Candidate<Any, Fields>);

    const { ensureSite, listSites } = provider;
    if (ensureSite && listSites) {
      test('makes a site once, however often it is asked to', async () => {
        const made = await ensureSite(login, 'new.example', call());
        expect(await ensureSite(login, 'new.example', call())).toEqual(made);
        const sites = await listSites(login, call());
        expect(sites.filter(({ names }) => names.includes('new.example'))).toEqual([made]);
      });
    }
  });
}

/** The suite of vantage points. */
export function describeVantage<F extends Fields>(candidate: Candidate<Vantage<F>, F>): void {
  const { provider, login, call } = candidate;
  describe(`the vantage point ${provider.id}`, () => {
    describeAny(candidate as unknown as Candidate<Any, Fields>);

    const { reach } = provider;
    if (reach) {
      test('tells a host that it reached from one that it did not', async () => {
        const { host, verdict, ms } = await reach(login, 'reached.example', call());
        expect([host, verdict]).toEqual(['reached.example', 'reached']);
        expect(ms).toBeGreaterThanOrEqual(0);
      });
    }
  });
}
