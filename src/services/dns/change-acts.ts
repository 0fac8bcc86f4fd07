import { asAppError } from '../../operations/failure.ts';
import type { Act, OwnRow, ItemWork, Item } from '../../operations/flow.ts';
import { listItemRows } from '../../operations/item-rows.ts';
import { isTouched, notesOf } from '../../operations/notes.ts';
import type { Zone } from '../../providers/cloudflare/zones.ts';
import { ELSEWHERE } from '../../shared/dns/plan-words.ts';
import { AppError } from '../../shared/errors.ts';
import type { StoredAct } from '../../shared/operations.ts';
import { actorOf, confirmedAct, foreignZones, zoneActs } from '../access/ownership.ts';
import type { Shown } from '../operations/shown-plans.ts';
import { placeAct, PLACE, placeBack } from '../portfolio/domain-places.ts';
import { NAME_SERVERS, nameServerActs, nameServersBack } from './delegation.ts';
import { beforeForward, refuseForward, refuseTarget, type ForwardAsked } from './forward-check.ts';
import { forwardAct, forwardBack } from './forwards.ts';
import { pointingDiff } from './pointing.ts';
import { settingAct, wantedTls, settingBack } from './protection.ts';
import { recordsAct, recordsBack } from './records.ts';
import { deleteAttachments, findAccountOf, upsertAttachments } from './rows.ts';
import { asIfThere, isPlanned, readOnce, zoneAct, zoneStays } from './zone-act.ts';
import { shownAct } from './shown-act.ts';
import { type ZoneItem, candidates, type OpenAccount, openAccount } from './zones.ts';

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
  /** The domain to forward to was in the portfolio when that was asked for. */
  main_was_there?: true;
  /** The registrar at which its name servers are set; null: they stay. Absent in what was queued by an earlier version. */
  registrar_id?: number | null;
  /** It was bought a moment ago: the CDN may not know it yet. */
  is_new?: true;
  /** Its part of the plan that was shown; null: it could not be looked at then. */
  shown?: Shown | null;
}

/** A CDN account, and what stops the calls to registrars. */
interface PointingLane extends OpenAccount {
  signal: AbortSignal;
  /** The zones that the operation has made. */
  made: Set<string>;
}

/**
 * `forwardAct` of an attached domain, which is stored as that with its rule, by each act once: whose rule is deleted meanwhile stays free at
 * another try. It is asked whether it may be, but where its call has arrived already.
 */
function attachAct(item: Item<Pointing>, lane: OpenAccount, forward: ForwardAsked): Act {
  const { domain_name: domain, forward_to: to } = forward;
  const act = confirmedAct(forwardAct(lane, domain, domain, to), () => refuseTarget(item, forward));
  const isBegun = item.acts.some(({ name, state }) => name === act.name && state === 'intent');
  const { account_id } = item.data;
  const record = (): OwnRow => ({ save: upsertAttachments, row: { domain_name: domain, forward_to: to, account_id } });
  const look: Act['look'] = async (isOver) => {
    const change = await act.look(isOver);
    if (change || !isBegun) await refuseForward(item, forward);
    return change;
  };
  return { ...act, look, record, recordSeen: record };
}

/** The acts on the zone. */
function actsOf(item: Item<Pointing>, lane: OpenAccount): Act[] {
  const { zone, domain, tls, forward_to, main_was_there } = item.data;
  const acts = [
    zoneAct(lane, item.data),
    recordsAct(lane, domain, (current) => pointingDiff(zone, domain, item.data, current)),
    ...(tls === null ? [] : [settingAct(lane, domain, 'tls_1_3', wantedTls(tls))]),
  ];
  if (forward_to === null) return acts;
  const forward = { domain_name: domain, forward_to, ...(main_was_there && { was_there: main_was_there }) };
  return [...acts.map((act) => beforeForward(item, forward, act)), attachAct(item, lane, forward)];
}

/** The acts that set the zone's name servers at the registrar, and see them there. None where they stay. */
function delegationOf({ data, user_id }: Item<Pointing>, lane: OpenAccount, signal: AbortSignal): Act[] {
  const { domain, registrar_id = null } = data;
  if (registrar_id === null) return [];
  const wanted = async (): Promise<string[] | null> => {
    const zone = await lane.zone(domain);
    return isPlanned(zone) ? null : zone.name_servers;
  };
  return nameServerActs(user_id, { domain, registrar_id }, wanted, signal);
}

/** Tells in a plan that a zone is to be made though the portfolio has the name in another account, whose zone may be what visitors see. */
const elsewhereAct = ({ data, user_id }: Item<Pointing>, lane: OpenAccount): Act => ({
  name: ELSEWHERE,
  class: 'read',
  look: async () => {
    const { zone, domain, account_id } = data;
    if (await lane.findZone(domain)) return null;
    const account = await findAccountOf(await actorOf(user_id), domain, zone);
    if (!account || account.id === account_id) return null;
    return { before: { domain, account: account.name }, after: null, perform: async () => undefined };
  },
});

/** All that a plan shows: the acts on the zone, and the setting of name servers. */
const plannedActs = (item: Item<Pointing>, lane: OpenAccount, signal: AbortSignal): Act[] => [
  ...actsOf(item, lane),
  elsewhereAct(item, lane),
  ...delegationOf(item, lane, signal).slice(0, 1),
];

