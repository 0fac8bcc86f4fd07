import { z } from 'zod';
import { requestJson } from '../http.ts';
import { ProviderError } from '../provider-error.ts';
import type { RegistryRecord } from './record.ts';
import { timeOf } from './dates.ts';

const TIMEOUT_MS = 15_000;
const MOST_REDIRECTS = 3;

const Bootstrap = z.object({ services: z.array(z.tuple([z.array(z.string()), z.array(z.string())])) });

/** Addresses of RDAP services by top-level domain, ending in a slash. */
export type RdapServers = ReadonlyMap<string, string>;

/** Reads IANA's list of RDAP services. It has none for .ru, .su and .рф. Throws ProviderError. */
export async function readBootstrap(address: string, signal?: AbortSignal): Promise<RdapServers> {
  const { status, json } = await get(new URL(address), signal);
  const list = Bootstrap.safeParse(json);
  if (status !== 200 || !list.success)
    throw new ProviderError('malformed', `${new URL(address).host}: no list of RDAP services`);
  const servers = new Map<string, string>();
  for (const [zones, urls] of list.data.services) {
    const url = urls.find((one) => one.startsWith('https://')) ?? urls[0];
    if (url === undefined || !URL.canParse(url)) continue;
    for (const zone of zones) servers.set(zone.toLowerCase(), url.endsWith('/') ? url : `${url}/`);
  }
  return servers;
}

// Services leave members out, or write null.
const Name = z.object({ ldhName: z.string().nullish() });
const Event = z.object({ eventAction: z.string().nullish(), eventDate: z.string().nullish() });
const Entity = z.object({
  roles: z.array(z.string()).nullish(),
  handle: z.string().nullish(),
  vcardArray: z.unknown(),
});
const Domain = z.object({
  objectClassName: z.literal('domain'),
  ldhName: z.string().nullish(),
  status: z.array(z.string()).nullish(),
  events: z.array(Event).nullish(),
  entities: z.array(Entity).nullish(),
  nameservers: z.array(Name).nullish(),
});

/** Asks a service about a name. Throws ProviderError, `rate_limited` with the seconds that the service wants to wait. */
export async function askRdap(base: string, name: string, signal?: AbortSignal): Promise<RegistryRecord> {
  const { host } = new URL(base);
  const { status, json, headers } = await get(new URL(`domain/${name}`, base), signal);
  // A web page of this status is about the address, and tells nothing of the name.
  if (status === 404 && !headers.get('content-type')?.includes('html')) {
    return {
      state: 'free',
      expires_at: null,
      free_at: null,
      registrar: null,
      statuses: [],
      name_servers: [],
      server: host,
    };
  }
  if (status === 429) {
    const retryAfter = Number(headers.get('retry-after')) || 60;
    throw new ProviderError('rate_limited', `${host}: too many queries`, { status, retryAfter });
  }
  if (status >= 500) throw new ProviderError('unavailable', `${host}: HTTP ${status}`, { status });
  const domain = Domain.safeParse(json);
  // A service that answers about another name, such as the zone above, must not give it this one's date.
  if (status !== 200 || !domain.success || domain.data.ldhName?.toLowerCase().replace(/\.$/, '') !== name) {
    throw new ProviderError('malformed', `${host}: HTTP ${status}, an answer that is not documented`, { status });
  }
  const { events, entities, nameservers, status: statuses } = domain.data;
  const at = (action: string): string | null | undefined =>
    events?.find(({ eventAction }) => eventAction === action)?.eventDate;
  const expires = at('expiration') ?? at('registrar expiration');
  const registrar = entities?.find(({ roles }) => roles?.includes('registrar'));
  return {
    state: 'registered',
    expires_at: expires ? timeOf(expires) : null,
    free_at: null,
    registrar: (registrar && (fullName(registrar.vcardArray) ?? registrar.handle)) ?? null,
    statuses: statuses ?? [],
    name_servers: (nameservers ?? []).flatMap(({ ldhName }) =>
      ldhName ? [ldhName.toLowerCase().replace(/\.$/, '')] : [],
    ),
    server: host,
  };
}

// A vCard is `["vcard", [["fn", {}, "text", "Name"], …]]`.
const Card = z.tuple([z.literal('vcard'), z.array(z.array(z.unknown()))]);
function fullName(vcard: unknown): string | undefined {
  const card = Card.safeParse(vcard);
  const name = card.success ? card.data[1].find(([field]) => field === 'fn')?.[3] : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** Follows redirects to other RDAP services, each over HTTPS as the one before. */
async function get(url: URL, signal: AbortSignal | undefined): Promise<Awaited<ReturnType<typeof requestJson>>> {
  let target = url;
  for (let hops = 0; ; hops++) {
    const headers = { accept: 'application/rdap+json, application/json' };
    const answer = await requestJson({
      service: 'rdap',
      method: 'GET',
      url: target,
      headers,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
    const location = answer.headers.get('location');
    if (answer.status < 300 || answer.status >= 400 || location === null) return answer;
    const next = URL.canParse(location, target.href) ? new URL(location, target) : null;
    if (hops === MOST_REDIRECTS || next?.protocol !== url.protocol) {
      throw new ProviderError('malformed', `${target.host}: a redirect that is not followed`);
    }
    target = next;
  }
}
