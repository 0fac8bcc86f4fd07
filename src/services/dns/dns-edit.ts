import { isDeepStrictEqual } from 'node:util';
import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import { zoneNameOf } from '../../lib/zone-name.ts';
import type { Item, ItemWork, Flow } from '../../operations/flow.ts';
import { itemFlow } from '../../operations/items.ts';
import { findWorkMark, type WorkMark } from '../../operations/lock-rows.ts';
import { itemOn } from '../../operations/locks.ts';
import { enqueue } from '../../operations/queue.ts';
import type { Zone } from '../../providers/cloudflare/zones.ts';
import type { DomainDnsInput } from '../../shared/dns/dns-changes.ts';
import { isAsWanted, isEmptyDiff, type DnsDiff, remainingDiff, wantedFrom } from '../../shared/dns/dns-diff.ts';
import type { DnsRecord } from '../../shared/dns/dns.ts';
import { reachIn, actorOf, notYours, guarded, refusedAmong } from '../access/ownership.ts';
import type { Actor } from '../access/scope.ts';
import { accountLane } from '../accounts/lanes.ts';
import { IMPATIENT, runToEnd, throwFailure } from '../operations/foreground.ts';
import { findDomain } from '../portfolio/domain-lists.ts';
import {
  changedMeanwhile,
  openDomainZone,
  planOf,
  recordsOf,
  refuseUnsafe,
  toldToCaller,
  versionOf,
  viewOf,
  type DomainDns,
  type OpenDomain,
} from './dns.ts';
import { recordsAct, recordsBack } from './records.ts';
import { updateCopyOnTransfer } from './rows.ts';
import { type ZoneItem, candidates, openAccount, type OpenAccount } from './zones.ts';

/**
 * Writes the given records to a domain's zone and returns the zone as it is then; `operation` is null where no record
 * had to change. Throws AppError `conflict`, with nothing changed, where the zone has changed since it was read, or the
 * change is unsafe and not confirmed.
 */
export async function saveDomainDns(
  actor: Actor,
  id: number,
  input: DomainDnsInput,
): Promise<DomainDns & { operation: { id: number } | null }> {
  const open = await toldToCaller(() => openMarked(actor, id));
  const plan = planOf(open, input);
  refuseUnsafe(plan, open.zone.name, input);
  const { unsafe: _unsafe, total: _total, version: _version, ...diff } = plan;
  const operation = isEmptyDiff(diff) ? null : await write(actor, open, diff, input.version);
  const { copyOnTransfer, copyOnTransferWas } = input;
  if (copyOnTransfer !== undefined && copyOnTransfer !== copyOnTransferWas) {
    await transaction(async () => {
      const isNew = (await updateCopyOnTransfer(id, copyOnTransfer)) > 0;
      const before = { transfer_dns: copyOnTransfer === 'on' ? 'off' : 'on' };
      if (isNew) note({ action: 'update', object: 'domains', id, before, after: { transfer_dns: copyOnTransfer } });
    });
  }
  if (!operation && input.copyOnTransfer === undefined) return { ...viewOf(open), operation };
  const domain = await findDomain(actor, id);
  const all = operation ? await toldToCaller(() => open.lane.client.listRecords(open.zone.id)) : open.all;
  const records = all.filter(({ name }) => open.reach.holds(name, id));
  return { ...viewOf({ ...open, domain, records }), operation };
}

/** A domain's zone as its caller has read it, with what had worked on its records before that read began. */
type MarkedDomain = OpenDomain & { mark: WorkMark };

const LOCK = 'dns';

/** The mark of the work on the records of a zone, without operation `but`. Most work names a zone below the registered one by that one. */
const markOf = (zone: string, but?: number): Promise<WorkMark> => findWorkMark(LOCK, [zone, zoneNameOf(zone)], but);

async function openMarked(actor: Actor, id: number): Promise<MarkedDomain> {
  const open = await openDomainZone(actor, id);
  const mark = await markOf(open.zone.name);
  return { ...open, ...(await recordsOf(open, id)), mark };
}

/** A zone that a caller has read before the lock was taken. */
interface JustRead {
  zone: Zone;
  records: DnsRecord[];
  mark: WorkMark;
  /** Throws AppError `conflict` where the records are not those of the version that the caller was shown. */
  refuseOther: (records: readonly DnsRecord[]) => void;
}

/** Zones that callers have just read, by operation. An edit in this process takes one whose mark still holds, and saves a read. */
const justRead = new Map<number, JustRead>();

