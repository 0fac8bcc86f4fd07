import type { Act, OwnRow, ItemWork, Item } from '../../operations/flow.ts';
import type { PlannedAct } from '../../operations/plan.ts';
import type { Zone } from '../../providers/cloudflare/zones.ts';
import { AppError } from '../../shared/errors.ts';
import type { StoredAct } from '../../shared/operations.ts';
import { zoneActs } from '../access/ownership.ts';
import { type Shown, digestOf } from '../operations/shown-plans.ts';
import { placeAct, PLACE, placeBack } from '../portfolio/domain-places.ts';
import { forwardAct, forwardBack } from './forwards.ts';
import { pointingDiff } from './pointing.ts';
import { settingAct, wantedTls, settingBack } from './protection.ts';
import { recordsAct, recordsBack } from './records.ts';
import { deleteAttachments } from './rows.ts';
import { zoneAct, zoneStays, readOnce, asIfThere } from './zone-act.ts';
import { type ZoneItem, type OpenAccount, openAccount } from './zones.ts';

/** A domain that is to lead to a server through a CDN account. */
export interface Pointing extends ZoneItem {
  domain: string;
  type: 'A' | 'AAAA';
  address: string;
  account_id: number;
  server_id: number | null;
  /** Null: left as it is. */
  tls: 'on' | 'off' | null;
  forward_to: string | null;
  /** Its part of the plan that was shown. */
  shown?: Shown;
}

function actsOf(lane: OpenAccount, data: Pointing): Act[] {
  const { zone, domain, tls, forward_to } = data;
  return [
    zoneAct(lane, data),
    recordsAct(lane, domain, (current) => pointingDiff(zone, domain, data, current)),
    ...(tls === null ? [] : [settingAct(lane, domain, 'tls_1_3', wantedTls(tls))]),
    ...(forward_to === null ? [] : [forwardAct(lane, domain, domain, forward_to)]),
  ];
}

function undoOf(lane: OpenAccount, zone: string, act: StoredAct): Act[] {
  const { name, before, after } = act;
  if (name === 'dns') return [recordsBack(lane, zone, before, after)];
  if (name === 'tls_1_3') return [settingBack(lane, zone, 'tls_1_3', act)];
  if (name === 'zone') return [zoneStays(lane, zone)];
  if (name !== 'rule') return [];
  const { domain: domain_name, to: forward_to } = after as { domain: string; to: string };
  const record = (): OwnRow => ({ save: deleteAttachments, row: { domain_name, forward_to } });
  return [{ ...forwardBack(lane, zone, after), record }];
}

/** The work of pointing domains at servers. */
export const pointingWork: ItemWork<OpenAccount, Pointing> = {
  open: (_lane, items, signal) => openAccount(items, { signal }),
  // The last act writes the account and the server into the domain's row.
  acts: (item, lane) => [...outsideActs(item, lane), placeAct(item.user_id, item.data.domain, item.data)],
  undo: ({ data, acts, user_id }, lane) => [
    ...zoneActs(
      user_id,
      data.zone,
      acts.flatMap((act) => undoOf(lane, data.domain, act)),
    ),
    ...acts.filter(({ name }) => name === PLACE).map((act) => placeBack(user_id, data.domain, act)),
  ],
};

/** The acts on the zone, which are all that a plan shows. */
const outsideActs = (item: Item<Pointing>, lane: OpenAccount): Act[] =>
  zoneActs(item.user_id, item.data.zone, actsAsShown(item, readOnce(lane, item.data.shown?.zone)));

/**
 * Returns the acts of an item. Where a plan was shown, a first act looks at all of them and throws AppError `conflict`
 * where they differ from it.
 */
function actsAsShown({ item, data }: Item<Pointing>, lane: OpenAccount): Act[] {
  const acts = actsOf(lane, data);
  const { shown } = data;
  if (!shown) return acts;
  const look = async (): Promise<null> => {
    const planned: PlannedAct[] = [];
    for (const act of actsOf(asIfThere(lane), data)) {
      const change = await act.look();
      if (change) planned.push({ item, act: act.name, before: change.before, after: change.after });
    }
    if (digestOf(planned) !== shown.digest) {
      throw new AppError('conflict', 'operation.plan_stale', {}, { code: 'plan_stale' });
    }
    return null;
  };
  return [{ name: 'check', class: 'read', look }, ...acts];
}

// A plan of more items would exceed the share of the call limit that is for people: it is paced like background work.
const AT_HAND = 100;

/** The work for a plan: a missing zone counts as an empty one. `found` is called with every zone that exists. */
export function planned(found: (item: string, zone: Zone) => void) {
  return {
    acts: (item: Item<Pointing>, lane: OpenAccount) => {
      const findZone: OpenAccount['findZone'] = async (name) => {
        const zone = await lane.findZone(name);
        if (zone) found(item.item, zone);
        return zone;
      };
      return outsideActs(item, { ...lane, findZone });
    },
    open: async (_lane: string, items: readonly Item<Pointing>[], signal: AbortSignal) =>
      asIfThere(await openAccount(items, { signal, foreground: items.length <= AT_HAND })),
  };
}
