import type { Fields } from '../shared/accounts/registrar-types.ts';
import type { Device, Engine } from '../shared/engines.ts';
import type { Pace } from './pace.ts';

export type { Fields };

/**
 * The kinds of outside services of which there are several. A provider is one object in one file, made by the function of its
 * kind; its optional methods are its capabilities, so that a form, a plan and a command can tell what a service cannot do.
 * Methods throw ProviderError alone. Each kind has its suite in `test/providers/conformance.ts`.
 */

/** The values of a login's fields, secrets in clear; what was left out is empty. */
export type Login<F extends Fields> = { readonly [Name in keyof F]: string };

/** Options of every call besides its login. `url` replaces the service's address, `pace` its pace: of the demo, of a test. */
export interface Call {
  signal?: AbortSignal;
  url?: string;
  pace?: Pace;
  /**
   * Called right before the one request that may charge, after all waiting for its turn. Where it throws, that is thrown, and
   * nothing was sent.
   */
  beforePaying?: () => Promise<void>;
}

interface Provider<F extends Fields> {
  /** Lower case, stored with accounts: never change it. */
  id: string;
  fields: F;
  /** Makes one cheap call that needs the login. Throws `credentials` if the service refuses it. */
  testLogin: (login: Login<F>, call: Call) => Promise<void>;
}

/** An amount as the service writes it, such as `12.50`, and its ISO 4217 currency. Never a float. */
export interface Money {
  amount: string;
  currency: string;
}

/** A domain at a registrar. `expires_at` is an ISO 8601 time in UTC; null where the service does not tell. */
export interface RegisteredDomain {
  /** ASCII, in lower case. */
  domain_name: string;
  expires_at: string | null;
}

/** A domain at a registrar with its delegation. While it is `locked`, its name servers can't be changed. */
export interface DelegatedDomain extends RegisteredDomain {
  name_servers: string[];
  locked: boolean;
}

/** Whether a name can be registered, and its price for the first year; `premium` names have a price of their own. */
export interface Availability {
  domain_name: string;
  state: 'free' | 'taken' | 'premium' | 'unknown';
  price: Money | null;
}

/** A registration or renewal to pay for. */
export interface DomainOrder {
  domain_name: string;
  years: number;
  /** Ours, unique, 32 hexadecimal digits: by it some services find an order whose answer was lost. */
  reference: string;
  /** As it was quoted; a service that can compare refuses another. */
  price: Money;
}

/** An order that was taken: `pending` until the registry has the domain. `charged` is null where the service does not tell. */
export interface TakenOrder {
  /** `rejected`: by the registry, later; nothing is charged then. */
  state: 'done' | 'pending' | 'rejected';
  /** The service's number of the order. */
  id: string;
  charged: Money | null;
}

/** A registrar of domains. A service that can't sell free names has no `register`, one that can't renew no `renew`. */
export interface Registrar<F extends Fields = Fields> extends Provider<F> {
  /** ISO 4217 code of its prices. */
  currency: string;
  listDomains?: (login: Login<F>, call: Call) => Promise<RegisteredDomain[]>;
  /** Reads one domain of the account; null: it is not there. */
  readDomain?: (login: Login<F>, domainName: string, call: Call) => Promise<DelegatedDomain | null>;
  readBalance?: (login: Login<F>, call: Call) => Promise<Money>;
  /** `checkNames` makes a call for each name, slowly: whoever needs one name asks for one after the other. */
  checksSingly?: true;
  /** Asks for any number of names, in as few calls as the service allows. */
  checkNames?: (login: Login<F>, names: readonly string[], call: Call) => Promise<Availability[]>;
  /** The price of a renewal for a year. */
  readRenewalPrice?: (login: Login<F>, domainName: string, call: Call) => Promise<Money>;
  /**
   * Pays. One HTTP attempt. Errors `refused`, `credentials`, `rate_limited` and those that are `unsent` prove that nothing was
   * charged; any other means that the outcome is unknown.
   */
  register?: (login: Login<F>, order: DomainOrder, call: Call) => Promise<TakenOrder>;
  /** Pays, as `register`. */
  renew?: (login: Login<F>, order: DomainOrder, call: Call) => Promise<TakenOrder>;
  /** Looks for an order whose end is not known, by its number if it has one. Null: there is none, which proves nothing; nor does an error. */
  readOrder?: (login: Login<F>, order: DomainOrder, id: string | null, call: Call) => Promise<TakenOrder | null>;
  /** Whether the account has open bills: an order whose answer was lost may be charged by one of them yet. */
  hasUnpaidBills?: (login: Login<F>, call: Call) => Promise<boolean>;
  /** Throws `refused` with the reason `locked` or `absent`. */
  setNameServers?: (login: Login<F>, domainName: string, nameServers: readonly string[], call: Call) => Promise<void>;
}

/** A query to a search engine. `region` is the engine's own number: `lr` of Yandex; a country (2000 + ISO number) or a place of Google. */
export interface SearchQuery {
  engine: Engine;
  keyword: string;
  region: string;
  device: Device;
}

/**
 * A result page: the addresses of its organic results in their order, with ASCII hosts, http and https alone; an empty text stands
 * for a result without one, which takes its place. `isLast`: no further page has any.
 */
export interface SearchPage {
  urls: string[];
  isLast: boolean;
}

/** The result pages of many queries to one engine, asked for at once; `depth` is the number of places to read. */
export interface SearchTask extends Omit<SearchQuery, 'keyword'> {
  keywords: readonly string[];
  depth: number;
}

