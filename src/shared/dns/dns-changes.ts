import { z } from 'zod';
import { DnsRecordInput } from './dns.ts';
import { Hostname } from '../portfolio/domains.ts';
import { hostOf } from '../accounts/servers.ts';
import { chosenId, line, message, OptionalId } from '../text.ts';

/** As many domains are attached at once. */
export const MAX_ATTACHED = 500;
const MAX_RECORDS = 3_500;

const NO_DOMAIN = message('dns.enter_domain');
const NO_SERVER = message('dns.select_server');
const SAME_ID = message('dns.same_id');
const Switch = z.enum(['on', 'off']).default('off');
/** The hash of the plan that was shown: if something has changed since, nothing is done. */
const Plan = line(100).optional();

/**
 * Points a domain at a server, or (with `pageRules`) attaches domains to a CDN account, each forwarding to `domainName`; that one itself
 * may be among them, and is pointed only.
 * `ipAddress` is a server's `ssh_host`, with or without a port.
 */
export const ManageDnsInput = z.object({
  accountId: chosenId('dns.select_account'),
  domainName: z
    .string({ error: NO_DOMAIN })
    .refine((name) => name.trim() !== '', NO_DOMAIN)
    .pipe(Hostname),
  ipAddress: line(255, NO_SERVER).min(1, NO_SERVER),
  tls: Switch,
  updateNs: Switch,
  pageRules: z.array(Hostname).min(1, message('dns.no_domains')).max(MAX_ATTACHED).optional(),
  plan: Plan,
});
export type ManageDnsInput = z.output<typeof ManageDnsInput>;

/** The records of a set: an id stands for one of them, so that the second one with it would be made anew. */
const RecordSet = z
  .array(DnsRecordInput)
  .max(MAX_RECORDS)
  .superRefine((records, context) => {
    const ids = new Set<string>();
    for (const [index, { id }] of records.entries()) {
      if (id === undefined) continue;
      if (ids.has(id)) context.addIssue({ code: 'custom', message: SAME_ID, path: [index, 'id'] });
      ids.add(id);
    }
  });

/**
 * The whole set of a zone's editable records: absent records are deleted. `version` is that of the set that was read, and
 * `copyOnTransferWas` what stood beside it: where `copyOnTransfer` is the same, it was not switched, and stays as it is by now;
 * `override` confirms a change that deletes all or many records.
 */
export const DomainDnsInput = z.object({
  dns: RecordSet,
  copyOnTransfer: z.enum(['on', 'off']).optional(),
  copyOnTransferWas: z.enum(['on', 'off']).optional(),
  version: line(100).optional(),
  override: z.boolean().default(false),
});
export type DomainDnsInput = z.output<typeof DomainDnsInput>;

/** The CDN account whose zone is read; null: the domain's own. */
export const DomainDnsQuery = z.object({ account_id: OptionalId });

/** Returns the address in an `ssh_host`, without its port; null if the host is a name. */
export function addressIn(sshHost: string): { type: 'A' | 'AAAA'; address: string } | null {
  const host = hostOf(sshHost.trim().toLowerCase());
  if (z.ipv4().safeParse(host).success) return { type: 'A', address: host };
  return z.ipv6().safeParse(host).success ? { type: 'AAAA', address: host } : null;
}
