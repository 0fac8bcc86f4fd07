/** Facts of each type of registrar, as its adapter has them: the form, the plan and the command line show them. */

/** Kinds of a field: `ip` is an IPv4 or IPv6 address, `money` a decimal in the service's currency, `flag` is `on` or empty. */
export type FieldKind = 'text' | 'secret' | 'ip' | 'url' | 'money' | 'flag';

/** The fields of a login and its settings, by name; those that end in `?` may be empty. */
export type Fields = Readonly<Record<string, FieldKind | `${FieldKind}?`>>;

interface RegistrarFacts {
  /** ISO 4217 code of its prices. */
  currency: string;
  /** False while nobody has compared the adapter with the live service: people are told so. */
  verified: boolean;
  /** It sells free names. */
  sells: boolean;
  /** Top-level domains that it can't register. */
  excludes: readonly string[];
  fields: Fields;
}

const RUSSIAN = ['ru', 'su', 'xn--p1ai'] as const;

/** Every type, in the order in which they are offered. */
export const registrarTypes = {
  'reghouse.ru': {
    currency: 'RUB',
    verified: false,
    sells: true,
    excludes: [],
    fields: {
      login: 'text',
      password: 'secret',
      base_url: 'url',
      contact: 'text?',
      price: 'money?',
      highest_price: 'money?',
    },
  },
  'expired.ru': {
    currency: 'RUB',
    verified: false,
    sells: false,
    excludes: [],
    fields: { login: 'text', password: 'secret' },
  },
  'reg.ru': {
    currency: 'RUB',
    verified: true,
    sells: true,
    excludes: [],
    fields: {
      login: 'text',
      password: 'secret',
      profile_type: 'text?',
      profile_name: 'text?',
      client_ip: 'ip?',
      highest_price: 'money?',
    },
  },
  'namecheap.com': {
    currency: 'USD',
    verified: true,
    sells: true,
    excludes: RUSSIAN,
    fields: {
      login: 'text',
      password: 'secret',
      client_ip: 'ip',
      contact: 'text?',
      sandbox: 'flag?',
      highest_price: 'money?',
    },
  },
  'porkbun.com': {
    currency: 'USD',
    verified: true,
    sells: true,
    excludes: RUSSIAN,
    fields: { login: 'text', password: 'secret', highest_price: 'money?' },
  },
} as const satisfies Readonly<Record<string, RegistrarFacts>>;

/** The type of a registrar, such as `reg.ru`. */
export type RegistrarType = keyof typeof registrarTypes;

/** Every type, in order. */
export const REGISTRAR_TYPES = Object.keys(registrarTypes) as RegistrarType[];

/** Whether a text is a type of registrar. */
export const isRegistrarType = (type: string): type is RegistrarType => Object.hasOwn(registrarTypes, type);

/** Returns what a type is. */
export const factsOf = (type: RegistrarType): RegistrarFacts => registrarTypes[type];

// The price of about five names of a cheap zone: with less, the money may run out before a person notices.
const LOW_BALANCE: Readonly<Record<string, number>> = { RUB: 1_000, USD: 20 };

/**
 * Returns the sum below which an account has little money, where its balance is below it; null: it has enough, or nobody
 * knows.
 */
export function lowBalanceOf({
  balance,
  balance_currency,
}: {
  balance: string | null;
  balance_currency: string | null;
}): number | null {
  const least = LOW_BALANCE[balance_currency ?? ''];
  return balance !== null && least !== undefined && Number(balance) < least ? least : null;
}

/** Returns the types that have a field, and those that need it. */
export function typesWith(field: string): { having: RegistrarType[]; needing: RegistrarType[] } {
  const kindIn = (type: RegistrarType) => factsOf(type).fields[field];
  const having = REGISTRAR_TYPES.filter((type) => kindIn(type) !== undefined);
  return { having, needing: having.filter((type) => kindIn(type)?.endsWith('?') === false) };
}