async function write(
  actor: Actor,
  { domain, zone, all, lane: open, reach, mark }: MarkedDomain,
  diff: DnsDiff,
  version: string | undefined,
): Promise<{ id: number }> {
  const lane = accountLane(domain.cloudflare_account_id ?? 0);
  const named = itemOn({ kind: LOCK, name: zone.name });
  const { id, started } = await enqueue(
    {
      kind: 'dns_edit',
      subject: zone.name,
      user_id: actor.id,
      input: {},
      message: { key: 'dns.saving', params: { domain: domain.domain_name } },
      items: [
        {
          ...named,
          ...lane,
          data: { zone: zone.name, domain_id: domain.id, diff } satisfies Edit,
        },
      ],
    },
    true,
  );
  const refuseOther: JustRead['refuseOther'] = (records) => {
    const shown = records.filter(({ name }) => reach.holds(name, domain.id));
    if (version !== undefined && versionOf(shown) !== version) throw changedMeanwhile(zone.name);
  };
  // The same save, sent twice, is the work of the first caller.
  if (started) justRead.set(id, { zone: await open.zone(zone.name), records: all, mark, refuseOther });
  try {
    // If the process dies meanwhile, the next one ends the work.
    await runToEnd(id, { byPerson: true });
    await throwFailure(id);
  } finally {
    if (started) justRead.delete(id);
  }
  return { id };
}

/** An edit of a zone: the difference that its caller has seen, and nothing else. */
interface Edit extends ZoneItem {
  domain_id: number;
  diff: DnsDiff;
}

/** Throws `not_found` where a name of an edit is not its user's any more. */
async function checkEdit({ data: { zone, domain_id, diff }, user_id }: Item<Edit>): Promise<void> {
  const reach = await reachIn(await actorOf(user_id), zone);
  const names = [...diff.deletes, ...diff.creates, ...diff.updates.flatMap(({ from, to }) => [from, to])];
  if (!names.every(({ name }) => reach.holds(name, domain_id))) throw notYours(zone);
}

/**
 * Opens the account for an edit. The first read of the zone's records, under the lock, returns those that the caller has just read,
 * unless work on the zone has begun or gone on since: then they are read again, and have to be of the version that was shown.
 */
async function openEdit(items: readonly Item<Edit>[], signal: AbortSignal): Promise<OpenAccount> {
  const lane = await openAccount(items, { signal, foreground: true });
  const id = items[0]?.operation_id ?? 0;
  const seen = justRead.get(id);
  if (!seen) return lane;
  let isRead = false;
  const listRecords: OpenAccount['client']['listRecords'] = async (zoneId) => {
    if (isRead) return lane.client.listRecords(zoneId);
    const now = await markOf(seen.zone.name, id);
    const holds = now.open === 0 && isDeepStrictEqual(now, seen.mark);
    const records = holds ? seen.records : await lane.client.listRecords(zoneId);
    seen.refuseOther(records);
    isRead = true;
    return records;
  };
  return { ...lane, zone: async () => seen.zone, client: { ...lane.client, listRecords } };
}

/** The difference with the ids that deleted records have since they were given back. */
function madeAgain(diff: DnsDiff, current: readonly DnsRecord[]): DnsDiff {
  const ids = new Set(current.map(({ id }) => id));
  const deletes = diff.deletes.map((record) => {
    const again = ids.has(record.id) ? undefined : current.find((one) => isAsWanted(one, wantedFrom(record)));
    return again ?? record;
  });
  return { ...diff, deletes };
}

const editWork: ItemWork<OpenAccount, Edit> = {
  patience: IMPATIENT,
  open: (_lane, items, signal) => openEdit(items, signal),
  acts: (item, lane) => {
    const { zone, diff } = item.data;
    const isGivenBack = item.acts.some(({ state }) => state === 'undone');
    const save = recordsAct(lane, zone, (current) => {
      const { left, conflict } = remainingDiff(isGivenBack ? madeAgain(diff, current) : diff, current);
      if (conflict) throw changedMeanwhile(zone);
      return left;
    });
    return guarded([save], () => checkEdit(item));
  },
  // Work on a name locks it below its registered name, whatever zones there are.
  names: ({ data: { zone } }) => candidates(zone).slice(1),
  refused: (items) => refusedAmong(items, checkEdit),
  undo: (item, lane) => {
    const back = item.acts.map((act) => recordsBack(lane, item.data.zone, act));
    return guarded(back, () => checkEdit(item));
  },
};

/** The flow that saves the records of a zone. */
export const dnsEditFlow: Flow = itemFlow('dns_edit', editWork);
