import { createHash } from 'node:crypto';
import { execute, transaction } from '../../db/index.ts';
import type { Config } from '../lib/config.ts';
import { asAppError } from '../operations/failure.ts';
import type { Flow, ItemWork } from '../operations/flow.ts';
import { itemFlow } from '../operations/items.ts';
import { enqueue } from '../operations/queue.ts';
import { isEditableType, type DnsRecord } from '../shared/dns.ts';
import {
  diffRecords,
  isEmptyDiff,
  remainingDiff,
  unknownIds,
  unsafeDiff,
  type DnsDiff,
  type Unsafe,
} from '../shared/dns-diff.ts';
import type { DomainDnsInput } from '../shared/dns-changes.ts';
import type { DomainView } from '../shared/domains.ts';
import { AppError } from '../shared/errors.ts';
import { findDomain } from './domain-lists.ts';
import { recordsAct, recordsBack } from './dns-records.ts';
import { IMPATIENT, runForCaller } from './foreground.ts';
import type { Actor } from './scope.ts';
import { laneOf, openLane, openZones, zoneNameOf, type ZoneItem, type ZoneLane } from './zones.ts';

/** A domain's zone as the editor shows it. `others` are the records that are never touched; `version` names the set. */
export interface DomainDns {
  dns: DnsRecord[];
  copyOnTransfer: 'on' | 'off';
  others: DnsRecord[];
  zone: { name: string; status: string; name_servers: string[] };
  version: string;
}

/** What saving would change. `unsafe` says why it has to be confirmed. */
export interface DnsPlan extends DnsDiff {
  unsafe: Unsafe | null;
  total: number;
}

interface OpenDomain {
  domain: DomainView;
  lane: ZoneLane;
  zone: DomainDns['zone'] & { id: string };
  records: DnsRecord[];
}

/** A domain of the caller's, with its zone open. Throws `conflict` where it has no CDN account, and what the CDN says. */
export async function openDomainZone(config: Config, actor: Actor, id: number): Promise<Omit<OpenDomain, 'records'>> {
  const domain = await findDomain(actor, id);
  const name = zoneNameOf(domain.domain_name);
  if (domain.cloudflare_account_id === null) {
    throw new AppError('conflict', 'dns.no_account', { domain: domain.domain_name }, { code: 'no_cloudflare_account' });
  }
  const lane = await openZones(config, domain.cloudflare_account_id, [name], { foreground: true });
  const { id: zoneId, status, name_servers } = await lane.zone(name);
  return { domain, lane, zone: { id: zoneId, name, status, name_servers } };
}

async function openRecords(config: Config, actor: Actor, id: number): Promise<OpenDomain> {
  const open = await openDomainZone(config, actor, id);
  return { ...open, records: await open.lane.client.listRecords(open.zone.id) };
}

/** Says what went wrong at the CDN in words for the caller. */
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
          .filter(({ type }) => isEditableType(type))
          .map(({ id, type, name, content, proxied }) => [id, type, name, content, proxied])
          .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
      ),
    )
    .digest('base64url');

const viewOf = ({ domain, zone: { name, status, name_servers }, records }: OpenDomain): DomainDns => ({
  dns: records.filter(({ type }) => isEditableType(type)),
  copyOnTransfer: domain.transfer_dns,
  others: records.filter(({ type }) => !isEditableType(type)),
  zone: { name, status, name_servers },
  version: versionOf(records),
});

/** The records of a domain's zone. */
export const domainDns = (config: Config, actor: Actor, id: number): Promise<DomainDns> =>
  toldToCaller(async () => viewOf(await openRecords(config, actor, id)));

function planOf({ zone, records }: OpenDomain, { dns, version }: DomainDnsInput): DnsPlan {
  const changed = { code: 'zone_changed' };
  if (version !== undefined && version !== versionOf(records)) {
    throw new AppError('conflict', 'dns.changed_meanwhile', { zone: zone.name }, changed);
  }
  const unknown = unknownIds(records, dns);
  if (unknown.length > 0) {
    throw new AppError('refused', 'dns.unknown_record', { zone: zone.name, ids: unknown.join(', ') });
  }
  const diff = diffRecords(zone.name, records, dns);
  const total = records.filter(({ type }) => isEditableType(type)).length;
  return { ...diff, unsafe: unsafeDiff(records, dns, diff), total };
}

/** What `saveDomainDns` would change. Throws `conflict` where the zone has changed since it was read. */
export const planDomainDns = (config: Config, actor: Actor, id: number, input: DomainDnsInput): Promise<DnsPlan> =>
  toldToCaller(async () => planOf(await openRecords(config, actor, id), input));

const UNSAFE = { empty: 'dns.unsafe_empty', many: 'dns.unsafe_many' } as const;

/** Throws `conflict` where a plan would leave little and that is not confirmed. */
export function refuseUnsafe({ unsafe, deletes, total }: DnsPlan, zone: string, { override }: DomainDnsInput): void {
  if (unsafe === null || override) return;
  throw new AppError('conflict', UNSAFE[unsafe], { zone, n: deletes.length, total }, { code: 'unsafe_plan' });
}

/**
 * Makes the records of a domain's zone what is given, and returns them as they are then. Throws `conflict` where the zone
 * has changed since it was read, and where little would be left and that is not confirmed: nothing is changed then.
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
  if (input.copyOnTransfer !== undefined) await keepCopyOnTransfer(id, input.copyOnTransfer);
  return { ...(await domainDns(config, actor, id)), operation };
}

async function write(actor: Actor, { domain, zone }: OpenDomain, diff: DnsDiff): Promise<{ id: number }> {
  const { id } = await enqueue(
    {
      kind: 'dns_edit',
      subject: zone.name,
      user_id: actor.id,
      input: {},
      message: { key: 'dns.saving', params: { domain: domain.domain_name } },
      items: [
        {
          item: `dns ${zone.name}`,
          lane: laneOf(domain.cloudflare_account_id ?? 0),
          data: { zone: zone.name, diff } satisfies Edit,
        },
      ],
    },
    true,
  );
  await runForCaller(id);
  return { id };
}

const keepCopyOnTransfer = (id: number, value: 'on' | 'off'): Promise<number> =>
  transaction(() =>
    execute('UPDATE domains SET transfer_dns = $value, updated_at = $now WHERE id = $id AND transfer_dns <> $value', {
      id,
      value,
      now: new Date().toISOString(),
    }),
  );

/** An edit of a zone: what was seen and confirmed, and nothing else. */
interface Edit extends ZoneItem {
  diff: DnsDiff;
}

const work = (config: Config): ItemWork<ZoneLane, Edit> => ({
  patience: IMPATIENT,
  open: (lane, items, signal) => openLane(config, lane, items, { signal, foreground: true }),
  acts: ({ data: { zone, diff } }, lane) => [
    recordsAct(lane, zone, (current) => {
      const { left, conflict } = remainingDiff(diff, current);
      if (conflict) throw new AppError('conflict', 'dns.changed_meanwhile', { zone });
      return left;
    }),
  ],
  undo: ({ data: { zone }, acts }, lane) => acts.map(({ before, after }) => recordsBack(lane, zone, before, after)),
});

/** Saving the records of a zone. */
export const dnsEditFlow = (config: Config): Flow => itemFlow('dns_edit', work(config));
