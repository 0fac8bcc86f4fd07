import { randomInt } from 'node:crypto';
import type { RefusalReason } from '../../providers/provider-error.ts';

/** A domain of a fake registrar's account. Times are ISO 8601. */
export interface ShopDomain {
  id: string;
  name: string;
  created_at: string;
  expires_at: string;
  name_servers: string[];
  locked?: true;
}

/** A sale: what was charged, in minor units, and the buyer's reference, by which it can be looked up. */
export interface Charge {
  id: string;
  kind: 'register' | 'renew';
  name: string;
  reference: string;
  amount: number;
  at: string;
  /** A queued order ends at this time. */
  done_at?: string;
}

/** An account of a fake registrar. Its balance is in minor units. */
export interface ShopAccount {
  login: string;
  password: string;
  /** Addresses from which it may be called; null: any. */
  addresses: string[] | null;
  balance: number;
  /** It may ask whether names are free. */
  partner: boolean;
  domains: ShopDomain[];
  charges: Charge[];
  /** Numbers of bills that are not paid. */
  bills?: string[];
}

/** The state of a fake registrar, as plain JSON. Prices are in minor units, by top-level domain. */
export interface ShopState {
  accounts: ShopAccount[];
  prices: Record<string, { register: number; renew: number }>;
  /** Names that somebody else has. */
  taken: string[];
  /** Premium names with their prices. */
  premium: Record<string, number>;
  /** It sells its own names again, and charges for every order that it hears: a test sees each that came twice. */
  careless?: true;
}

/** A refusal in plain words; each service writes it in its own way. */
export class Refusal extends Error {
  readonly reason: RefusalReason | 'credentials' | 'duplicate' | 'unknown';

  constructor(reason: Refusal['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The state of a name for a buyer. */
export interface Offer {
  state: 'free' | 'taken' | 'premium';
  /** Minor units of a year. */
  price: number;
}

const YEAR_MS = 365 * 86_400_000;

const zoneOf = (name: string): string => name.slice(name.indexOf('.') + 1);
const newId = (): string => String(randomInt(1_000_000, 100_000_000));

/** The rules that all fake registrars share, on one account: who is let in, what is free, what is charged. */
export class Shop {
  readonly account: ShopAccount;
  readonly state: ShopState;
  readonly now: () => Date;

  /** Throws the refusal of a wrong login, and of an address that is not on the account's list. */
  constructor(state: ShopState, now: () => Date, login: string, password: string, address: string) {
    const account = state.accounts.find((one) => one.login === login && one.password === password);
    if (!account) throw new Refusal('credentials', 'Authentication failed');
    if (account.addresses && !account.addresses.includes(address)) {
      throw new Refusal('address', `Access is denied from ${address}`);
    }
    this.account = account;
    this.state = state;
    this.now = now;
  }

  /** Returns the prices of a zone. Throws for one that is not sold. */
  prices(name: string): { register: number; renew: number } {
    const prices = this.state.prices[zoneOf(name)];
    if (!prices) throw new Refusal('name', `${zoneOf(name)} is not sold here`);
    return prices;
  }

  offer(name: string): Offer {
    const { register } = this.prices(name);
    const premium = this.state.premium[name];
    if (this.state.taken.includes(name) || this.state.accounts.some(({ domains }) => hasName(domains, name))) {
      return { state: 'taken', price: register };
    }
    return premium === undefined ? { state: 'free', price: register } : { state: 'premium', price: premium };
  }

  find(name: string): ShopDomain {
    const domain = this.account.domains.find((one) => one.name === name);
    if (!domain) throw new Refusal('absent', `${name} is not in this account`);
    return domain;
  }

  /** Charges for a free name and adds it; `queuedMs`: it is in the account so much later. */
  register(name: string, years: number, reference: string, queuedMs = 0): Charge {
    const { state, price } = this.offer(name);
    if (!this.state.careless) {
      if (reference !== '' && this.account.charges.some((charge) => charge.reference === reference)) {
        throw new Refusal('duplicate', 'This order was placed already');
      }
      if (state !== 'free') throw new Refusal(state, `${name} is ${state}`);
    }
    const charge = this.#charge('register', name, price * years, reference, queuedMs);
    const created = this.now();
    this.account.domains.push({
      id: newId(),
      name,
      created_at: new Date(created.getTime() + queuedMs).toISOString(),
      expires_at: new Date(created.getTime() + years * YEAR_MS).toISOString(),
      name_servers: [],
    });
    return charge;
  }

  /** Charges for so many years more. */
  renew(name: string, years: number, reference: string, queuedMs = 0): Charge {
    const domain = this.find(name);
    const charge = this.#charge('renew', name, this.prices(name).renew * years, reference, queuedMs);
    domain.expires_at = new Date(Date.parse(domain.expires_at) + years * YEAR_MS).toISOString();
    return charge;
  }

  setNameServers(name: string, servers: readonly string[]): void {
    const domain = this.find(name);
    if (domain.locked) throw new Refusal('locked', `${name} is locked`);
    domain.name_servers = [...servers];
  }

  /** Domains that are in the account by now, without those whose order is still queued. */
  domains(): ShopDomain[] {
    const now = this.now().toISOString();
    return this.account.domains.filter(({ created_at }) => created_at <= now);
  }

  #charge(kind: Charge['kind'], name: string, amount: number, reference: string, queuedMs: number): Charge {
    if (this.account.balance < amount) throw new Refusal('no_money', 'There is not enough money in the account');
    this.account.balance -= amount;
    const at = this.now();
    const charge: Charge = { id: newId(), kind, name, reference, amount, at: at.toISOString() };
    if (queuedMs > 0) charge.done_at = new Date(at.getTime() + queuedMs).toISOString();
    this.account.charges.push(charge);
    return charge;
  }
}

const hasName = (domains: readonly ShopDomain[], name: string): boolean => domains.some((one) => one.name === name);
