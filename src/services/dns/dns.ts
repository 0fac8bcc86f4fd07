import { createHash } from 'node:crypto';
import { transaction } from '../../../db/index.ts';
import type { Config } from '../../lib/config.ts';
import { zoneNameOf } from '../../lib/zone-name.ts';
import { asAppError } from '../../operations/failure.ts';
import type { Flow, Item, ItemWork } from '../../operations/flow.ts';
import { itemFlow } from '../../operations/items.ts';
import { persistently } from '../../operations/plan.ts';
import { enqueue } from '../../operations/queue.ts';
import type { Zone } from '../../providers/cloudflare/zones.ts';
import { fullRecordName, isEditable, sameContent, type DnsRecord } from '../../shared/dns/dns.ts';
import {
  diffRecords,
  isEmptyDiff,
  remainingDiff,
  unknownIds,
  unsafeDiff,
  type DnsDiff,
  type Unsafe,
} from '../../shared/dns/dns-diff.ts';
import type { DomainDnsInput } from '../../shared/dns/dns-changes.ts';
import type { DomainView } from '../../shared/portfolio/domains.ts';
import { AppError } from '../../shared/errors.ts';
import { findDomain } from '../portfolio/domain-lists.ts';
import { recordsAct, recordsBack } from './records.ts';
import { IMPATIENT, runForCaller } from '../operations/foreground.ts';
import { actorOf, guarded, notYours, reachIn, type Reach } from '../access/ownership.ts';
import type { Actor } from '../access/scope.ts';
import { updateCopyOnTransfer } from './rows.ts';
import { laneKeyOf, openAccount, openZones, type ZoneItem, type OpenAccount } from './zones.ts';

/**
 * A domain's zone as the editor shows it. `others`: records that are never edited; `version`: a hash of the editable
 * ones.
 */
export interface DomainDns {
  dns: DnsRecord[];
  copyOnTransfer: 'on' | 'off';
  others: DnsRecord[];
  zone: { name: string; status: string; name_servers: string[] };
  version: string;
}

/** The changes of a save. `unsafe`: why it has to be confirmed; `total`: how many editable records there are now. */
export interface DnsPlan extends DnsDiff {
  unsafe: Unsafe | null;
  total: number;
}

interface OpenDomain {
  domain: DomainView;
  lane: OpenAccount;
  zone: DomainDns['zone'] & { id: string };
  /** The zone's records whose names the caller holds. */
  records: DnsRecord[];
  /** All records of the zone. */
  all: DnsRecord[];
  reach: Reach;
}

/**
 * Opens the zone of a domain of the caller's. Throws AppError `not_found` where neither the zone nor the domain's name
 * in it is the caller's, `conflict` where the domain has no CDN account; and ProviderError.
 */
export async function openDomainZone(
  config: Config,
  actor: Actor,
  id: number,
): Promise<Omit<OpenDomain, 'records' | 'all'>> {
  const domain = await findDomain(actor, id);
  const reach = await reachIn(actor, domain.domain_name);
  if (!reach.holds(domain.domain_name, id)) throw notYours(zoneNameOf(domain.domain_name));
  if (domain.cloudflare_account_id === null) {
    throw new AppError('conflict', 'dns.no_account', { domain: domain.domain_name }, { code: 'no_cloudflare_account' });
  }
  const lane = await openZones(config, domain.cloudflare_account_id, [domain.domain_name], { foreground: true });
  const { id: zoneId, name, status, name_servers } = await persistently(() => lane.zone(domain.domain_name));
  return { domain, lane, zone: { id: zoneId, name, status, name_servers }, reach };
}

async function openRecords(config: Config, actor: Actor, id: number): Promise<OpenDomain> {
  const open = await openDomainZone(config, actor, id);
  const all = await persistently(() => open.lane.client.listRecords(open.zone.id));
  return { ...open, all, records: all.filter(({ name }) => open.reach.holds(name, id)) };
}

/** Runs `work`, and throws the AppError for a ProviderError. */
export async function toldToCaller<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asAppError(error);
  }
}

