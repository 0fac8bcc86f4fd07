import { execute } from '../../db/index.ts';
import type { Act } from '../operations/flow.ts';
import type { Zone } from '../providers/cloudflare/zones.ts';
import type { ZoneLane } from './zones.ts';

/** Makes the zone where the account has none. It is found by its name, so it is never made twice; nor is it ever deleted. */
export function zoneAct(lane: ZoneLane, { zone, account_id }: { zone: string; account_id: number }): Act {
  let found: Zone | null = null;
  return {
    name: 'zone',
    class: 'set',
    look: async () => {
      found = await lane.findZone(zone);
      if (found) return null;
      const perform = async (): Promise<void> => {
        found = await lane.createZone(zone);
      };
      return { before: null, after: { zone }, perform };
    },
    record: () => ({
      save: countZones,
      row: { account_id, name_servers: found?.name_servers ?? [] } satisfies NewZone,
    }),
  };
}

/** A zone that was made, for the account that has it. */
interface NewZone {
  account_id: number;
  name_servers: string[];
}

async function countZones(rows: NewZone[]): Promise<void> {
  for (const { account_id, name_servers } of rows) {
    const [one = null, two = null] = name_servers;
    await execute(
      'UPDATE cloudflare_accounts SET ns_1 = $one, ns_2 = $two, zones = COALESCE(zones, 0) + 1 WHERE id = $account_id',
      { one, two, account_id },
    );
  }
}

// A zone that is yet to be made, for a plan: it holds nothing.
const PLANNED: Zone = { id: '', name: '', status: 'planned', name_servers: [], account: { id: '' } };

/** An account for a plan: a zone that is not there yet is taken for an empty one. */
export function asIfThere(lane: ZoneLane): ZoneLane {
  const { client } = lane;
  const isPlanned = (id: string): boolean => id === PLANNED.id;
  return {
    ...lane,
    zone: async (zone) => (await lane.findZone(zone)) ?? PLANNED,
    client: {
      ...client,
      listRecords: async (id) => (isPlanned(id) ? [] : client.listRecords(id)),
      listPageRules: async (id) => (isPlanned(id) ? [] : client.listPageRules(id)),
      listRedirects: async (id) => (isPlanned(id) ? [] : client.listRedirects(id)),
      getSetting: async (id, setting) =>
        isPlanned(id) ? { id: setting, value: '', editable: true } : client.getSetting(id, setting),
    },
  };
}
