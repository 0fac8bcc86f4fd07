import { registrarTypes } from '../../shared/accounts/registrar-types.ts';
import { z } from 'zod';
import { ProviderError } from '../provider-error.ts';
import {
  defineRegistrar,
  type Availability,
  type Call,
  type DelegatedDomain,
  type Login,
  type Money,
} from '../provider.ts';
import { exchangeOf, orAbsent, parseJson, type Meaning, type Service } from './exchange.ts';
import { Amount, amountOf, domainsIn, Flag, minorOf, money, nameIn, Text } from './values.ts';

/**
 * The JSON API of Porkbun, version 3; its keys travel in headers. A name is asked for, and bought, at most once in ten seconds.
 * Premium names and those of Russia are not sold here, and a purchase takes what the account has paid in.
 */

const SERVICE: Service = {
  id: 'porkbun.com',
  url: 'https://api.porkbun.com/api/json/v3',
  pace: { calls: 60, seconds: 60, atOnce: 1, shared: true },
};
const ONE_IN_TEN_SECONDS = { calls: 1, seconds: 10, atOnce: 1, shared: true } as const;
const PAGE = 1_000;
const CURRENCY = 'USD';

const { fields: FIELDS } = registrarTypes['porkbun.com'];

const MEANINGS: Readonly<Record<string, Meaning>> = {
  API_KEY_REQUIRED: ['credentials'],
  INVALID_API_KEYS_001: ['credentials'],
  INVALID_TOKEN: ['credentials'],
  INVALID_USER: ['credentials'],
  RATE_LIMIT_EXCEEDED: ['rate_limited'],
  DOMAIN_NOT_AVAILABLE: ['refused', 'taken'],
  COST_MISMATCH: ['refused', 'price'],
  INSUFFICIENT_FUNDS: ['refused', 'no_money'],
  INVALID_DOMAIN: ['refused', 'absent'],
};

const Envelope = z.looseObject({
  status: z.enum(['SUCCESS', 'ERROR']),
  code: z.string().optional(),
  message: z.string().optional(),
  ttlRemaining: z.coerce.number().positive().optional().catch(undefined),
});
const Domain = z.object({ domain: z.string(), expireDate: z.string().nullish(), status: z.string().nullish() });
// Whole cents; anything else, such as null, is no sum.
const Cents = Text.pipe(z.string().regex(/^-?\d{1,12}$/)).transform(Number);
const Checked = z.object({
  response: z.object({
    avail: z.string(),
    price: Amount,
    premium: Flag,
    minDuration: z.coerce.number().int().positive().optional(),
    additional: z.object({ renewal: z.object({ price: Amount }).optional() }).optional(),
  }),
});
const Ordered = z.object({ domain: z.string(), cost: Cents.nullable().catch(null), orderId: Text });

type Ask = <Shape extends z.ZodType>(
  path: string,
  shape: Shape,
  body?: object,
  more?: { headers?: Record<string, string>; paced?: string; pays?: boolean },
) => Promise<z.output<Shape>>;

function open({ login, password }: Login<typeof FIELDS>, call: Call): Ask {
  const exchange = exchangeOf(SERVICE, login, [password], call);
  const keys = { 'x-api-key': login, 'x-secret-api-key': password, 'content-type': 'application/json' };
  return async (path, shape, body = {}, { headers = {}, paced, pays = false } = {}) => {
    const answer = await exchange.send({
      method: 'POST',
      path,
      body: JSON.stringify(body),
      headers: { ...keys, ...headers },
      pays,
      tellsWait: true,
      ...(paced !== undefined && { paced: { name: paced, pace: ONE_IN_TEN_SECONDS } }),
    });
    const told = parseJson(answer.text);
    if (answer.status === 429) {
      const wait = Envelope.safeParse(told).data?.ttlRemaining ?? Number(answer.headers.get('retry-after'));
      throw exchange.error('rate_limited', 'HTTP 429', { status: 429, retryAfter: wait || undefined });
    }
    const envelope = exchange.read(Envelope, told);
    if (envelope.status === 'SUCCESS') return exchange.read(shape, envelope);
    const { code = `HTTP ${answer.status}`, message = '', ttlRemaining } = envelope;
    if (code === 'RATE_LIMIT_EXCEEDED')
      throw exchange.error('rate_limited', message, { code, retryAfter: ttlRemaining });
    throw exchange.refusal(MEANINGS, code, message, pays);
  };
}

