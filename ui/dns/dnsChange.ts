import type { Key } from '../../src/shared/i18n/index.ts';
import type { ServerView } from '../../src/shared/accounts/servers.ts';

/** The form of a change of DNS. Ids are text, as a select gives them; empty means not chosen. */
export interface DnsChangeValues {
  account: string;
  domain: string;
  server: string;
  tls: boolean;
  updateNs: boolean;
}

export type DnsChangeField = 'account' | 'domain' | 'server';

export const NO_VALUES: DnsChangeValues = { account: '', domain: '', server: '', tls: false, updateNs: false };

/** What is wrong with the form, in the order of the specification. A server may have been deleted since it was chosen. */
export function faultsOf(
  { account, domain, server }: DnsChangeValues,
  servers: readonly ServerView[],
): { field: DnsChangeField; text: Key }[] {
  const faults: { field: DnsChangeField; text: Key }[] = [];
  if (account === '') faults.push({ field: 'account', text: 'dns.select_account' });
  if (domain === '') faults.push({ field: 'domain', text: 'dns.enter_domain' });
  if (server === '') faults.push({ field: 'server', text: 'dns.select_server' });
  else if (!servers.some(({ id }) => String(id) === server)) {
    faults.push({ field: 'server', text: 'dns.server_missing' });
  }
  return faults;
}

/** The body of `POST /api/manage_dns`; the form has no faults. */
export const bodyOf = (
  { account, domain, server, tls, updateNs }: DnsChangeValues,
  servers: readonly ServerView[],
) => ({
  accountId: Number(account),
  domainName: domain,
  ipAddress: servers.find(({ id }) => String(id) === server)?.ssh_host ?? '',
  tls: tls ? ('on' as const) : ('off' as const),
  updateNs: updateNs ? ('on' as const) : ('off' as const),
});

export type DnsChangeBody = ReturnType<typeof bodyOf>;

/** The field that the server means by its own name. */
export const FIELD_OF: Record<string, DnsChangeField> = {
  accountId: 'account',
  domainName: 'domain',
  ipAddress: 'server',
};
