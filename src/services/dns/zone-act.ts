import type { Act } from '../../operations/flow.ts';
import { Waiting, type WaitPace } from '../../operations/waiting.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { AppError } from '../../shared/errors.ts';
import { minuteOf } from '../../shared/time.ts';
import type { Cloudflare } from '../../providers/cloudflare.ts';
import { NOT_REGISTERED } from '../../providers/cloudflare/answers.ts';
import type { Zone } from '../../providers/cloudflare/zones.ts';
import { countNewZone } from '../accounts/rows.ts';
import type { OpenAccount } from './zones.ts';

// A registry tells of a new name hours later. Ever fewer tries: a CDN bans a name that is tried too often.
let knownWait: WaitPace = { everyMs: 2 * 60_000, limitMs: 12 * 3_600_000, grows: true };

/** Changes how a new name is waited for in this process, so that tests need not wait for minutes. */
export function setZoneWait(pace: WaitPace): void {
  knownWait = pace;
}

/** Whether the CDN refused a zone because it takes its name for not registered. */
const isUnregistered = (error: unknown): boolean => error instanceof ProviderError && error.code === NOT_REGISTERED;

/** Turns the refusal of a name that was bought a moment ago into a wait; any other error stays. */
function tooEarly(zone: string, error: unknown): unknown {
  if (!isUnregistered(error)) return error;
  const say = (until: string) =>
    ({ key: 'dns.zone_too_early', params: { domain: zone, until: minuteOf(until) } }) as const;
  const cause = new AppError('refused', 'dns.zone_unregistered', { domain: zone });
  return new Waiting(say, knownWait, { cause });
}

/**
 * Returns the act that creates the zone where the account has none that `domain` lies in. The zone is found by its
 * name, so it is never created twice; it is never deleted. `is_new`: the name was bought a moment ago, so the CDN may not know
 * it yet: the act waits for that.
 */
export function zoneAct(
  lane: OpenAccount,
  {
    zone,
    domain = zone,
    account_id,
    is_new = false,
  }: { zone: string; domain?: string; account_id: number; is_new?: boolean },
): Act {
  let found: Zone | null = null;
  return {
    name: 'zone',
    class: 'set',
    look: async () => {
      found = await lane.findZone(domain);
      if (found) return null;
      const perform = async (): Promise<void> => {
        try {
          found = await lane.createZone(zone);
        } catch (error) {
          throw is_new ? tooEarly(zone, error) : error;
        }
      };
      return { before: null, after: { zone }, perform };
    },
    record: () => ({
      save: countZones,
      row: { account_id, name_servers: found?.name_servers ?? [] } satisfies NewZone,
    }),
  };
}

/** The undo of creating a zone: it changes nothing and only reports that the zone stays. */
export const zoneStays = (lane: OpenAccount, zone: string): Act => ({
  name: 'zone',
  class: 'read',
  look: async () => null,
  differs: async () => ((await lane.findZone(zone)) ? [{ name: 'zone', was: null, is: zone, stays: true }] : []),
});

/** A zone that was made, for the account that has it. */
interface NewZone {
  account_id: number;
  name_servers: string[];
}

async function countZones(rows: NewZone[]): Promise<void> {
  for (const { account_id, name_servers } of rows) {
    const [ns_1 = null, ns_2 = null] = name_servers;
    await countNewZone(account_id, { ns_1, ns_2 });
  }
}

// A zone that is yet to be made, for a plan: it holds nothing.
const PLANNED: Zone = { id: '', name: '', status: 'planned', name_servers: [], account: { id: '' } };

/** Whether a zone is only planned: it has no name servers yet. */
export const isPlanned = ({ id }: Pick<Zone, 'id'>): boolean => id === PLANNED.id;

/** Returns a lane for a plan, in which a missing zone counts as an empty one. */
export function asIfThere(lane: OpenAccount): OpenAccount {
  const { client } = lane;
  return {
    ...lane,
    zone: async (zone) => (await lane.findZone(zone)) ?? PLANNED,
    client: {
      ...client,
      listRecords: async (id) => (isPlanned({ id }) ? [] : client.listRecords(id)),
      listPageRules: async (id, status) => (isPlanned({ id }) ? [] : client.listPageRules(id, status)),
      readRedirects: async (id) => (isPlanned({ id }) ? { ruleset_id: null, redirects: [] } : client.readRedirects(id)),
      getSetting: async (id, setting) =>
        isPlanned({ id }) ? { id: setting, value: '', editable: true } : client.getSetting(id, setting),
    },
  };
}

/** As `asIfThere` was before a zone was made: the account has none that the names of the item lie in. */
export const asIfMissing = (lane: OpenAccount): OpenAccount => asIfThere({ ...lane, findZone: async () => null });

type Read<A extends unknown[], T> = (...args: A) => Promise<T>;

/**
 * Returns a lane for one try of an item, which memoizes what it reads of a zone. `known`: the item's zone, where a plan
 * has found it.
 */
export function readOnce(lane: OpenAccount, known?: Zone): OpenAccount {
  const { client } = lane;
  const kept = new Map<string, Promise<unknown>>();
  const once =
    <A extends unknown[], T>(name: string, read: Read<A, T>): Read<A, T> =>
    (...args) => {
      const key = JSON.stringify([name, ...args]);
      const promise = (kept.get(key) as Promise<T> | undefined) ?? read(...args);
      kept.set(key, promise);
      // A failure is not memoized.
      promise.catch(() => kept.delete(key));
      return promise;
    };
  return {
    ...lane,
    ...(known && { findZone: async () => known, zone: async () => known }),
    client: {
      ...client,
      listRecords: once('records', (...args: Parameters<Cloudflare['listRecords']>) => client.listRecords(...args)),
      listPageRules: once('page rules', (...args: Parameters<Cloudflare['listPageRules']>) =>
        client.listPageRules(...args),
      ),
      readRedirects: once('redirects', (...args: Parameters<Cloudflare['readRedirects']>) =>
        client.readRedirects(...args),
      ),
      getSetting: once('setting', (...args: Parameters<Cloudflare['getSetting']>) => client.getSetting(...args)),
    },
  };
}