// `2027-02-15 10:11:12`, in UTC.
function timeOf(text: string | null | undefined): string | null {
  const time = Date.parse(`${(text ?? '').replace(' ', 'T')}Z`);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

const Registered = z.object({ domain: Domain });

/** Throws `malformed` for an answer that is about another domain than the one asked for. */
function expectName(answered: string, asked: string): void {
  if (nameIn(answered) === asked) return;
  throw new ProviderError('malformed', 'porkbun.com: the answer names another domain');
}

/** Reads a domain of the account; null: it is not there. */
async function readOwn(ask: Ask, name: string): Promise<z.output<typeof Domain> | null> {
  const registered = await orAbsent(ask(`/domain/get/${name}`, Registered));
  if (registered) expectName(registered.domain.domain, name);
  return registered && registered.domain;
}

const AVAILABLE: Readonly<Record<string, Availability['state']>> = { yes: 'free', no: 'taken' };

const chargedOf = (cost: number | null): Money | null =>
  cost === null || cost < 0 ? null : money(amountOf(cost), CURRENCY);

/** Porkbun. */
export const porkbun = defineRegistrar({
  id: 'porkbun.com',
  currency: CURRENCY,
  fields: FIELDS,
  async testLogin(account, call) {
    await open(account, call)('/ping', z.object({ credentialsValid: z.literal(true) }));
  },
  async listDomains(account, call) {
    const ask = open(account, call);
    const rows: z.output<typeof Domain>[] = [];
    for (let start = 0; ; start += PAGE) {
      const { domains } = await ask('/domain/listAll', z.object({ domains: z.array(Domain) }), {
        start: String(start),
      });
      rows.push(...domains);
      if (domains.length < PAGE) break;
    }
    return domainsIn(rows.map(({ domain, expireDate }) => ({ name: domain, expires_at: () => timeOf(expireDate) })));
  },
  async readDomain(account, name, call) {
    const ask = open(account, call);
    const registered = await readOwn(ask, name);
    if (!registered) return null;
    const { ns } = await ask(`/domain/getNs/${name}`, z.object({ ns: z.array(z.string()) }));
    const read: DelegatedDomain = {
      domain_name: name,
      expires_at: timeOf(registered.expireDate),
      name_servers: ns.map((server) => server.toLowerCase()),
      locked: false,
    };
    return read;
  },
  async readBalance(account, call) {
    const { balance } = await open(account, call)('/account/balance', z.object({ balance: Cents }));
    return money(amountOf(balance), CURRENCY);
  },
  checksSingly: true,
  async checkNames(account, names, call) {
    const ask = open(account, call);
    const checked: Availability[] = [];
    for (const domain_name of names) {
      const { response } = await ask(`/domain/checkDomain/${domain_name}`, Checked, {}, { paced: 'check' });
      const { avail, premium, minDuration = 1 } = response;
      const offered = AVAILABLE[avail.toLowerCase()] ?? 'unknown';
      const state = offered === 'free' && premium ? 'premium' : offered;
      // An order takes the whole of the shortest term, and ours are for a year: such a name has no price here.
      checked.push({ domain_name, state, price: minDuration === 1 ? money(response.price, CURRENCY) : null });
    }
    return checked;
  },
  async readRenewalPrice(account, name, call) {
    const { response } = await open(account, call)(`/domain/checkDomain/${name}`, Checked, {}, { paced: 'check' });
    const price = response.additional?.renewal?.price;
    if (price === undefined) throw new ProviderError('malformed', 'porkbun.com: no price of a renewal');
    return money(price, CURRENCY);
  },
  async register(account, { domain_name, reference, price }, call) {
    const body = { cost: minorOf(price.amount), agreeToTerms: 'yes', whoisPrivacy: true };
    const headers = { 'idempotency-key': reference };
    const more = { headers, paced: 'create', pays: true };
    const { domain, cost, orderId } = await open(account, call)(`/domain/create/${domain_name}`, Ordered, body, more);
    expectName(domain, domain_name);
    return { state: 'done', id: orderId, charged: chargedOf(cost) };
  },
  async renew(account, { domain_name, reference, price }, call) {
    const more = { headers: { 'idempotency-key': reference }, pays: true };
    const body = { cost: minorOf(price.amount) };
    const { domain, cost, orderId } = await open(account, call)(`/domain/renew/${domain_name}`, Ordered, body, more);
    expectName(domain, domain_name);
    return { state: 'done', id: orderId, charged: chargedOf(cost) };
  },
  async readOrder(account, { domain_name }, _id, call) {
    const registered = await readOwn(open(account, call), domain_name);
    return registered ? { state: 'done', id: domain_name, charged: null } : null;
  },
  async setNameServers(account, name, nameServers, call) {
    await open(account, call)(`/domain/updateNs/${name}`, z.unknown(), { ns: nameServers });
  },
});
