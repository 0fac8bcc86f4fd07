import { getDomain } from 'tldts';
import type { Cloudflare } from '../providers/cloudflare.ts';
import type { CallOptions } from '../providers/cloudflare/client.ts';
import type { Zone } from '../providers/cloudflare/zones.ts';
import type { Config } from '../lib/config.ts';
import { AppError } from '../shared/errors.ts';
import type { Item } from '../operations/flow.ts';
import { openCloudflare } from './cloudflare-accounts.ts';

const LANE = 'cloudflare:';
const ZONES_PER_PAGE = 50;

/** The lane of an account: its calls are paid by one budget, and stop together. */
export const laneOf = (accountId: number): string => `${LANE}${accountId}`;

/** The account of a lane. */
const accountOf = (lane: string): number => Number(lane.slice(LANE.length));

/** The zone that a name belongs to: the part that is registered. A name without a public suffix is its own. */
export const zoneNameOf = (domain: string): string => getDomain(domain) ?? domain;

/** What the items of an account share: its client, and its zones, which are asked for once. */
export interface ZoneLane {
  client: Cloudflare;
  /** The zone of that name, or null. */
  findZone: (name: string) => Promise<Zone | null>;
  /** The zone of that name. Throws `refused` where the account has none. */
  zone: (name: string) => Promise<Zone>;
  /** Makes the zone of that name. */
  createZone: (name: string) => Promise<Zone>;
}

/** The data of an item that is about a zone. */
export interface ZoneItem {
  zone: string;
}

/**
 * Opens an account for items. Its zones are listed page by page where that takes fewer calls than asking for each of
 * `names`. Throws ProviderError.
 */
export async function openZones(
  config: Config,
  accountId: number,
  names: readonly string[],
  options: CallOptions = {},
): Promise<ZoneLane> {
  const { client, account } = await openCloudflare(config, accountId, options);
  const known = new Map<string, Zone | null>();
  let cfAccountId = account.cf_account_id;
  const pages = Math.ceil((account.zones ?? 1) / ZONES_PER_PAGE);
  if (names.length > Math.max(pages, 1)) {
    // What a whole list does not have is not there.
    for (const name of names) known.set(name, null);
    for (const zone of await client.listZones()) {
      // A login may see a name in several accounts: the active zone is the one that counts.
      if (known.get(zone.name)?.status !== 'active') known.set(zone.name, zone);
    }
  }
  const findZone: ZoneLane['findZone'] = async (name) => {
    const kept = known.get(name);
    if (kept !== undefined) return kept;
    const zone = await client.findZone(name);
    known.set(name, zone);
    return zone;
  };
  return {
    client,
    findZone,
    zone: async (name) => {
      const zone = await findZone(name);
      if (!zone) throw new AppError('refused', 'dns.no_zone', { zone: name, account: account.name });
      return zone;
    },
    createZone: async (name) => {
      cfAccountId ??= await soleAccount(client);
      // Until the answer is there it is not known whether the zone is: who asks then has to look again.
      known.delete(name);
      const { zone } = await client.createZone(name, cfAccountId);
      known.set(name, zone);
      return zone;
    },
  };
}

/** Opens the lane of an operation's items. */
export const openLane = (
  config: Config,
  lane: string,
  items: readonly Item<ZoneItem>[],
  options: CallOptions,
): Promise<ZoneLane> => openZones(config, accountOf(lane), [...new Set(items.map(({ data }) => data.zone))], options);

/** The account in which zones are made: the first that the login sees. Throws `refused` where it sees none. */
async function soleAccount(client: Cloudflare): Promise<string> {
  const { accounts } = await client.verify();
  const [account] = accounts;
  if (!account) throw new AppError('refused', 'cloudflare.no_account');
  return account.id;
}
