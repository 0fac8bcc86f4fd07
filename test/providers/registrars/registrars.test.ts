// Every registrar against its fake, over HTTP: the suite of its kind, and what goes wrong with money.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ShopServer } from '../../../src/demo/registrars/server.ts';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import type { Call, Registrar } from '../../../src/providers/provider.ts';
import { REGISTRARS, registrarOf } from '../../../src/providers/registrars.ts';
import type { RegistrarType } from '../../../src/shared/accounts/registrar-types.ts';
import { AT_ONCE, LOGIN, shopState, startRegistrar } from '../../support/registrars/shops.ts';
import { describeRegistrar } from '../conformance.ts';

const shops = new Map<RegistrarType, ShopServer>();
beforeAll(async () => {
  for (const { id } of REGISTRARS) shops.set(id, await startRegistrar(id));
});
afterAll(async () => {
  await Promise.all([...shops.values()].map((shop) => shop.close()));
});

function shopOf(type: RegistrarType): ShopServer {
  const shop = shops.get(type);
  if (!shop) throw new Error(`There is no fake of ${type}`);
  return shop;
}

const loginOf = ({ fields }: Registrar): Record<string, string> =>
  Object.fromEntries(
    Object.entries(LOGIN)
      .filter(([name]) => name in fields)
      .map(([name, value]) => [name, name === 'contact' && fields['base_url'] ? 'ANN-R01' : value]),
  );

/** An address on which nothing listens any more. */
async function closedAddress(): Promise<string> {
  const shop = await startRegistrar('reg.ru');
  await shop.close();
  return shop.url;
}

