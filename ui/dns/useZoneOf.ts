import { useCall } from '../kit/api.ts';

/**
 * Returns the domain of the portfolio that has a name, and its zone as it is now, each with the query that asks for it. The zone is
 * looked for in `account`; 0: in the one that the domain has.
 */
export function useZoneOf(name: string, account = 0) {
  const list = useCall('GET /api/domains', { query: { domain_name: name, limit: 1 } }, { enabled: name !== '' });
  const domain = list.data?.data[0];
  const account_id = account || domain?.cloudflare_account_id || undefined;
  // Without an account nobody can be asked for its zone.
  const hasAccount = domain !== undefined && account_id !== undefined;
  const zone = useCall(
    'GET /api/domain_dns/:id',
    { params: { id: domain?.id ?? 0 }, query: { account_id } },
    { enabled: hasAccount },
  );
  const isPending = name !== '' && (list.isPending || (hasAccount && zone.isPending));
  return { list, domain, zone, hasAccount, isPending };
}
