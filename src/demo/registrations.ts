import { registryStateOf } from '../shared/checks/registry-state.ts';
import { REGISTRAR_TYPES } from '../shared/accounts/registrar-types.ts';
import type { DomainRegistrationRow } from '../shared/checks/tables.ts';
import { daysFrom, domainAt } from './domains.ts';
import type { ShopState } from './registrars/shop.ts';
import type { RegistryName } from './registry.ts';
import { REGISTRARS } from './team.ts';
import type { World } from './world.ts';
import { nameServersAt } from './zones.ts';

type Domain = ReturnType<typeof domainAt>;

const NAME_SERVERS = ['ns1.example.net', 'ns2.example.net'];
// One registrar's dates of these jump, and their registry tells none: a year back, and thirty years ahead.
const JUMPS: ReadonlyMap<number, number> = new Map([
  [17, -365],
  [27, 30 * 365],
]);
const HELD_EVERY = 45;

/** Returns the date that a registrar has of a domain, which for two of them is not the one that is known here. */
export const dateAtShop = ({ id, expired_at }: Domain): string => {
  const jump = JUMPS.get(id - 1);
  return jump === undefined || expired_at === null ? (expired_at ?? '') : daysFrom(new Date(expired_at), jump);
};

/** Returns the words of a registry about the n-th name, from 0: some are on hold, what has ended is in redemption or not delegated. */
function statusesOf(index: number, name: string, expires_at: string | null): string[] {
  const hasEnded = expires_at !== null && Date.parse(expires_at) < Date.now();
  const isHeld = index % HELD_EVERY === 7;
  if (/\.(?:ru|su|xn--p1ai)$/.test(name)) {
    return hasEnded || isHeld
      ? ['REGISTERED', 'NOT DELEGATED', isHeld ? 'UNVERIFIED' : 'VERIFIED']
      : ['REGISTERED', 'DELEGATED', 'VERIFIED'];
  }
  if (hasEnded) return ['redemption period', 'pending delete'];
  return isHeld ? ['client hold'] : ['client transfer prohibited'];
}

/** Returns what the demo's registry knows: what its registrars have, the portfolio's other names without a date, and what is taken. */
export function registryOf({
  size,
  registrars,
}: Pick<World, 'size' | 'registrars'>): (name: string) => RegistryName | undefined {
  const indexes = new Map(Array.from({ length: size }, (_, index) => [domainAt(index, new Date()).domain_name, index]));
  const known = (name: string, registrar: string, expires_at: string | null, name_servers = NAME_SERVERS) => {
    const index = indexes.get(name) ?? 0;
    const date = JUMPS.has(index) ? null : expires_at;
    return { expires_at: date, registrar, statuses: statusesOf(index, name, date), name_servers };
  };
  return (name) => {
    for (const type of REGISTRAR_TYPES) {
      const { accounts, taken }: ShopState = registrars[type];
      const domain = accounts.flatMap(({ domains }) => domains).find((one) => one.name === name);
      if (domain) return known(name, type, domain.expires_at, domain.name_servers);
      if (taken.includes(name)) return known(name, 'Example Registrar', daysFrom(new Date(), 200));
    }
    if (!indexes.has(name)) return undefined;
    return known(name, 'Example Registrar', null, nameServersAt(domainAt(indexes.get(name) ?? 0, new Date())));
  };
}

// Look-ups of the last run; within the hour nothing is asked for again.
const LOOKED_UP = -20 / 1440;

/** Makes the rows of what look-ups have found so far. */
export function registrationRows(domains: readonly Domain[], now: Date): Partial<DomainRegistrationRow>[] {
  const at = daysFrom(now, LOOKED_UP);
  return domains.map((domain, index) => {
    const { id, domain_name, expired_at, registrars_id } = domain;
    const { type, stored } = REGISTRARS[registrars_id - 1] ?? {};
    const isRefused = stored !== undefined;
    const isRussian = /\.(?:ru|su|xn--p1ai)$/.test(domain_name);
    const statuses = statusesOf(index, domain_name, expired_at);
    const isOdd = JUMPS.has(index) && expired_at !== null;
    return {
      domain_id: id,
      looked_up_at: at,
      source: expired_at === null || isOdd ? null : isRefused ? (isRussian ? 'whois' : 'rdap') : 'registrar',
      expires_at: isOdd ? null : expired_at,
      found_at: expired_at === null || isOdd ? null : at,
      registry_at: at,
      state: registryStateOf({ state: 'registered', statuses }),
      statuses: JSON.stringify(statuses),
      name_servers: JSON.stringify(nameServersAt(domain)),
      registrar: expired_at === null ? 'Example Registrar' : (type ?? null),
      suspect_date: isOdd ? dateAtShop(domain) : null,
      suspect_source: isOdd ? 'registrar' : null,
      suspect_since: isOdd ? at : null,
      error: isRefused
        ? JSON.stringify({ key: 'provider.credentials', params: { message: 'Authentication failed' } })
        : null,
    };
  });
}
