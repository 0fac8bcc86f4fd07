import { registrarTypes } from '../../shared/accounts/registrar-types.ts';
import { z } from 'zod';
import { ProviderError } from '../provider-error.ts';
import { defineRegistrar, type Call, type Login } from '../provider.ts';
import { exchangeOf, parseJson, type Meaning, type Service } from './exchange.ts';
import { Amount, domainsIn, endOfDay, money, nameIn } from './values.ts';

/**
 * expired.ru catches names of .ru and .рф that are released; it sells no free ones, so it has neither `checkNames` nor
 * `register`. It runs on BILLmanager: POST forms, JSON answers, always HTTP 200. Nobody has verified the fields by which name
 * servers are set.
 */

const SERVICE: Service = {
  id: 'expired.ru',
  url: 'https://api.expired.ru/billmgr',
  pace: { calls: 60, seconds: 60, atOnce: 1 },
};

const { fields: FIELDS } = registrarTypes['expired.ru'];

const MEANINGS: Readonly<Record<string, Meaning>> = {
  '100': ['credentials'],
  auth: ['credentials'],
  badpassword: ['credentials'],
  access: ['credentials', 'address'],
};

// A text is written as itself, as a number, or as `{"$": "…"}`.
const Text = z
  .union([z.string(), z.number(), z.object({ $: z.union([z.string(), z.number()]) })])
  .transform((value) => String(typeof value === 'object' ? value.$ : value));
// One element is an object, several are an array, none is left out.
const listOf = <Shape extends z.ZodType>(shape: Shape) =>
  z
    .union([z.array(shape), shape.transform((one) => [one])])
    .optional()
    .transform((rows) => rows ?? []);

const Failure = z.object({ code: Text.optional(), $type: z.string().optional(), msg: Text.optional() });
const Answer = z.looseObject({
  error: Failure.optional(),
  doc: z.looseObject({ error: Failure.optional() }).optional(),
});
const Domains = z.object({
  elem: listOf(z.object({ id: Text, name: Text.optional(), domain: Text.optional(), expiredate: Text.nullish() })),
});
const Accounts = z.object({ elem: listOf(z.object({ currency: Text, balance: Text })) });

type Ask = <Shape extends z.ZodType>(
  shape: Shape,
  func: string,
  input?: Record<string, string>,
) => Promise<z.output<Shape>>;

function open({ login, password }: Login<typeof FIELDS>, call: Call): Ask {
  const exchange = exchangeOf(SERVICE, login, [password], call);
  return async (shape, func, input = {}) => {
    const body = new URLSearchParams({ authinfo: `${login}:${password}`, out: 'json', func, ...input });
    const { text } = await exchange.send({ method: 'POST', body });
    const { error, doc } = exchange.read(Answer, parseJson(text));
    const failure = error ?? doc?.error;
    if (failure) {
      throw exchange.refusal(MEANINGS, failure.code ?? failure.$type ?? '', failure.msg ?? '', false);
    }
    return exchange.read(shape, doc);
  };
}

interface Own {
  id: string;
  expires_at: string | null;
}

async function readOwn(ask: Ask, wanted: string): Promise<Own | null> {
  const { elem } = await ask(Domains, 'domain');
  for (const { id, name, domain = name, expiredate } of elem) {
    if (nameIn(domain ?? '') === wanted) return { id, expires_at: endOfDay(expiredate ?? '', wanted) };
  }
  return null;
}

const Delegation = z.record(z.string(), z.unknown());
const NAME_SERVER = /^ns\d$/;

/** expired.ru. */
export const expired = defineRegistrar({
  id: 'expired.ru',
  currency: 'RUB',
  fields: FIELDS,
  async testLogin(account, call) {
    await open(account, call)(Accounts, 'accountinfo');
  },
  async listDomains(account, call) {
    const { elem } = await open(account, call)(Domains, 'domain');
    return domainsIn(
      elem.map(({ name, domain = name, expiredate }) => ({
        name: domain ?? '',
        expires_at: (own) => endOfDay(expiredate ?? '', own),
      })),
    );
  },
  async readDomain(account, name, call) {
    const ask = open(account, call);
    const own = await readOwn(ask, name);
    if (!own) return null;
    const delegation = await ask(Delegation, 'domain.ns', { elid: own.id });
    const name_servers = Object.entries(delegation).flatMap(([field, value]) => {
      const text = NAME_SERVER.test(field) ? Text.safeParse(value).data : undefined;
      return text === undefined || text === '' ? [] : [text.toLowerCase()];
    });
    return { domain_name: name, expires_at: own.expires_at, name_servers, locked: false };
  },
  async readBalance(account, call) {
    const { elem } = await open(account, call)(Accounts, 'accountinfo');
    const balance = elem.find(({ currency }) => ['RUB', 'RUR'].includes(currency))?.balance;
    const amount = Amount.safeParse(balance);
    if (!amount.success) throw new ProviderError('malformed', 'expired.ru: no balance in rubles');
    return money(amount.data, 'RUB');
  },
  async setNameServers(account, name, nameServers, call) {
    const ask = open(account, call);
    const own = await readOwn(ask, name);
    if (!own) throw new ProviderError('refused', `expired.ru: ${name} is not in this account`, { reason: 'absent' });
    const fields = Object.fromEntries(nameServers.map((server, index) => [`ns${index}`, server]));
    await ask(z.unknown(), 'domain.ns', { elid: own.id, sok: 'ok', ...fields });
  },
});
