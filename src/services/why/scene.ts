import { zoneNameOf } from '../../lib/zone-name.ts';
import { config } from '../../lib/config.ts';
import { messageFor } from '../../operations/failure.ts';
import { persistently } from '../../operations/plan.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { findPlace, readCertificate, type CertificateLook } from '../../providers/health/certificate.ts';
import { byAddress } from '../../providers/health/by-address.ts';
import { readPage, type HealthOptions, type PageResult } from '../../providers/health.ts';
import { registeredName } from '../../lib/zone-name.ts';
import { zoneOf } from '../../providers/registry.ts';
import { registryStateOf } from '../../shared/checks/registry-state.ts';
import { AppError } from '../../shared/errors.ts';
import type { DomainDetail } from '../../shared/portfolio/domains.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { Verdict as ListVerdict } from '../../shared/checks/blocklist.ts';
import { reachIn } from '../access/ownership.ts';
import type { Actor } from '../access/scope.ts';
import { checkBlocklist } from '../checks/blocklist.ts';
import { healthOptions } from '../checks/check-names.ts';
import { whileSharing } from '../checks/expiry-sharing.ts';
import { lookUpZone, type ZoneAnswer } from '../checks/expiry-zone.ts';
import { findRegistration } from '../checks/registration.ts';
import { readAtRegistrar } from '../dns/delegation.ts';
import { serverAddress, type Address } from '../dns/pointing.ts';
import { openZones } from '../dns/zones.ts';
import { markerPath } from '../sites/releases.ts';
import type { AccountFact, OriginFact, PlaceFact, RegistryFact, Untold, ZoneFact } from './facts.ts';
import { wildcardFor } from './judge-name.ts';

// Limits of one question, in ms. Together they stay below the limit of a whole ladder where nothing answers at all.
const LIMITS = { registry: 6_000, account: 6_000, zone: 8_000, visit: 6_000, origin: 6_000, marker: 4_000 };
// A registry's pace is slow, and its answer changes rarely: one that is so young is not asked for again.
const FRESH_MS = 3_600_000;
const PAGE_BYTES = 128 * 1024;
const MARKER_BYTES = 1_000;

/** The questions that a ladder may ask about a domain; each is asked once, when it is first needed. */
export interface Scene {
  domain: DomainDetail;
  /** The registered name that the domain lies in. */
  registered: string;
  registry: () => Promise<RegistryFact | Untold>;
  account: () => Promise<AccountFact | Untold>;
  zone: () => Promise<ZoneFact | Untold>;
  address: () => Promise<Address | null>;
  place: () => Promise<PlaceFact>;
  certificate: () => Promise<CertificateLook>;
  visit: () => Promise<PageResult>;
  origin: () => Promise<OriginFact>;
  /** The marker file of the deployed release; null: nothing was deployed. */
  marker: () => Promise<PageResult | null>;
  listed: () => Promise<ListVerdict | undefined>;
}

/** Memoizes a question. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => (asked ??= ask());
}

/** Runs a question for so long; a service that fails or is late makes its fact `untold`. Rethrows what is a bug. */
async function told<T>(
  limitMs: number,
  signal: AbortSignal,
  late: Message,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | Untold> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const ended = new Promise<Untold>((resolve) => {
    limit.addEventListener('abort', () => resolve({ untold: late }), { once: true });
  });
  const answer = work(limit).catch((error: unknown): Untold => {
    if (limit.aborted) return { untold: late };
    const message = messageFor(error);
    if (!message) throw error;
    const isLogin = error instanceof ProviderError && error.kind === 'credentials';
    return { untold: message, isLogin: isLogin || isUnusable(error) };
  });
  return Promise.race([answer, ended]);
}

// Our own record of the account is broken, or its key can't be read.
const isUnusable = (error: unknown): boolean =>
  error instanceof AppError && (error.kind === 'not_configured' || error.code === 'provider_credentials');

