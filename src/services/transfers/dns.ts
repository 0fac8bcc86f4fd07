import type { Act } from '../../operations/flow.ts';
import { asInput, isEditable, isProxiable, type DnsRecord, type DnsRecordInput } from '../../shared/dns/dns.ts';
import { diffRecords, unsafeDiff, type DnsDiff } from '../../shared/dns/dns-diff.ts';
import { AppError } from '../../shared/errors.ts';
import { copiedRecords } from '../../shared/transfers/transfer-dns.ts';
import { pointedRecords } from '../dns/pointing.ts';
import { recordsAct } from '../dns/records.ts';
import { atSource } from './blame.ts';
import { late, type MoveLane } from './lane.ts';
import type { Move } from './queue.ts';

/** A wanted record in the shape of a stored one; the id of a record to be created is ''. */
const asThere = ({ id = '', type, name, content, proxied }: DnsRecordInput): DnsRecord => ({
  id,
  type,
  name,
  content,
  proxied,
  ttl: 1,
  proxiable: isProxiable(type),
  comment: null,
  tags: [],
});

const withoutNoId = ({ id, ...record }: DnsRecordInput): DnsRecordInput => (id ? { ...record, id } : record);

/**
 * Returns the changes that give a reserve the records of the source, where they are copied, and the addresses of its
 * server; and the whole wanted set.
 */
function missing(
  { source, target, copy_dns }: Move,
  { address }: Pick<MoveLane, 'address'>,
  records: { source: readonly DnsRecord[]; target: readonly DnsRecord[] },
): DnsDiff & { wanted: DnsRecordInput[] } {
  const current = records.target.filter(isEditable);
  const copied = copy_dns
    ? copiedRecords(records.source.filter(isEditable), current, { from: source.name, to: target.name }).map(asThere)
    : current;
  const pointed = address ? pointedRecords(target.zone, target.name, address, copied) : copied.map(asInput);
  const wanted = pointed.map(withoutNoId);
  return { ...diffRecords(target.zone, records.target, wanted), wanted };
}

/**
 * Throws AppError `conflict` where many records would be deleted and nobody has confirmed it; a plan gets a warning
 * instead.
 */
function guard({ force, target }: Move, { warnings }: MoveLane, total: number, n: number): void {
  const params = { zone: target.zone, n, total };
  if (warnings) warnings.push({ key: 'transfer.dns_many', params });
  else if (!force) throw new AppError('conflict', 'transfer.dns_many', params, { code: 'unsafe_plan' });
}

/** Returns the act that gives the reserve its records. */
export const transferDnsAct = (move: Move, lane: MoveLane): Act =>
  late('dns', async () => {
    const source = await atSource(move.source.name, async () => {
      const { id } = await lane.source.zone(move.source.zone);
      return move.copy_dns ? lane.source.client.listRecords(id) : [];
    });
    return recordsAct(lane.target, move.target.zone, (target) => {
      const { wanted, ...diff } = missing(move, lane, { source, target });
      const total = target.filter(isEditable).length;
      if (unsafeDiff(target, wanted, diff)) guard(move, lane, total, diff.deletes.length);
      return diff;
    });
  });
