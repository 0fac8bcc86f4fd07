import { registrarTypes } from '../../shared/accounts/registrar-types.ts';
import { z } from 'zod';
import type { Call, Login } from '../provider.ts';
import { exchangeOf, orAbsent, parseJson, type Exchange, type Meaning, type Service } from './exchange.ts';
import { Amount, Flag, nameIn, Text } from './values.ts';

// 1,200 calls an hour for an account and for an address; money one call at a time.
const SERVICE: Service = {
  id: 'reg.ru',
  url: 'https://api.reg.ru/api/regru2',
  pace: { calls: 1_200, seconds: 3_600, atOnce: 1, shared: true },
  // As many of one address, for all logins together.
  ofAll: { calls: 1_200, seconds: 3_600, atOnce: 10, shared: true },
};

/** The fields of a login. */
export const { fields: FIELDS } = registrarTypes['reg.ru'];
/** A login with its settings. */
export type Account = Login<typeof FIELDS>;

/** Failures by the registrar's error code. */
export const MEANINGS: Readonly<Record<string, Meaning>> = {
  PASSWORD_AUTH_FAILED: ['credentials'],
  NO_USERNAME: ['credentials'],
  NO_AUTH: ['credentials'],
  ACCESS_DENIED_FROM_IP: ['credentials', 'address'],
  ACCOUNT_EXCEEDED_ALLOWED_CONNECTION_RATE: ['rate_limited', undefined, 3_600],
  IP_EXCEEDED_ALLOWED_CONNECTION_RATE: ['rate_limited', undefined, 3_600, true],
  BILLING_LOCK: ['rate_limited', 'busy', 30],
  SERVICE_UNAVAILABLE: ['unavailable'],
  DOMAIN_ALREADY_EXISTS: ['refused', 'taken'],
  NOT_ENOUGH_MONEY: ['refused', 'no_money'],
  DOMAIN_BAD_NAME: ['refused', 'name'],
  DOMAIN_STOP_LIST: ['refused', 'name'],
  DOMAIN_IS_NOT_VERIFIED: ['refused', 'locked'],
  PURCHASES_DISABLED: ['refused', 'purchases_off'],
  INVALID_NSS: ['refused'],
  DOMAIN_PROTECTION: ['refused', 'locked'],
  DOMAIN_NOT_FOUND: ['refused', 'absent'],
  // An order of ours or of somebody else is under way: whether this one was taken is to be looked up.
  DOMAIN_ALREADY_ORDERED: ['malformed'],
  DOUBLE_ORDER: ['malformed'],
  ORDER_ALREADY_PAYED: ['malformed'],
  DOMAIN_ORDER_LOCKED: ['malformed'],
  USER_SERVID_IS_NOT_UNIQUE: ['malformed'],
};

const Envelope = z.discriminatedUnion('result', [
  z.object({ result: z.literal('success'), answer: z.unknown() }),
  z.object({ result: z.literal('error'), error_code: z.string(), error_text: z.string().optional() }),
]);
// A domain or a service of an answer; which fields there are depends on the call.
const Item = z.object({
  dname: z.string().optional(),
  result: z.string().optional(),
  error_code: z.string().optional(),
  error_text: z.string().optional(),
  service_id: Text.optional(),
  servtype: z.string().optional(),
  state: z.string().optional(),
  expiration_date: z.string().nullish(),
  nss: z.array(z.object({ ns: z.string() })).nullish(),
  is_premium: Flag.nullish(),
  price: Amount.nullish().catch(null),
});
export type Item = z.output<typeof Item>;
/** An answer about domains. */
export const Domains = z.object({ domains: z.array(Item) });
/** An answer about services. */
export const Services = z.object({ services: z.array(Item) });
/** The calls of one login. */
export interface Client {
  exchange: Exchange;
  ask: <Shape extends z.ZodType>(call: string, shape: Shape, input: object, pays?: boolean) => Promise<z.output<Shape>>;
  /** Throws for an object that failed within a call that succeeded. */
  refuse: (item: Item, pays?: boolean) => void;
}

/** Opens the calls of a login. */
export function open({ login, password }: Account, call: Call): Client {
  const exchange = exchangeOf(SERVICE, login, [password], call);
  return {
    exchange,
    async ask(path, shape, input, pays = false) {
      const body = new URLSearchParams({
        username: login,
        password,
        input_format: 'json',
        input_data: JSON.stringify(input),
        output_format: 'json',
        io_encoding: 'utf8',
        lang: 'ru',
      });
      const { text } = await exchange.send({ method: 'POST', path: `/${path}`, body, pays });
      const envelope = exchange.read(Envelope, parseJson(text));
      if (envelope.result === 'success') return exchange.read(shape, envelope.answer);
      throw exchange.refusal(MEANINGS, envelope.error_code, envelope.error_text ?? '', pays);
    },
    refuse({ result, error_code, error_text = '' }, pays = false) {
      if (error_code !== undefined) throw exchange.refusal(MEANINGS, error_code, error_text, pays);
      if (result !== undefined && result !== 'success') throw exchange.error('malformed', result);
    },
  };
}

/** Whether an object is of a name. */
export const isNamed = ({ dname = '' }: Item, name: string): boolean => nameIn(dname) === name;

/** The domains among services: neither deleted ones nor those that the account is told to be without. Throws for one that failed otherwise. */
export function domainsAmong(services: readonly Item[], { refuse }: Client): Item[] {
  const there = services.filter(
    ({ error_code = '', servtype = 'domain', state }) =>
      servtype === 'domain' && state !== 'D' && MEANINGS[error_code]?.[1] !== 'absent',
  );
  for (const service of there) refuse(service);
  return there;
}

/** Whether a service is a domain of the account: a new one is an order that is not paid, or not registered yet. */
export const isOwned = ({ state }: Item): boolean => state !== 'N';

/** Returns the services of a domain in the account; none, where it is not there. */
export async function servicesOf(client: Client, wanted: object): Promise<Item[]> {
  const answer = await orAbsent(client.ask('service/get_info', Services, wanted));
  return domainsAmong(answer?.services ?? [], client);
}
