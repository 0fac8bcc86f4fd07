import type { Key } from '../../src/shared/i18n/index.ts';
import type { ServerView } from '../../src/shared/accounts/servers.ts';

/** The values of the DNS form. Ids are text, as in a select; empty means not chosen. */
export interface DnsChangeValues {
  account: string;
  domain: string;
  server: string;
  tls: boolean;
  updateNs: boolean;
}

export type DnsChangeField = 'account' | 'domain' | 'server';

export const NO_VALUES: DnsChangeValues = { account: '', domain: '', server: '', tls: false, updateNs: false };

/**
 * Returns the faults of the form in the order of the specification. The chosen server may have been deleted meanwhile.
 */
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

/** Returns the body of `POST /api/manage_dns`; the form must have no faults. */
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

/** Maps the server's field names to the form's. */
export const FIELD_OF: Record<string, DnsChangeField> = {
  accountId: 'account',
  domainName: 'domain',
  ipAddress: 'server',
};
