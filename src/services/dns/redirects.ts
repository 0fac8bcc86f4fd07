import type { HealthResult } from '../../shared/checks/health.ts';
import type { RedirectCheck } from '../../shared/dns/redirects.ts';
import { askSites, healthOptions } from '../checks/check-names.ts';
import { findDomain } from '../portfolio/domain-lists.ts';
import type { Actor } from '../access/scope.ts';

/**
 * Returns the hops of a host. The last row is the final answer, without a `redirectUrl`; a loop and a failure have
 * none.
 */
function checkOf({ domain, redirects, final_url, http_status_code, error, ms }: HealthResult): RedirectCheck {
  const hops = redirects.map(({ url, status, location }) => ({ url, redirectUrl: location, status }));
  const seen = new Set(hops.map(({ url }) => url));
  const end =
    http_status_code === null || final_url === null || seen.has(final_url)
      ? []
      : [{ url: final_url, redirectUrl: null, status: http_status_code }];
  return { domain, redirect: [...hops, ...end], error, loop: error === 'redirect_loop', final_url, ms };
}

/**
 * Follows the redirects of hosts, five hops at most, and returns the results in the order asked. A host's failure is a
 * result, not an error.
 */
export async function checkRedirects(hosts: readonly string[], signal?: AbortSignal): Promise<RedirectCheck[]> {
  const found = new Map<string, RedirectCheck>();
  const options = { ...healthOptions(), follow: true, ...(signal && { signal }) };
  await askSites(hosts, options, (result) => found.set(result.domain, checkOf(result)));
  return hosts.flatMap((host) => found.get(host) ?? []);
}

/** Follows the redirects of one domain of the caller's. Throws AppError `not_found`. */
export async function checkDomainRedirects(actor: Actor, id: number): Promise<RedirectCheck> {
  const { domain_name } = await findDomain(actor, id);
  const [check] = await checkRedirects([domain_name]);
  return check ?? { domain: domain_name, redirect: [], error: null, loop: false, final_url: null, ms: 0 };
}
