import { aborted } from 'node:util';
import { ageOf, moment, type Moment } from '../lib/time/moment.ts';
import { registeredName } from '../lib/zone-name.ts';
import { paceOf, type Pace } from './pace.ts';
import { ProviderError } from './provider-error.ts';
import { publicAddress } from './public-address.ts';
import { askRdap, readBootstrap, type RdapServers } from './registry/rdap.ts';
import type { RegistryRecord, RegistrySource } from './registry/record.ts';
import { readWhois, referralIn } from './registry/whois-answer.ts';
import { askWhois, type WhoisServer } from './registry/whois.ts';

const BOOTSTRAP = 'https://data.iana.org/rdap/dns.json';
const IANA = 'whois.iana.org';
const DAY_MS = 86_400_000;

// Their registry has no RDAP service in IANA's list; one connection at a time, at most one in three seconds.
const TCI = 'whois.tcinet.ru';
const OF_TCI = new Set(['ru', 'su', 'xn--p1ai']);

const RDAP_PACE: Pace = { calls: 10, seconds: 10, atOnce: 2 };
const WHOIS_PACE: Pace = { calls: 1, seconds: 3, atOnce: 1 };

/** How names are looked up; a test and the demo replace the servers. */
export interface RegistryOptions {
  signal?: AbortSignal;
  /** The one RDAP service, instead of those of IANA's list. */
  rdapUrl?: string;
  /** The list of RDAP services, instead of IANA's. */
  bootstrapUrl?: string;
  /** The one WHOIS server, `host:port`, instead of each zone's own. */
  whoisServer?: string;
  /** Servers on private addresses may be asked. */
  allowPrivate?: boolean;
  pace?: { rdap: Pace; whois: Pace };
}

/** A registry's answer about the registered name of a host. */
export interface RegistryAnswer extends RegistryRecord {
  name: string;
  source: RegistrySource;
}

interface Kept<T> {
  value: Promise<T>;
  from: Moment;
}
const bootstraps = new Map<string, Kept<RdapServers>>();
const whoisServers = new Map<string, Kept<string | null>>();

/** The server that tells about the names of a zone. */
export interface Registry {
  /** Names the server, as a key of what is remembered about it. */
  key: string;
  /** How often it may be asked; `ask` keeps it within this process. */
  pace: Pace;
  /** Asks about a registered name of the zone, once it is the server's turn. Throws ProviderError. */
  ask: (name: string) => Promise<RegistryAnswer>;
}

/** Returns the top-level domain of a name. */
export const zoneOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/**
 * Finds the registry of a top-level domain: WHOIS for .ru, .su and .рф, RDAP where IANA lists a service, else the WHOIS server that
 * IANA refers to. Throws ProviderError: `refused` with the reason `absent` where there is none.
 */
export async function findRegistry(zone: string, options: RegistryOptions = {}): Promise<Registry> {
  const isOfTci = OF_TCI.has(zone);
  const base = isOfTci ? undefined : await unlessAborted(rdapServerOf(zone, options), options.signal);
  if (base !== undefined) {
    const pace = options.pace?.rdap ?? RDAP_PACE;
    const { run, pause } = paceOf(`rdap ${base}`, pace);
    const ask = async (name: string): Promise<RegistryAnswer> => {
      const asked = run(() => askRdap(base, name, options.signal), options.signal);
      return { ...(await pausing(pause, asked)), name, source: 'rdap' };
    };
    return { key: `rdap ${base}`, pace, ask };
  }
  const server = isOfTci ? TCI : await unlessAborted(whoisServerOf(zone, options), options.signal);
  if (server === null) throw new ProviderError('refused', `no registry tells about .${zone}`, { reason: 'absent' });
  const ask = async (name: string): Promise<RegistryAnswer> => {
    const record = await queryWhois(server, queryOf(server, name), options, (text) => readWhois(text, name, server));
    return { ...record, name, source: 'whois' };
  };
  return { key: `whois ${server}`, pace: options.pace?.whois ?? WHOIS_PACE, ask };
}

/** Asks the registry of a host's name. Throws ProviderError: `refused` with the reason `absent` where there is no registry to ask. */
export async function lookUpName(host: string, options: RegistryOptions = {}): Promise<RegistryAnswer> {
  const name = registeredName(host);
  if (name === null) throw new ProviderError('refused', `no registry tells about ${host}`, { reason: 'absent' });
  const { ask } = await findRegistry(zoneOf(name), options);
  return await ask(name);
}

// A shared fetch has no caller's signal: the abort of one caller must not fail the others.
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal) {
    const ended = aborted(signal, work).then(() => signal.throwIfAborted());
    await Promise.race([work, ended]);
  }
  return await work;
}

// A refusal stops the server's queue for all who wait in it.
async function pausing<T>(pause: (seconds: number) => void, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'rate_limited') pause(error.retryAfter ?? 60);
    throw error;
  }
}

async function queryWhois<T>(
  host: string,
  query: string,
  options: RegistryOptions,
  read: (text: string) => T,
): Promise<T> {
  const { whoisServer, signal, allowPrivate = false } = options;
  const server = whoisServer === undefined ? { host } : serverIn(whoisServer);
  const { run, pause } = paceOf(`whois ${host} ${whoisServer ?? ''}`, options.pace?.whois ?? WHOIS_PACE);
  const lookupOf = whoisServer === undefined && !allowPrivate ? publicAddress : undefined;
  const ask = async (): Promise<T> =>
    read(await askWhois(server, query, { signal, ...(lookupOf && { lookup: lookupOf }) }));
  return await pausing(pause, run(ask, signal));
}

function serverIn(text: string): WhoisServer {
  const colon = text.lastIndexOf(':');
  return { host: text.slice(0, colon), port: Number(text.slice(colon + 1)) };
}

const queryOf = (server: string, name: string): string => {
  if (server === 'whois.verisign-grs.com') return `domain ${name}`;
  if (server === 'whois.denic.de') return `-T dn,ace ${name}`;
  return server === 'whois.jprs.jp' ? `${name}/e` : name;
};

async function rdapServerOf(
  zone: string,
  { rdapUrl, bootstrapUrl = BOOTSTRAP }: RegistryOptions,
): Promise<string | undefined> {
  if (rdapUrl !== undefined) return `${rdapUrl.replace(/\/+$/, '')}/`;
  const servers = await kept(bootstraps, bootstrapUrl, () => readBootstrap(bootstrapUrl));
  return servers.get(zone);
}

function whoisServerOf(zone: string, options: RegistryOptions): Promise<string | null> {
  const shared = { ...options };
  delete shared.signal;
  return kept(whoisServers, `${zone} ${options.whoisServer ?? ''}`, () => queryWhois(IANA, zone, shared, referralIn));
}

// For a day; a failure is not kept.
async function kept<T>(cache: Map<string, Kept<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const known = cache.get(key);
  if (known && ageOf(known.from) < DAY_MS) return await known.value;
  const made: Kept<T> = { value: read(), from: moment() };
  cache.set(key, made);
  try {
    return await made.value;
  } catch (error) {
    if (cache.get(key) === made) cache.delete(key);
    throw error;
  }
}
