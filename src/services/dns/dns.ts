import { createHash } from 'node:crypto';
import { zoneNameOf } from '../../lib/zone-name.ts';
import { asAppError } from '../../operations/failure.ts';
import { persistently } from '../../operations/plan.ts';
import { fullRecordName, isEditable, type DnsRecord, type DnsRecordInput } from '../../shared/dns/dns.ts';
import {
  diffRecords,
  saying,
  settled,
  unknownIds,
  unsafeDiff,
  type DnsDiff,
  type Unsafe,
} from '../../shared/dns/dns-diff.ts';
import type { DomainDnsInput } from '../../shared/dns/dns-changes.ts';
import type { DomainView } from '../../shared/portfolio/domains.ts';
import { AppError } from '../../shared/errors.ts';
import { findDomain } from '../portfolio/domain-lists.ts';
import { notYours, reachIn, type Reach } from '../access/ownership.ts';
import type { Actor } from '../access/scope.ts';
import { openZones, type OpenAccount } from './zones.ts';

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

/**
 * The changes of a save. `unsafe`: why it has to be confirmed; `total`: how many editable records there are now; `version`: that of
 * the set which was looked at.
 */
export interface DnsPlan extends DnsDiff {
  unsafe: Unsafe | null;
  total: number;
  version: string;
}

/** A domain with its zone as it was just read. */
export interface OpenDomain {
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
 * in it is the caller's, `conflict` where the domain has no CDN account and none is given; and ProviderError.
 */
export async function openDomainZone(
  actor: Actor,
  id: number,
  account?: number,
): Promise<Omit<OpenDomain, 'records' | 'all'>> {
  const domain = await findDomain(actor, id);
  const reach = await reachIn(actor, domain.domain_name);
  if (!reach.holds(domain.domain_name, id)) throw notYours(zoneNameOf(domain.domain_name));
  const account_id = account ?? domain.cloudflare_account_id;
  if (account_id === null) {
    throw new AppError('conflict', 'dns.no_account', { domain: domain.domain_name }, { code: 'no_cloudflare_account' });
  }
  const lane = await openZones(account_id, [domain.domain_name], { foreground: true });
  const { id: zoneId, name, status, name_servers } = await persistently(() => lane.zone(domain.domain_name));
  return { domain, lane, zone: { id: zoneId, name, status, name_servers }, reach };
}

/** Reads the records of a domain's open zone. */
export async function recordsOf(
  { lane, zone, reach }: Omit<OpenDomain, 'records' | 'all'>,
  id: number,
): Promise<Pick<OpenDomain, 'records' | 'all'>> {
  const all = await persistently(() => lane.client.listRecords(zone.id));
  return { all, records: all.filter(({ name }) => reach.holds(name, id)) };
}

/** Opens a domain's zone and reads its records. Throws as `openDomainZone`. */
async function openRecords(actor: Actor, id: number, account?: number): Promise<OpenDomain> {
  const open = await openDomainZone(actor, id, account);
  return { ...open, ...(await recordsOf(open, id)) };
}

/** The AppError `conflict` for a zone that is not any more as its caller has seen it. */
export const changedMeanwhile = (zone: string): AppError =>
  new AppError('conflict', 'dns.changed_meanwhile', { zone }, { code: 'zone_changed' });

/** Runs `work`, and throws the AppError for a ProviderError. */
export async function toldToCaller<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asAppError(error);
  }
}

/** Returns the hash of the editable ones of a zone's records. */
export const versionOf = (records: readonly DnsRecord[]): string =>
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

/** Returns the zone as the editor shows it. */
export const viewOf = ({ domain, zone: { name, status, name_servers }, records }: OpenDomain): DomainDns => ({
  dns: records.filter(isEditable),
  copyOnTransfer: domain.transfer_dns,
  others: records.filter((record) => !isEditable(record)),
  zone: { name, status, name_servers },
  version: versionOf(records),
});

/**
 * Returns a domain's zone, in its own account or the given one, with the records that the caller holds. Throws the AppErrors of
 * `openDomainZone` and of the CDN.
 */
export const domainDns = (actor: Actor, id: number, account?: number): Promise<DomainDns> =>
  toldToCaller(async () => viewOf(await openRecords(actor, id, account)));

/** Returns what an input would change. Throws AppError `conflict` where the zone has changed since it was read. */
export function planOf({ domain, zone, records, reach }: OpenDomain, { dns: given, version }: DomainDnsInput): DnsPlan {
  const now = versionOf(records);
  if (version !== undefined && version !== now) throw changedMeanwhile(zone.name);
  if (!given.every(({ name }) => reach.holds(fullRecordName(name, zone.name), domain.id))) throw notYours(zone.name);
  const dns = settled(records, given);
  const unknown = unknownIds(records, dns);
  if (unknown.length > 0) {
    throw new AppError('refused', 'dns.unknown_record', { zone: zone.name, ids: unknown.join(', ') });
  }
  refuseOdd(zone.name, records, dns);
  const diff = diffRecords(zone.name, records, dns);
  const total = records.filter(isEditable).length;
  return { ...diff, unsafe: unsafeDiff(records, dns, diff), total, version: now };
}

/** Throws AppError `invalid` for a record with faults, unless it is in the zone as it is. */
function refuseOdd(zone: string, records: readonly DnsRecord[], dns: readonly DnsRecordInput[]): void {
  if (dns.every(({ faults }) => faults === undefined)) return;
  const there = new Map(
    records.filter(isEditable).map((record) => [saying(record.type, record.name, record.content), record]),
  );
  const odd = dns.flatMap(({ faults = {}, type, name, content, proxied }, index) => {
    const isUntouched = there.get(saying(type, fullRecordName(name, zone), content))?.proxied === proxied;
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
export const planDomainDns = (actor: Actor, id: number, input: DomainDnsInput): Promise<DnsPlan> =>
  toldToCaller(async () => planOf(await openRecords(actor, id), input));

const UNSAFE = { empty: 'dns.unsafe_empty', many: 'dns.unsafe_many' } as const;

/** Throws AppError `conflict` for an unsafe plan without `override`. */
export function refuseUnsafe({ unsafe, deletes, total }: DnsPlan, zone: string, { override }: DomainDnsInput): void {
  if (unsafe === null || override) return;
  throw new AppError('conflict', UNSAFE[unsafe], { zone, n: deletes.length, total }, { code: 'unsafe_plan' });
}