/** The number of a task that was begun, and what it has cost in the service's own count; null: that was not told. */
export interface StartedTask {
  id: string;
  cost: number | null;
}

/** Whether an engine has a host in its index; null: the answer can't be understood. */
export type Indexed = boolean | null;

/** Makes a request, as often as its caller likes. */
type Each = <T>(request: () => Promise<T>) => Promise<T>;

/**
 * A source of positions and of indexation. Some answer page by page, others work a task off that is asked for until it is done.
 * Errors of every call: `credentials` · `refused` with the reason `no_money` or `address`, without one for a query that it will
 * never answer · `rate_limited` with the seconds to wait · `unavailable`: ask again later, nothing was charged unless the answer was lost ·
 * `malformed`: as `unavailable` where it is `unanswered`, else an answer that was charged: asked again, it is charged again.
 */
export interface SearchSource<F extends Fields = Fields> extends Provider<F> {
  /** The money that is left, or what the service counts in its place: the currency is `limits` then. */
  readBalance?: (login: Login<F>, call: Call) => Promise<Money>;
  /** The price of one thousand requests. */
  readPrice?: (login: Login<F>, engine: Engine, call: Call) => Promise<Money>;
  /** Reads the page of a number, from 0. One paid HTTP request, never repeated. */
  readPage?: (login: Login<F>, query: SearchQuery, page: number, call: Call) => Promise<SearchPage>;
  /**
   * Has the result pages of many keywords read. Sent once: an error that is not `unsent`,
   * `credentials`, `refused` or `rate_limited` means that it may run and be charged all the same.
   */
  startResults?: (login: Login<F>, task: SearchTask, call: Call) => Promise<StartedTask>;
  /** Returns the addresses of each keyword in the order of the task, null for one without an answer; null: it still runs. */
  readResults?: (login: Login<F>, task: SearchTask, id: string, call: Call) => Promise<(string[] | null)[] | null>;
  /**
   * Asks whether an engine has pages of a host in its index. One paid request, two where the first says no; `each` makes them, and may
   * make one again.
   */
  isIndexed?: (login: Login<F>, engine: Engine, host: string, call: Call, each?: Each) => Promise<boolean>;
  /** Has the index of engines asked for many hosts. Sent once, as `startResults`. */
  startIndexed?: (
    login: Login<F>,
    engines: readonly Engine[],
    hosts: readonly string[],
    call: Call,
  ) => Promise<StartedTask>;
  /** Returns what the engines say of each host, in the order asked; null: the task still runs. */
  readIndexed?: (
    login: Login<F>,
    engines: readonly Engine[],
    hosts: readonly string[],
    id: string,
    call: Call,
  ) => Promise<Record<Engine, Indexed>[] | null>;
}

/** A site on a hosting: its names, its folder, and whether its certificate is valid for them. */
export interface HostedSite {
  names: string[];
  folder: string;
  has_certificate: boolean;
}

/** A place where sites are hosted: a panel, or a plain server. */
export interface SiteHost<F extends Fields = Fields> extends Provider<F> {
  listSites?: (login: Login<F>, call: Call) => Promise<HostedSite[]>;
  /** Makes a virtual host for a name if there is none. */
  ensureSite?: (login: Login<F>, name: string, call: Call) => Promise<HostedSite>;
  /** Has a certificate issued; it may be there only later. */
  issueCertificate?: (login: Login<F>, names: readonly string[], call: Call) => Promise<void>;
}

/** The observation of a host from a vantage point. */
export interface Reach {
  host: string;
  verdict: 'reached' | 'blocked' | 'down' | 'unknown';
  ms: number | null;
}

/** A point from which sites are looked at, such as a network of the country that blocks them. */
export interface Vantage<F extends Fields = Fields> extends Provider<F> {
  reach?: (login: Login<F>, host: string, call: Call) => Promise<Reach>;
}

/** Declares a registrar; returns it with its id and the types of its fields. */
export const defineRegistrar = <const F extends Fields, const Id extends string>(
  registrar: Registrar<F> & { id: Id },
): Registrar<F> & { id: Id } => registrar;
/** Declares a source of positions; returns it with the capabilities that it has. */
export const defineSearchSource = <const F extends Fields, S extends SearchSource<F>>(
  source: S & SearchSource<F> & { fields: F },
): S => source;
/** Declares a hosting. */
export const defineSiteHost = <const F extends Fields>(host: SiteHost<F>): SiteHost<F> => host;
/** Declares a vantage point. */
export const defineVantage = <const F extends Fields>(vantage: Vantage<F>): Vantage<F> => vantage;

/** A text for a person as a channel sends it, in his language. A button has an address, or `data` that comes back when it is pressed. */
export interface NoticeContent {
  title: string;
  lines: string[];
  link: string | null;
  buttons: { label: string; data?: string; url?: string }[];
}

/**
 * The end of a try to send. `later`: not now, without a fault of the address; `gone`: there is no such address any more; `failed`: refused
 * for good. A `reason` is a code, never the text of a service.
 */
export type Sent =
  | { outcome: 'sent'; ref: string | null }
  | { outcome: 'later'; seconds: number; reason?: string }
  | { outcome: 'gone' | 'failed'; reason: string };

/** A channel by which notices leave. It answers instead of throwing. `key` names the delivery, the same at every try. */
export interface NoticeChannel {
  send: (address: string, content: NoticeContent, signal: AbortSignal, key?: string) => Promise<Sent>;
}
