// The suites that every provider of a kind has to pass. A provider's own test calls the suite of its kind with the provider,
// its server of `src/demo`, and a login that this server takes.
import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../src/providers/provider-error.ts';
import type { Call, Fields, Login, Registrar, SiteHost, Vantage } from '../../src/providers/provider.ts';

/** A provider with what its suite needs: a login that its server takes, and the server's address. */
export interface Candidate<P, F extends Fields> {
  provider: P;
  login: Login<F>;
  call: () => Call;
}

/** A provider of any kind. */
export interface Any {
  id: string;
  fields: Fields;
  testLogin: (login: Record<string, string>, call: Call) => Promise<void>;
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

type Tests<P, F extends Fields> = {
  [Capability in keyof P]?: {
    title: string;
    run: (candidate: Candidate<P, F> & { provider: Required<P> }) => Promise<void>;
  };
};

/** The tests of the capabilities that the candidate has. */
export function describeCapabilities<P extends object, F extends Fields>(
  candidate: Candidate<P, F>,
  tests: Tests<P, F>,
): void {
  const owned = (Object.keys(tests) as (keyof P)[]).filter((capability) => capability in candidate.provider);
  test.each(owned.flatMap((capability) => tests[capability] ?? []))('$title', async ({ run }) => {
    await expect(run(candidate as Candidate<P, F> & { provider: Required<P> })).resolves.toBeUndefined();
  });
}

/** The tests of every kind: its declaration, a login that works, one that is refused, a server that is away. */
export function describeAny({ provider, login, call }: Candidate<Any, Fields>): void {
  test('the id is a lower-case name, and each field is declared once as text or secret', () => {
    expect(provider.id).toMatch(/^[a-z0-9][a-z0-9.-]*$/);
    expect(Object.keys(provider.fields).toSorted()).toEqual(Object.keys(login).toSorted());
  });

  test('a login that the service takes passes its test', async () => {
    await expect(provider.testLogin(login, call()).then(() => 'passed')).resolves.toBe('passed');
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

/** Names that the fake of a registrar knows, and what it counts. */
export interface Market {
  owned: string;
  free: string;
  taken: string;
  premium: string;
  /** Sales that the service has charged for. */
  charges: () => { name: string; amount: number }[];
}

const ORDER = { years: 1, reference: '9f86d081884c7d659a2feaa0c55ad015' };
const NAME_SERVERS = ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'];

type RegistrarTests<F extends Fields> = Tests<Registrar<F>, F>;

const readingTests = <F extends Fields>({ owned, free, taken }: Market): RegistrarTests<F> => ({
  listDomains: {
    title: 'domains are listed by lower-case ASCII name, each once, with times in UTC',
    run: async ({ provider, login, call }) => {
      const domains = await provider.listDomains(login, call());
      const names = domains.map(({ domain_name }) => domain_name);
      expect(names).toContain(owned);
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(name).toMatch(/^[a-z0-9.-]+$/);
      const times = domains.flatMap(({ expires_at }) => (expires_at === null ? [] : [expires_at]));
      expect(times.map((time) => new Date(time).toISOString())).toEqual(times);
    },
  },
  readDomain: {
    title: 'a domain of the account is read with its name servers, another is null',
    run: async ({ provider, login, call }) => {
      const read = await provider.readDomain(login, owned, call());
      expect(read).toMatchObject({ domain_name: owned, locked: false });
      expect(read?.name_servers.length).toBeGreaterThanOrEqual(2);
      expect(await provider.readDomain(login, free, call())).toBeNull();
    },
  },
  readBalance: {
    title: 'the balance is a decimal text with its currency',
    run: async ({ provider, login, call }) => {
      const { amount, currency } = await provider.readBalance(login, call());
      expect(amount).toMatch(/^-?\d+(\.\d+)?$/);
      expect(currency).toBe(provider.currency);
    },
  },
  checkNames: {
    title: 'names are told apart as free and taken, in the order asked, and a premium name is never free',
    run: async ({ provider, login, call }) => {
      const checked = await provider.checkNames(login, [free, taken, owned], call());
      expect(checked.map(({ domain_name, state }) => [domain_name, state])).toEqual([
        [free, 'free'],
        [taken, 'taken'],
        [owned, 'taken'],
      ]);
      expect(checked[0]?.price?.amount).toMatch(/^\d+(\.\d+)?$/);
    },
  },
  readRenewalPrice: {
    title: 'the price of a renewal is a decimal text with its currency',
    run: async ({ provider, login, call }) => {
      const { amount, currency } = await provider.readRenewalPrice(login, owned, call());
      expect(amount).toMatch(/^\d+(\.\d+)?$/);
      expect(currency).toBe(provider.currency);
    },
  },
});

const writingTests = <F extends Fields>({ owned, free, taken, premium, charges }: Market): RegistrarTests<F> => ({
  setNameServers: {
    title: 'name servers are set as read afterwards; a name of nobody is refused as absent',
    run: async ({ provider, login, call }) => {
      await provider.setNameServers(login, owned, NAME_SERVERS, call());
      expect((await provider.readDomain(login, owned, call()))?.name_servers).toEqual(NAME_SERVERS);
      const error = await failureOf(provider.setNameServers(login, free, NAME_SERVERS, call()));
      expect(error).toMatchObject({ kind: 'refused', reason: 'absent' });
    },
  },
  register: {
    title: 'a taken name is refused without a charge, a free one is charged once and found as an order afterwards',
    run: async ({ provider, login, call }) => {
      const [quote] = await provider.checkNames(login, [free], call());
      const price = quote?.price ?? { amount: '0', currency: provider.currency };
      const refused = { ...ORDER, reference: ORDER.reference.replace('9', '1'), price };
      const error = await failureOf(provider.register(login, { ...refused, domain_name: taken }, call()));
      expect(error).toMatchObject({ kind: 'refused', reason: 'taken' });
      expect(charges()).toEqual([]);

      const order = { ...ORDER, domain_name: free, price };
      const sold = await provider.register(login, order, call());
      expect(sold.id).toMatch(/^\S+$/);
      expect(charges().map(({ name }) => name)).toEqual([free]);
      expect(await provider.readOrder(login, order, sold.id, call())).not.toBeNull();
      expect(
        await provider.readOrder(login, { ...order, domain_name: premium, reference: '' }, null, call()),
      ).toBeNull();
    },
  },
  renew: {
    title: 'a renewal is charged once',
    run: async ({ provider, login, call }) => {
      const before = charges().length;
      const price = await provider.readRenewalPrice?.(login, owned, call());
      const order = { ...ORDER, domain_name: owned, reference: ORDER.reference.replace('9', '2') };
      await provider.renew(login, { ...order, price: price ?? { amount: '0', currency: provider.currency } }, call());
      expect(charges()).toHaveLength(before + 1);
      expect(charges().at(-1)?.name).toBe(owned);
    },
  },
});

/** The suite of registrars. */
export function describeRegistrar<F extends Fields>(candidate: Candidate<Registrar<F>, F>, market: Market): void {
  describe(`the registrar ${candidate.provider.id}`, () => {
    describeAny(candidate as unknown as Candidate<Any, Fields>);

    test('its currency is an ISO 4217 code', () => {
      expect(candidate.provider.currency).toMatch(/^[A-Z]{3}$/);
    });

    describeCapabilities(candidate, readingTests(market));
    describeCapabilities(candidate, writingTests(market));
  });
}

/** The suite of hostings. */
export function describeSiteHost<F extends Fields>(candidate: Candidate<SiteHost<F>, F>): void {
  describe(`the hosting ${candidate.provider.id}`, () => {
    describeAny(candidate as unknown as Candidate<Any, Fields>);
    describeCapabilities(candidate, {
      ensureSite: {
        title: 'a site is made once, however often it is asked for',
        run: async ({ provider, login, call }) => {
          const made = await provider.ensureSite(login, 'new.example', call());
          expect(await provider.ensureSite(login, 'new.example', call())).toEqual(made);
          const sites = await provider.listSites(login, call());
          expect(sites.filter(({ names }) => names.includes('new.example'))).toEqual([made]);
        },
      },
    });
  });
}

/** The suite of vantage points. */
export function describeVantage<F extends Fields>(candidate: Candidate<Vantage<F>, F>): void {
  describe(`the vantage point ${candidate.provider.id}`, () => {
    describeAny(candidate as unknown as Candidate<Any, Fields>);
    describeCapabilities(candidate, {
      reach: {
        title: 'a host that answers is reached, and its milliseconds are told',
        run: async ({ provider, login, call }) => {
          const { host, verdict, ms } = await provider.reach(login, 'reached.example', call());
          expect([host, verdict]).toEqual(['reached.example', 'reached']);
          expect(ms).toBeGreaterThanOrEqual(0);
        },
      },
    });
  });
}