/** Starts a proxy before a service that writes another name into its answers. */
async function renaming(
  target: string,
  names: string[],
  other: string,
): Promise<{ url: string; close: () => Promise<void> }> {
  const pass = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { host: _host, 'content-length': _length, ...headers } = incoming.headers;
    const answer = await fetch(new URL(incoming.url ?? '/', target), {
      method: incoming.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(incoming.method !== 'GET' && { body: await buffer(incoming) }),
    });
    const text = names.reduce((body, name) => body.replaceAll(name, other), await answer.text());
    response.writeHead(
      answer.status,
      Object.fromEntries([...answer.headers].filter(([name]) => name === 'content-type' || name === 'set-cookie')),
    );
    response.end(text);
  };
  const server = createServer((incoming, response) => void pass(incoming, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const zoneOf = (type: RegistrarType): string => (type.endsWith('.ru') ? 'ru' : 'com');

for (const { id } of REGISTRARS) {
  const provider = registrarOf(id);
  if (!provider) throw new Error(`${id} is not listed`);
  const zone = zoneOf(id);
  describeRegistrar(
    { provider, login: loginOf(provider), call: () => ({ url: shopOf(id).url, pace: AT_ONCE }) },
    {
      owned: `first.${zone}`,
      free: `free.${zone}`,
      taken: `taken.${zone}`,
      premium: `premium.${zone}`,
      charges: () => shopOf(id).state.accounts.flatMap(({ charges }) => charges),
    },
  );
}

const SELLERS = REGISTRARS.map(({ id }) => id).filter((id) => registrarOf(id)?.register);

describe.each(SELLERS)('a purchase at %s', (type) => {
  const provider = registrarOf(type) as Required<Registrar>;
  const login = loginOf(provider);
  const call = (): Call => ({ url: shopOf(type).url, pace: AT_ONCE });
  const zone = zoneOf(type);
  let count = 0;
  const order = () => ({
    domain_name: `new${++count}.${zone}`,
    years: 1,
    reference: String(count).padStart(32, '0'),
    price: { amount: '199.00', currency: provider.currency },
  });
  const charged = (name: string) => shopOf(type).state.accounts[0]?.charges.filter((one) => one.name === name) ?? [];
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => error,
    );
  const isProof = (error: unknown) =>
    error instanceof ProviderError && (['refused', 'credentials', 'rate_limited'].includes(error.kind) || error.unsent);

  beforeEach(() => {
    shopOf(type).faults.length = 0;
    Object.assign(shopOf(type).state, shopState(type));
  });

  const CREATE: Record<string, string> = {
    'reg.ru': 'POST /domain/create',
    'namecheap.com': 'POST /domains.create',
    'porkbun.com': 'POST /domain/create',
    'reghouse.ru': 'POST /addDomain',
  };
  const createCall = CREATE[type] ?? '';

  test.each(['act-then-drop', 'malformed'] as const)(
    'an answer that is lost (%s) is no proof, and was charged once',
    async (kind) => {
      const wanted = order();
      shopOf(type).faults.push({ kind, call: createCall });
      const error = await failure(provider.register(login, wanted, call()));
      expect(error).toBeInstanceOf(ProviderError);
      expect(isProof(error)).toBe(false);
      expect(charged(wanted.domain_name)).toHaveLength(1);
      const found = type === 'reghouse.ru' ? null : await provider.readOrder(login, wanted, null, call());
      expect(found === null).toBe(type === 'reghouse.ru');
    },
  );

  test('is charged as the name was quoted, and so is a renewal', async () => {
    const { domain_name } = order();
    const [quote] = await provider.checkNames(login, [domain_name], call());
    await provider.register(login, { ...order(), domain_name, price: quote!.price! }, call());
    const renewal = await provider.readRenewalPrice?.(login, `first.${zone}`, call());
    if (renewal) await provider.renew(login, { ...order(), domain_name: `first.${zone}`, price: renewal }, call());
    const sums = [...charged(domain_name), ...charged(`first.${zone}`)].map(({ amount }) => amount);
    const quoted = [quote!.price!, ...(renewal ? [renewal] : [])];
    expect(sums).toEqual(quoted.map(({ amount }) => Math.round(Number(amount) * 100)));
  });

  test('is asked once whether it may be made, right before its one request, and is not sent where that throws', async () => {
    const wanted = order();
    const seen: number[] = [];
    const requests = () => shopOf(type).requests.filter(({ path }) => createCall.endsWith(path)).length;
    const taken = await provider.register(login, wanted, {
      ...call(),
      beforePaying: async () => void seen.push(requests()),
    });
    expect(taken.state).not.toBe('rejected');
    expect({ seen, after: requests() }).toEqual({ seen: [requests() - 1], after: requests() });

    const refused = order();
    const no = new Error('purchases are off');
    const beforePaying = () => Promise.reject(no);
    const ends = [
      await failure(provider.register(login, refused, { ...call(), beforePaying })),
      await failure(provider.renew(login, { ...refused, domain_name: `first.${zone}` }, { ...call(), beforePaying })),
    ];
    expect(ends).toEqual([no, no]);
    expect([...charged(refused.domain_name), ...charged(`first.${zone}`)]).toEqual([]);
  });

  test('an answer about another name proves nothing of this one', async () => {
    const wanted = order();
    const proxy = await renaming(shopOf(type).url, [`first.${zone}`, wanted.domain_name], `other.${zone}`);
    const through = () => ({ ...call(), url: proxy.url });
    const read = await failure(
      provider.readDomain(login, `first.${zone}`, through()).then((found) => expect(found).toBeNull()),
    );
    expect(read === null || (read instanceof ProviderError && read.kind === 'malformed')).toBe(true);
    const ordered = await provider.register(login, wanted, through()).catch((error: unknown) => error);
    expect(isProof(ordered)).toBe(false);
    expect(ordered).not.toMatchObject({ state: 'done' });
    await proxy.close();
  });

  test('an account without money is a refusal with that reason, and nothing is charged', async () => {
    const [account] = shopOf(type).state.accounts;
    if (account) account.balance = 100;
    const wanted = order();
    const error = await failure(provider.register(login, wanted, call()));
    expect(error).toMatchObject({ kind: 'refused', reason: 'no_money' });
    expect(charged(wanted.domain_name)).toEqual([]);
  });

  test('a service that cannot be reached has sent nothing', async () => {
    const error = await failure(provider.register(login, order(), { ...call(), url: await closedAddress() }));
    expect(error).toMatchObject({ kind: 'unavailable', unsent: true });
  });

  test('too many calls are a refusal that proves that nothing was charged', async () => {
    const wanted = order();
    shopOf(type).faults.push({ kind: '429', retryAfter: 1, call: createCall });
    const error = await failure(provider.register(login, wanted, call()));
    expect(error).toMatchObject({ kind: 'rate_limited' });
    expect(charged(wanted.domain_name)).toEqual([]);
  });
});
