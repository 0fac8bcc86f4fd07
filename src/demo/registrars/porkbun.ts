import { Refusal, type Shop, type ShopDomain } from './shop.ts';
import { textOf, type Dialect, type ShopAnswer, type ShopCall } from './server.ts';

const CODES: Record<Refusal['reason'], string> = {
  credentials: 'INVALID_API_KEYS_001',
  address: 'INVALID_USER',
  taken: 'DOMAIN_NOT_AVAILABLE',
  premium: 'PREMIUM_DOMAIN',
  price: 'COST_MISMATCH',
  no_money: 'INSUFFICIENT_FUNDS',
  name: 'INVALID_DOMAIN',
  locked: 'DOMAIN_LOCKED',
  absent: 'INVALID_DOMAIN',
  busy: 'RATE_LIMIT_EXCEEDED',
  purchases_off: 'NOT_ALLOWED',
  duplicate: 'IDEMPOTENCY_CONFLICT',
  unknown: 'INVALID_OR_EMPTY_JSON',
};

const dollars = (minor: number): string => (minor / 100).toFixed(2);
const dateOf = (time: string): string => time.slice(0, 19).replace('T', ' ');
const json = (value: object, status = 200): ShopAnswer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
});

const domainOf = ({ name, created_at, expires_at, locked }: ShopDomain): object => ({
  domain: name,
  status: 'ACTIVE',
  tld: name.slice(name.indexOf('.') + 1),
  createDate: dateOf(created_at),
  expireDate: dateOf(expires_at),
  securityLock: locked ? '1' : '0',
  whoisPrivacy: '1',
  autoRenew: 0,
});

/** Compares what the buyer offers with the price: another is refused. */
function compare(offered: unknown, price: number): void {
  if (offered !== price) throw new Refusal('price', `The cost must be ${price}`);
}

const soldAs = ({ account }: Shop, domain: string, id: string, cost: number): object => ({
  domain,
  cost,
  orderId: id,
  balance: account.balance,
});

type Perform = (shop: Shop, name: string, call: ShopCall & { key: string }) => object;

const CALLS: Record<string, Perform> = {
  ping: () => ({ yourIp: '198.51.100.10', credentialsValid: true }),
  'account/balance': ({ account }) => ({ balance: account.balance, display: `$${dollars(account.balance)}` }),
  'domain/listAll': (shop, _name, { input }) => {
    const start = Number(input['start'] ?? 0);
    return {
      domains: shop
        .domains()
        .slice(start, start + 1000)
        .map(domainOf),
    };
  },
  'domain/get': (shop, name) => ({ domain: domainOf(shop.find(name)) }),
  'domain/getNs': (shop, name) => ({ ns: shop.find(name).name_servers }),
  'domain/updateNs': (shop, name, { input }) => {
    shop.setNameServers(name, input['ns'] as string[]);
    return {};
  },
  'domain/checkDomain': (shop, name) => {
    const { state, price } = shop.offer(name);
    return {
      response: {
        avail: state === 'taken' ? 'no' : 'yes',
        price: dollars(price),
        regularPrice: dollars(shop.prices(name).register),
        premium: state === 'premium' ? 'yes' : 'no',
        minDuration: 1,
        additional: { renewal: { type: 'renewal', price: dollars(shop.prices(name).renew) } },
      },
      limits: { TTL: '10', limit: '1', used: 1, naturalLanguage: '1 out of 1 checks within 10 seconds used.' },
    };
  },
  'domain/create': (shop, name, { input, key }) => {
    const earlier = shop.account.charges.find((one) => key !== '' && one.reference === key);
    if (earlier) return soldAs(shop, earlier.name, earlier.id, earlier.amount);
    if (input['agreeToTerms'] !== 'yes') throw new Refusal('unknown', 'The terms have to be agreed to');
    if (shop.offer(name).state === 'free') compare(input['cost'], shop.offer(name).price);
    const { id, amount } = shop.register(name, 1, key);
    return soldAs(shop, name, id, amount);
  },
  'domain/renew': (shop, name, { input, key }) => {
    const earlier = shop.account.charges.find((one) => key !== '' && one.reference === key);
    if (earlier) return soldAs(shop, earlier.name, earlier.id, earlier.amount);
    compare(input['cost'], shop.prices(name).renew);
    const { id, amount } = shop.renew(name, 1, key);
    return soldAs(shop, name, id, amount);
  },
};

/** The JSON API of Porkbun, version 3. */
export const porkbunDialect: Dialect = {
  read({ path, body, headers }) {
    const [area = '', action = '', name] = path.slice(1).split('/');
    const input = JSON.parse(body || '{}') as Record<string, unknown>;
    return {
      name: action === '' ? area : `${area}/${action}`,
      input: { ...input, ...(name !== undefined && { domain: name }) },
      login: textOf({ input: headers }, 'x-api-key') || textOf({ input }, 'apikey'),
      password: textOf({ input: headers }, 'x-secret-api-key') || textOf({ input }, 'secretapikey'),
    };
  },
  answer(shop, call, { headers }) {
    const perform = CALLS[call.name];
    if (!perform) throw new Refusal('unknown', 'No such call');
    const key = textOf({ input: headers }, 'idempotency-key');
    return json({ status: 'SUCCESS', ...perform(shop, textOf(call, 'domain'), { ...call, key }) });
  },
  refuse: ({ reason, message }) =>
    json({ status: 'ERROR', code: CODES[reason], message, requestId: '00000000' }, reason === 'busy' ? 429 : 400),
};
