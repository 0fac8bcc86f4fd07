import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import type { Item, ItemWork, Flow } from '../../operations/flow.ts';
import { itemFlow } from '../../operations/items.ts';
import { itemOn } from '../../operations/locks.ts';
import { enqueue } from '../../operations/queue.ts';
import type { Zone } from '../../providers/cloudflare/zones.ts';
import type { DomainDnsInput } from '../../shared/dns/dns-changes.ts';
import { isEmptyDiff, type DnsDiff, remainingDiff } from '../../shared/dns/dns-diff.ts';
import type { DnsRecord } from '../../shared/dns/dns.ts';
import { AppError } from '../../shared/errors.ts';
import { reachIn, actorOf, notYours, guarded } from '../access/ownership.ts';
import type { Actor } from '../access/scope.ts';
import { accountLane } from '../accounts/lanes.ts';
import { IMPATIENT, runToEnd, throwFailure } from '../operations/foreground.ts';
import { findDomain } from '../portfolio/domain-lists.ts';
import { type DomainDns, toldToCaller, openRecords, planOf, refuseUnsafe, viewOf, type OpenDomain } from './dns.ts';
import { recordsAct, recordsBack } from './records.ts';
import { updateCopyOnTransfer } from './rows.ts';
import { type ZoneItem, openAccount, type OpenAccount } from './zones.ts';

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
  const open = await toldToCaller(() => openRecords(actor, id));
  const plan = planOf(open, input);
  refuseUnsafe(plan, open.zone.name, input);
  const { unsafe: _unsafe, total: _total, version: _version, ...diff } = plan;
  const operation = isEmptyDiff(diff) ? null : await write(actor, open, diff);
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

/**
 * Zones that callers have just read, by lane and item: an edit that runs in this process reuses them and saves a read.
 */
const justRead = new Map<string, { zone: Zone; records: DnsRecord[] }>();

async function write(
  actor: Actor,
  { domain, zone, all, lane: open }: OpenDomain,
  diff: DnsDiff,
): Promise<{ id: number }> {
  const lane = accountLane(domain.cloudflare_account_id ?? 0);
  const named = itemOn({ kind: 'dns', name: zone.name });
  const { id } = await enqueue(
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
  const key = `${lane.lane} ${named.item}`;
  justRead.set(key, { zone: await open.zone(zone.name), records: all });
  try {
    // If the process dies meanwhile, the next one ends the work.
    await runToEnd(id, { byPerson: true });
    await throwFailure(id);
  } finally {
    justRead.delete(key);
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

/** Opens the account for an edit. The first read of the zone's records returns those that the caller has just read. */
async function openEdit(name: string, items: readonly Item<Edit>[], signal: AbortSignal) {
  const lane = await openAccount(items, { signal, foreground: true });
  const seen = items.length === 1 ? justRead.get(`${name} ${items[0]!.item}`) : undefined;
  if (!seen) return lane;
  let records: DnsRecord[] | null = seen.records;
  const listRecords: OpenAccount['client']['listRecords'] = async (id) => {
    const known = records;
    records = null;
    return known ?? lane.client.listRecords(id);
  };
  return { ...lane, zone: async () => seen.zone, client: { ...lane.client, listRecords } };
}

const editWork: ItemWork<OpenAccount, Edit> = {
  patience: IMPATIENT,
  open: (lane, items, signal) => openEdit(lane, items, signal),
  acts: (item, lane) => {
    const { zone, diff } = item.data;
    const save = recordsAct(lane, zone, (current) => {
      const { left, conflict } = remainingDiff(diff, current);
      if (conflict) throw new AppError('conflict', 'dns.changed_meanwhile', { zone });
      return left;
    });
    return guarded([save], () => checkEdit(item));
  },
  undo: (item, lane) => {
    const back = item.acts.map(({ before, after }) => recordsBack(lane, item.data.zone, before, after));
    return guarded(back, () => checkEdit(item));
  },
};

/** The flow that saves the records of a zone. */
export const dnsEditFlow: Flow = itemFlow('dns_edit', editWork);
