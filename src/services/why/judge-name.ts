import { expiryDay } from '../../shared/portfolio/expiry-day.ts';
import { isProxiable, sameContent } from '../../shared/dns/dns.ts';
import type { HealthError } from '../../shared/checks/health.ts';
import type { Address } from '../dns/pointing.ts';
import { isSame } from '../dns/delegation.ts';
import {
  broken,
  isTold,
  none,
  notTold,
  ok,
  unknown,
  type AccountFact,
  type PlaceFact,
  type RegistryFact,
  type Untold,
  type Verdict,
  type ZoneFact,
} from './facts.ts';

/** The facts for the verdict on a registration; `expired_at` is the stored date, `now` is in ms. */
export interface RegistrarFacts {
  domain: string;
  expired_at: string | null;
  registry: RegistryFact | Untold;
  account: AccountFact | Untold;
  now: number;
}

/** Whether the name is registered, by whom, and not on hold. */
export function judgeRegistrar({ domain, expired_at, registry, account, now }: RegistrarFacts): Verdict {
  const told = isTold(registry) ? registry : null;
  const ends = told?.expires_at ?? expired_at;
  const params = { domain, statuses: told?.statuses.join(', ') ?? '' };
  if (told?.state === 'free') return broken({ key: 'why.free', params }, 'registration');
  if (told?.state === 'redemption') return broken({ key: 'why.redemption', params }, 'renew');
  if (told?.state === 'pending_delete') return broken({ key: 'why.pending_delete', params }, 'registration');
  if (told?.state === 'hold') return broken({ key: 'why.hold', params }, 'registration');
  if (ends !== null && Date.parse(ends) < now) {
    const day = expiryDay({ domain_name: domain, expired_at: ends });
    return broken({ key: 'why.expired', params: { domain, day } }, 'renew');
  }
  if (!isTold(registry)) return notTold(registry);
  if (registry === null) return none({ key: 'why.no_registry' });
  const day = ends === null ? '—' : expiryDay({ domain_name: domain, expired_at: ends });
  if (!isTold(account)) return ok({ key: 'why.registered', params: { day }, also: [account.untold] });
  if (account?.there === null) {
    return ok({ key: 'why.not_at_account', params: { day, registrar: account.registrar } });
  }
  return ok({ key: 'why.registered', params: { day } });
}

/** Returns the name servers that the registry names; null: they are not known. */
function delegatedTo(registry: RegistryFact | Untold, account: AccountFact | Untold): string[] | null {
  const atRegistry = isTold(registry) ? (registry?.name_servers ?? []) : [];
  if (atRegistry.length > 0) return atRegistry;
  const atAccount = isTold(account) ? (account?.there?.name_servers ?? []) : [];
  return atAccount.length > 0 ? atAccount : null;
}

/** Whether the registry leads to the name servers of the zone. `registered` is the registered name that a host lies in. */
export function judgeDelegation(
  registered: string,
  { registry, account }: Pick<RegistrarFacts, 'registry' | 'account'>,
  zone: ZoneFact | Untold,
): Verdict {
  const told = isTold(registry) ? registry : null;
  if (told?.state === 'not_delegated') {
    return broken({ key: 'why.not_delegated', params: { domain: registered } }, 'name_servers');
  }
  const there = delegatedTo(registry, account);
  const isZone = isTold(zone) && zone.kind === 'zone' && zone.name === registered && zone.name_servers.length > 0;
  if (there === null) {
    // An active zone is one that the CDN has found delegated to itself.
    if (isZone && zone.status === 'active') return ok({ key: 'why.delegated_by_zone' });
    return unknown({ key: 'why.delegation_unknown', params: { domain: registered } });
  }
  const ns = there.join(', ');
  if (!isZone || isSame(there, zone.name_servers)) return ok({ key: 'why.delegated', params: { ns } });
  const params = { domain: registered, ns, wanted: zone.name_servers.join(', ') };
  return broken({ key: 'why.delegated_elsewhere', params }, 'name_servers');
}

/** Whether the CDN has the zone and serves it. */
export function judgeZone(registered: string, zone: ZoneFact | Untold): Verdict {
  if (!isTold(zone)) return notTold(zone);
  if (zone.kind === 'no_account') return none({ key: 'why.no_account' });
  if (zone.kind === 'missing') {
    return broken({ key: 'why.zone_missing', params: { zone: registered, account: zone.account } }, 'name_servers');
  }
  const params = { zone: zone.name, status: zone.status, ns: zone.name_servers.join(', ') };
  if (zone.status !== 'active') {
    const isWaiting = zone.status === 'pending' || zone.status === 'initializing';
    return broken({ key: isWaiting ? 'why.zone_pending' : 'why.zone_gone', params }, 'name_servers');
  }
  return zone.paused ? broken({ key: 'why.zone_paused', params }) : ok({ key: 'why.zone_active', params });
}

/** Look-ups that say something about the name; all others fail on our side or the name server's. */
const NO_ADDRESS: ReadonlySet<HealthError> = new Set(['dns_not_found', 'dns_no_address']);

/** Judges by our name server's answer, where the zone can't be read. */
function judgeLookup(domain: string, place: PlaceFact): Verdict {
  if (!('error' in place)) return ok({ key: 'why.leads_to', params: { content: place.addresses.join(', ') } });
  const also = [{ key: `health.${place.error}` } as const];
  if (NO_ADDRESS.has(place.error)) return broken({ key: 'why.no_address', params: { domain }, also }, 'dns');
  if (place.error === 'private_address') return broken({ key: 'why.private_address', params: { domain } }, 'dns');
  return unknown({ key: 'why.lookup_failed', params: { domain }, also });
}

/** Returns the wildcard that answers for a name without a record of its own, by the names of a zone: the one next above it. */
export const wildcardFor = (domain: string, names: ReadonlySet<string>): string | undefined =>
  domain
    .split('.')
    .map((_, index, labels) => `*.${labels.slice(index + 1).join('.')}`)
    .find((name) => names.has(name));

/** Whether the name has an address, and it is that of its server. `place` is asked only where the zone can't be read. */
export function judgeRecords(
  domain: string,
  zone: ZoneFact | Untold,
  { address, place }: { address: Address | null; place: PlaceFact | null },
): Verdict {
  if (!isTold(zone) || zone.kind !== 'zone') {
    return place ? judgeLookup(domain, place) : unknown({ key: 'why.lookup_failed', params: { domain } });
  }
  const at = (name: string) => zone.records.filter((record) => record.name === name && isProxiable(record.type));
  const own = at(domain);
  const wildcard = wildcardFor(domain, new Set(zone.records.map(({ name }) => name)));
  const there = own.length > 0 || wildcard === undefined ? own : at(wildcard);
  if (there.length === 0) return broken({ key: 'why.no_record', params: { domain } }, 'dns');
  const content = there.map((record) => record.content).join(', ');
  const isAlias = there.some(({ type }) => type === 'CNAME');
  const fits =
    address === null ||
    isAlias ||
    there.every((record) => record.type !== address.type || sameContent(record.type, record.content, address.address));
  const has = address === null || isAlias || there.some(({ type }) => type === address.type);
  if (!fits || !has) {
    const params = { domain, content, address: address?.address ?? '' };
    return broken({ key: 'why.points_elsewhere', params }, 'dns');
  }
  return ok({ key: there.every(({ proxied }) => proxied) ? 'why.points' : 'why.points_direct', params: { content } });
}