function undoOf({ data, user_id }: Item<Pointing>, lane: PointingLane, act: StoredAct): Act[] {
  const { domain: zone, registrar_id = null } = data;
  const { name, before, after } = act;
  if (name === 'dns') return [recordsBack(lane, zone, { before, after })];
  if (name === 'tls_1_3') return [settingBack(lane, zone, 'tls_1_3', act)];
  if (name === 'zone') return [zoneStays(lane, zone)];
  if (name === NAME_SERVERS && registrar_id !== null) {
    return [nameServersBack(user_id, { domain: zone, registrar_id }, act, lane.signal)];
  }
  if (name !== 'rule') return [];
  const { domain: domain_name, to: forward_to } = after as { domain: string; to: string };
  const record = (): OwnRow => ({ save: deleteAttachments, row: { domain_name, forward_to } });
  return [{ ...forwardBack(lane, zone, after), record }];
}

/** The work of pointing domains at servers. */
export const pointingWork: ItemWork<PointingLane, Pointing> = {
  open: async (_lane, items, signal) => {
    const lane = await openAccount(items, { signal });
    const made = new Set(await zonesMadeBy(items));
    const createZone: OpenAccount['createZone'] = (name) => {
      made.add(name);
      return lane.createZone(name);
    };
    return { ...lane, createZone, made, signal };
  },
  acts: (item, lane) => {
    const { data, user_id } = item;
    const zone = readOnce(lane, data.shown?.zone);
    return [
      ...zoneActs(user_id, data.zone, [...asShown(item, zone, lane), ...actsOf(item, zone)]),
      // Writes the account and the server into the domain's row.
      placeAct(user_id, data.domain, data),
      // Last: what the registrar refuses holds nothing else up.
      ...zoneActs(user_id, data.zone, delegationOf(item, zone, lane.signal)),
    ];
  },
  // The zone may be one below the registered name; a move of the main domain leads on the rules to it.
  names: ({ data: { domain, zone, forward_to } }) => [
    ...(domain === zone ? [] : candidates(domain).slice(0, -1)),
    ...(forward_to === null ? [] : [forward_to]),
  ],
  refused: foreignZones,
  undo: (item, lane) => {
    const { data, acts, user_id } = item;
    return [
      ...zoneActs(
        user_id,
        data.zone,
        acts.flatMap((act) => undoOf(item, lane, act)),
      ),
      ...acts.filter(({ name }) => name === PLACE).map((act) => placeBack(user_id, data.domain, act)),
    ];
  },
};

/** The act that compares an item with its plan before its first act; none once an act has begun, as that work goes on. */
function asShown(item: Item<Pointing>, zone: OpenAccount, lane: PointingLane): Act[] {
  const { data, acts } = item;
  if (data.shown === undefined || acts.some(isTouched)) return [];
  const of = { item: item.item, shown: data.shown, isMade: () => lane.made.has(data.zone) };
  return [shownAct(of, (seen) => plannedActs(item, seen, lane.signal), zone)];
}

/** Returns the names of the zones that an operation has made so far, where its items have a plan. */
async function zonesMadeBy(items: readonly Item<Pointing>[]): Promise<string[]> {
  const planned = items.find(({ data }) => data.shown !== undefined);
  const rows = planned ? await listItemRows(planned.operation_id) : [];
  return rows.flatMap((row) =>
    notesOf(row).flatMap(({ name, state, after }) =>
      name === 'zone' && state !== 'noop' ? ((after as { zone?: string }).zone ?? []) : [],
    ),
  );
}

// A plan of more items would exceed the share of the call limit that is for people: it is paced like background work.
const AT_HAND = 100;
// A person waits for the plan.
const REGISTRAR_MS = 25_000;

/** Has the act of a plan tell a registrar's failure as that of this act: what was seen of the zone is still shown. */
const told = (act: Act, patience: AbortSignal): Act => ({
  ...act,
  look: () =>
    act.look().catch((error: unknown) => {
      throw patience.aborted ? new AppError('unavailable', 'dns.ns_slow') : asAppError(error);
    }),
});

/** The work for a plan: a missing zone counts as an empty one. `found` is called with every zone that exists. */
export function planned(found: (item: string, zone: Zone) => void) {
  return {
    acts: (item: Item<Pointing>, lane: PointingLane) => {
      const findZone: OpenAccount['findZone'] = async (name) => {
        const zone = await lane.findZone(name);
        if (zone) found(item.item, zone);
        return zone;
      };
      const once = readOnce({ ...lane, findZone });
      const patience = AbortSignal.timeout(REGISTRAR_MS);
      const acts = plannedActs(item, once, AbortSignal.any([lane.signal, patience]));
      const shown = acts.map((act) => (act.name === NAME_SERVERS ? told(act, patience) : act));
      return zoneActs(item.user_id, item.data.zone, shown);
    },
    open: async (_lane: string, items: readonly Item<Pointing>[], signal: AbortSignal) => ({
      ...asIfThere(await openAccount(items, { signal, foreground: items.length <= AT_HAND })),
      made: new Set<string>(),
      signal,
    }),
  };
}