/** Asks the registry, unless its stored answer is young. */
async function readRegistry(actor: Actor, domain: DomainDetail, signal: AbortSignal): Promise<RegistryFact | Untold> {
  const name = registeredName(domain.domain_name);
  if (name === null) return null;
  const kept = await findRegistration(actor, domain.id);
  const { status, registry_at } = kept;
  const isFresh = registry_at !== null && Math.abs(Date.now() - Date.parse(registry_at)) < FRESH_MS;
  const stored = status && { state: status, statuses: kept.statuses, name_servers: kept.name_servers };
  if (stored && isFresh) return { ...stored, expires_at: kept.expired_at };
  let found = undefined as ZoneAnswer | undefined;
  const { registry, allowPrivate } = config();
  const zone = {
    options: { ...registry, allowPrivate },
    signal,
    isOpen: async () => true,
    onAnswer: (_name: string, answer: ZoneAnswer) => void (found = answer),
  };
  await whileSharing(() => lookUpZone(zone, zoneOf(name), [name]));
  if (found === undefined) return { untold: { key: 'why.registry_late' } };
  if ('error' in found) return { untold: found.error };
  const { answer } = found;
  const { statuses, name_servers, expires_at } = answer;
  return { state: registryStateOf(answer), statuses, name_servers, expires_at };
}

/** Reads the zone with the records that the domain's owner holds. */
async function readZone(owner: Actor, domain: DomainDetail, signal: AbortSignal): Promise<ZoneFact | Untold> {
  const { id, domain_name, cloudflare_account_id, cloudflare_account_name } = domain;
  if (cloudflare_account_id === null) return { kind: 'no_account' };
  const reach = await reachIn(owner, domain_name);
  if (!reach.holds(domain_name, id))
    return { untold: { key: 'why.zone_foreign', params: { zone: zoneNameOf(domain_name) } } };
  const lane = await openZones(cloudflare_account_id, [domain_name], { foreground: true, signal });
  const zone = await persistently(() => lane.findZone(domain_name), signal);
  if (!zone) return { kind: 'missing', account: cloudflare_account_name ?? '' };
  const all = await persistently(() => lane.client.listRecords(zone.id), signal);
  const { name, status, name_servers, paused } = zone;
  const wildcard = wildcardFor(domain_name, new Set(all.map((record) => record.name)));
  // The records of a wildcard are shown without a right to them: their answers are public.
  const records = all.filter((record) => record.name === wildcard || reach.holds(record.name, id));
  return { kind: 'zone', name, status, name_servers, paused: paused ?? false, records };
}

/** Asks the server at its own address, with the name of the site. */
async function readOrigin(options: HealthOptions, domain: string, address: string | null): Promise<OriginFact> {
  if (address === null) return { kind: 'none' };
  const connectTo = byAddress(options, { domain, address });
  if (connectTo === null) return { kind: 'private', address };
  const asked = { ...options, connectTo, follow: false, timeoutMs: LIMITS.origin };
  const [page, certificate] = await Promise.all([
    readPage(domain, '/', { ...asked, bodyBytes: MARKER_BYTES }),
    readCertificate(domain, asked),
  ]);
  return { kind: 'asked', address, page, certificate };
}

/** Opens the questions about a domain: the zone by the rights of its owner, all else as anybody may ask. */
export function openScene(
  { actor, owner }: Record<'actor' | 'owner', Actor>,
  domain: DomainDetail,
  signal: AbortSignal,
): Scene {
  const { domain_name, release } = domain;
  const options: HealthOptions = { ...healthOptions(), signal, timeoutMs: LIMITS.visit };
  const address = once(async () => serverAddress(domain.server_id));
  const late = (key: 'why.registry_late' | 'why.registrar_late' | 'why.zone_late'): Message => ({ key });
  const page = (path: string, bodyBytes: number, timeoutMs: number): Promise<PageResult> =>
    readPage(domain_name, path, { ...options, timeoutMs, bodyBytes });
  return {
    domain,
    registered: registeredName(domain_name) ?? zoneNameOf(domain_name),
    registry: once(() =>
      told(LIMITS.registry, signal, late('why.registry_late'), (limit) => readRegistry(actor, domain, limit)),
    ),
    account: once(() =>
      told(LIMITS.account, signal, late('why.registrar_late'), async (limit) => {
        return (await readAtRegistrar(owner, domain_name, limit)) ?? null;
      }),
    ),
    zone: once(() => told(LIMITS.zone, signal, late('why.zone_late'), (limit) => readZone(owner, domain, limit))),
    address,
    place: once(() => findPlace(domain_name, options)),
    certificate: once(() => readCertificate(domain_name, options)),
    visit: once(() => page('/', PAGE_BYTES, LIMITS.visit)),
    origin: once(async () => readOrigin(options, domain_name, (await address())?.address ?? null)),
    marker: once(async () => (release === null ? null : page(`/${markerPath(release)}`, MARKER_BYTES, LIMITS.marker))),
    listed: once(async () => (await checkBlocklist(config().blocklistDir, [domain_name]))[0]),
  };
}
