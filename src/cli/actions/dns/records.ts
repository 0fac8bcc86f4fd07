import { domainDns } from '../../../services/dns/dns.ts';
import type { DnsRecord } from '../../../shared/dns/dns.ts';
import type { Context } from '../../context.ts';
import { columnsOf, type Result } from '../../output.ts';
import { domainNamed } from '../../found/named.ts';

const COLUMNS = columnsOf<DnsRecord>({
  type: true,
  name: true,
  content: true,
  proxied: true,
  ttl: true,
  id: false,
  priority: false,
  data: false,
  proxiable: false,
  comment: false,
  tags: false,
  settings: false,
  read_only: false,
});

/** `dns list`: the records of the zone of a domain. */
export async function list(context: Context, _flags: object, name: string): Promise<Result> {
  const { actor } = await context.open();
  const domain = await domainNamed(actor, name);
  const { dns: editable, others, zone, version } = await domainDns(actor, domain.id);
  const items = [...editable, ...others];
  const summary = { total: items.length, editable: editable.length };
  return { items, columns: COLUMNS, summary, data: { zone, version } };
}