const versionOf = (records: readonly DnsRecord[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify(
        records
          .filter(isEditable)
          .map(({ id, type, name, content, proxied }) => [id, type, name, content, proxied])
          .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
      ),
    )
    .digest('base64url');

const viewOf = ({ domain, zone: { name, status, name_servers }, records }: OpenDomain): DomainDns => ({
  dns: records.filter(isEditable),
  copyOnTransfer: domain.transfer_dns,
  others: records.filter((record) => !isEditable(record)),
  zone: { name, status, name_servers },
  version: versionOf(records),
});

/**
 * Returns a domain's zone with the records that the caller holds. Throws the AppErrors of `openDomainZone` and of the
 * CDN.
 */
export const domainDns = (config: Config, actor: Actor, id: number): Promise<DomainDns> =>
  toldToCaller(async () => viewOf(await openRecords(config, actor, id)));

function planOf({ domain, zone, records, reach }: OpenDomain, { dns, version }: DomainDnsInput): DnsPlan {
  const changed = { code: 'zone_changed' };
  if (version !== undefined && version !== versionOf(records)) {
    throw new AppError('conflict', 'dns.changed_meanwhile', { zone: zone.name }, changed);
  }
  if (!dns.every(({ name }) => reach.holds(fullRecordName(name, zone.name), domain.id))) throw notYours(zone.name);
  const unknown = unknownIds(records, dns);
  if (unknown.length > 0) {
    throw new AppError('refused', 'dns.unknown_record', { zone: zone.name, ids: unknown.join(', ') });
  }
  refuseOdd(zone.name, records, dns);
  const diff = diffRecords(zone.name, records, dns);
  const total = records.filter(isEditable).length;
  return { ...diff, unsafe: unsafeDiff(records, dns, diff), total };
}

/** Throws AppError `invalid` for a record with faults, unless it is in the zone already and unchanged. */
function refuseOdd(zone: string, records: readonly DnsRecord[], dns: DomainDnsInput['dns']): void {
  const byId = new Map(records.map((record) => [record.id, record]));
  const odd = dns.flatMap(({ faults = {}, ...input }, index) => {
    const there = byId.get(input.id ?? '');
    const isUntouched =
      there !== undefined &&
      there.type === input.type &&
      there.name === fullRecordName(input.name, zone) &&
      there.proxied === input.proxied &&
      sameContent(input.type, there.content, input.content);
    return isUntouched ? [] : Object.entries(faults).map(([field, text]) => [`dns.${index}.${field}`, text]);
  });
  const fields = Object.fromEntries(odd) as Record<string, string>;
  if (odd.length > 0)
    throw new AppError('invalid', 'error.invalid', { fields: Object.keys(fields).join(', ') }, { fields });
}

/**
 * Returns what `saveDomainDns` would change; changes nothing. Throws AppError `conflict` where the zone has changed
 * since it was read.
 */
export const planDomainDns = (config: Config, actor: Actor, id: number, input: DomainDnsInput): Promise<DnsPlan> =>
  toldToCaller(async () => planOf(await openRecords(config, actor, id), input));

const UNSAFE = { empty: 'dns.unsafe_empty', many: 'dns.unsafe_many' } as const;

/** Throws AppError `conflict` for an unsafe plan without `override`. */
export function refuseUnsafe({ unsafe, deletes, total }: DnsPlan, zone: string, { override }: DomainDnsInput): void {
  if (unsafe === null || override) return;
  throw new AppError('conflict', UNSAFE[unsafe], { zone, n: deletes.length, total }, { code: 'unsafe_plan' });
}

/**
 * Writes the given records to a domain's zone and returns the zone as it is then; `operation` is null where no record
 * had to change. Throws AppError `conflict`, with nothing changed, where the zone has changed since it was read, or the
 * change is unsafe and not confirmed.
 */
export async function saveDomainDns(
  config: Config,
  actor: Actor,
  id: number,
  input: DomainDnsInput,
): Promise<DomainDns & { operation: { id: number } | null }> {
  const open = await toldToCaller(() => openRecords(config, actor, id));
  const plan = planOf(open, input);
  refuseUnsafe(plan, open.zone.name, input);
  const { unsafe: _unsafe, total: _total, ...diff } = plan;
  const operation = isEmptyDiff(diff) ? null : await write(actor, open, diff);
  if (input.copyOnTransfer !== undefined) {
    const { copyOnTransfer } = input;
    await transaction(() => updateCopyOnTransfer(id, copyOnTransfer));
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
  const lane = laneKeyOf(domain.cloudflare_account_id ?? 0);
  const item = `dns ${zone.name}`;
  const { id } = await enqueue(
    {
      kind: 'dns_edit',
      subject: zone.name,
      user_id: actor.id,
      input: {},
      message: { key: 'dns.saving', params: { domain: domain.domain_name } },
      items: [
        {
          item,
          lane,
          data: { zone: zone.name, domain_id: domain.id, diff } satisfies Edit,
        },
      ],
    },
    true,
  );
  const key = `${lane} ${item}`;
  justRead.set(key, { zone: await open.zone(zone.name), records: all });
  try {
    await runForCaller(id);
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
async function openEdit(config: Config, name: string, items: readonly Item<Edit>[], signal: AbortSignal) {
  const lane = await openAccount(config, name, items, { signal, foreground: true });
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

const work = (config: Config): ItemWork<OpenAccount, Edit> => ({
  patience: IMPATIENT,
  open: (lane, items, signal) => openEdit(config, lane, items, signal),
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
});

/** The flow that saves the records of a zone. */
export const dnsEditFlow = (config: Config): Flow => itemFlow('dns_edit', work(config));
