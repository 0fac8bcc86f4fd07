import { registrarTypes } from '../../shared/accounts/registrar-types.ts';
import type { Call, Login } from '../provider.ts';
import { find, parseXml, type Element } from '../xml.ts';
import { exchangeOf, type Exchange, type Meaning, type Service } from './exchange.ts';

const SERVICE: Service = {
  id: 'namecheap.com',
  url: 'https://api.namecheap.com/xml.response',
  pace: { calls: 20, seconds: 60, atOnce: 1, shared: true },
};
const SANDBOX = 'https://api.sandbox.namecheap.com/xml.response';
const TOO_MANY = 405;

/** The fields of a login; `contact` is the name of an address that is stored in the account. */
export const { fields: FIELDS } = registrarTypes['namecheap.com'];
/** A login with its settings. */
export type Account = Login<typeof FIELDS>;

const MEANINGS: Readonly<Record<string, Meaning>> = {
  '1011102': ['credentials'],
  '1011101': ['credentials'],
  '1011150': ['credentials', 'address'],
  '4011103': ['credentials'],
  '2019166': ['refused', 'absent'],
  '2016166': ['refused', 'absent'],
  '3016166': ['refused', 'absent'],
  '2030166': ['refused', 'name'],
  // `2033409`, an order that its user was not found for, tells nothing of its end: of a call that pays it is none of these.
  '3019166': ['refused', 'taken'],
  '4019166': ['refused', 'taken'],
  '2020166': ['refused'],
  '2528166': ['refused', 'no_money'],
  '5050900': ['unavailable'],
  '5019169': ['unavailable'],
  '5050169': ['unavailable'],
  '3050900': ['unavailable'],
};

/** The calls of one login. */
export interface Client {
  exchange: Exchange;
  /** Returns the answer's CommandResponse. */
  ask: (command: string, parameters?: Record<string, string>, pays?: boolean) => Promise<Element>;
}

/** Opens the calls of a login, at the sandbox where it is of one. */
export function open({ login, password, client_ip, sandbox }: Account, call: Call): Client {
  const service = sandbox === 'on' ? { ...SERVICE, url: SANDBOX } : SERVICE;
  const exchange = exchangeOf(service, login, [password], call);
  const own = { ApiUser: login, ApiKey: password, UserName: login, ClientIp: client_ip };
  return {
    exchange,
    async ask(command, parameters = {}, pays = false) {
      const body = new URLSearchParams({ ...own, Command: `namecheap.${command}`, ...parameters });
      const { status, text } = await exchange.send({ method: 'POST', body, pays });
      if (status === TOO_MANY) throw exchange.error('rate_limited', `HTTP ${status}`, { status, retryAfter: 60 });
      const answer = parseXml(text);
      if (answer.name !== 'ApiResponse') throw exchange.error('malformed', 'an answer that is not documented');
      const error = find(answer, 'Error');
      if (answer.attributes['Status'] !== 'OK' || error) {
        throw exchange.refusal(MEANINGS, error?.attributes['Number'] ?? '', error?.text ?? '', pays);
      }
      return find(answer, 'CommandResponse') ?? answer;
    },
  };
}

/** Returns an attribute of the first element of a name. Throws `malformed` if there is none. */
export function valueIn({ exchange }: Client, answer: Element, name: string, attribute: string): string {
  const value = find(answer, name)?.attributes[attribute];
  if (value === undefined) throw exchange.error('malformed', `no ${name}@${attribute}`);
  return value;
}

/** Whether a flag of an answer is set. */
export const isTrue = (value: string | undefined): boolean => value?.toLowerCase() === 'true';
