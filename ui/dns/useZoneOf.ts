import { useCall } from '../kit/api.ts';

/** Returns the domain of the portfolio that has a name, and its zone as it is now, each with the query that asks for it. */
export function useZoneOf(name: string) {
  const list = useCall('GET /api/domains', { query: { domain_name: name, limit: 1 } }, { enabled: name !== '' });
  const domain = list.data?.data[0];
  // Without an account nobody can be asked for its zone.
  const hasAccount = typeof domain?.cloudflare_account_id === 'number';
  const zone = useCall('GET /api/domain_dns/:id', { params: { id: domain?.id ?? 0 } }, { enabled: hasAccount });
  const isPending = name !== '' && (list.isPending || (hasAccount && zone.isPending));
  return { list, domain, zone, isPending };
}
