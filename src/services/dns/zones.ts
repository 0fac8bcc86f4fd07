import type { Cloudflare } from '../../providers/cloudflare.ts';
import type { CallOptions } from '../../providers/cloudflare/client.ts';
import { zoneThatCounts, type Zone } from '../../providers/cloudflare/zones.ts';
import { isPublicSuffix, zoneNameOf } from '../../lib/zone-name.ts';
import { AppError, type ErrorDetails } from '../../shared/errors.ts';
import type { Item } from '../../operations/flow.ts';
import { openCloudflare } from '../accounts/cloudflare-accounts.ts';

const ZONES_PER_PAGE = 50;

const suffixRefused = (name: string, details?: ErrorDetails): AppError =>
  new AppError('refused', 'dns.public_suffix', { name }, details);

/** Throws `refused`, naming `field`, where one of `names` is a public suffix: nobody can add a zone of it. */
export function refuseSuffixes(names: readonly string[], field: string): void {
  const suffix = names.find(isPublicSuffix);
  if (suffix !== undefined) throw suffixRefused(suffix, { fields: { [field]: 'dns.public_suffix_field' } });
}

/** The names of zones that can hold a name, the longest first. */
export function candidates(name: string): string[] {
  const registered = zoneNameOf(name);
  const names = [name];
  for (let rest = name; rest.length > registered.length; names.push(rest)) rest = rest.slice(rest.indexOf('.') + 1);
  return names;
}

/** The client of an account and its zones, each asked for once; shared by the items of a lane. */
export interface OpenAccount {
  client: Cloudflare;
  /** Learned from refusals: false where the token has no page rules at all, or the account may create no more. */
  quirks: { hasPageRules: boolean; makesPageRules: boolean };
  /** Returns the zone that a name lies in: the longest one that the account has; null: none. */
  findZone: (name: string) => Promise<Zone | null>;
  /** As `findZone`; throws AppError `refused` where the account has none. */
  zone: (name: string) => Promise<Zone>;
  /** Creates the zone of that name. */
  createZone: (name: string) => Promise<Zone>;
}

/**
 * Data of an item about a zone. `domain` or `names` are the names in the zone that the item is about, if not the zone's
 * own.
 */
export interface ZoneItem {
  zone: string;
  domain?: string;
  names?: string[];
}

/**
 * Opens an account for items. Its zones are listed page by page where that takes fewer calls than asking for each of
 * `names`. Throws ProviderError.
 */
export async function openZones(
  accountId: number,
  names: readonly string[],
  options: CallOptions = {},
): Promise<OpenAccount> {
  const { client, account } = await openCloudflare(accountId, options);
  // undefined: the zone has to be asked for.
  const known = new Map<string, Zone | null | undefined>();
  let isListed = false;
  let cfAccountId = account.cf_account_id;
  const pages = Math.ceil((account.zones ?? 1) / ZONES_PER_PAGE);
  if (names.length > Math.max(pages, 1)) {
    // The list is complete: a zone that is not in it does not exist.
    isListed = true;
    const listed = new Map<string, Zone[]>();
    for (const zone of await client.listZones()) listed.set(zone.name, [...(listed.get(zone.name) ?? []), zone]);
    for (const [name, zones] of listed) known.set(name, zoneThatCounts(zones, cfAccountId));
  }
  const named = async (name: string): Promise<Zone | null> => {
    const kept = known.get(name);
    if (kept !== undefined) return kept;
    if (isListed && !known.has(name)) return null;
    const zone = await client.findZone(name, undefined, cfAccountId);
    known.set(name, zone);
    return zone;
  };
  const findZone: OpenAccount['findZone'] = async (name) => {
    for (const candidate of candidates(name)) {
      const zone = await named(candidate);
      if (zone) return zone;
    }
    return null;
  };
  return {
    client,
    quirks: { hasPageRules: true, makesPageRules: true },
    findZone,
    zone: async (name) => {
      const zone = await findZone(name);
      if (zone) return zone;
      if (isPublicSuffix(name)) throw suffixRefused(name);
      throw new AppError('refused', 'dns.no_zone', { zone: zoneNameOf(name), account: account.name });
    },
    createZone: async (name) => {
      if (isPublicSuffix(name)) throw suffixRefused(name);
      cfAccountId ??= await soleAccount(client, account.name);
      // If the call fails, nobody knows whether the zone exists: the next look has to ask again.
      known.set(name, undefined);
      const { zone } = await client.createZone(name, cfAccountId);
      known.set(name, zone);
      return zone;
    },
  };
}

/** Opens the lane of an operation's items. */
export const openAccount = (items: readonly Item<ZoneItem>[], options: CallOptions): Promise<OpenAccount> => {
  const names = items.flatMap(({ data: { zone, domain = zone, names = [domain] } }) => names);
  return openZones(items[0]?.lane_id ?? 0, [...new Set(names)], options);
};

/**
 * Returns the account for new zones where nobody has chosen one: the only one that the login sees. Throws AppError
 * `refused` where it sees none, or several.
 */
async function soleAccount(client: Cloudflare, name: string): Promise<string> {
  const { accounts } = await client.listAccounts();
  const [account, ...others] = accounts;
  if (!account) throw new AppError('refused', 'cloudflare.no_account');
  if (others.length === 0) return account.id;
  const params = { name, accounts: accounts.map((one) => one.name).join(', ') };
  const fields = { cf_account_id: 'cloudflare.choose_account_field' };
  throw new AppError('refused', 'cloudflare.choose_account', params, { code: 'account_not_chosen', fields });
}
