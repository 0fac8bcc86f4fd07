import { promises as dns } from 'node:dns';
import type { HealthError } from '../../shared/checks/health.ts';

const LOOKUP_MS = 5_000;

export type Lookup = { addresses: string[] } | { error: HealthError };

/** Look-ups at a name server. `cancel` ends all running look-ups with `dns_failed`. */
export interface Names {
  lookup(name: string): Promise<Lookup>;
  cancel(): void;
}

/**
 * Opens look-ups by c-ares, which handles any number at a time: `dns.lookup` uses the four threads of libuv, and names that
 * wait there look like dead hosts. `server` as from parseDnsServer; default: the system's.
 */
export function openNames(server?: string): Names {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 3 });
  if (server !== undefined) resolver.setServers([server]);
  return {
    async lookup(name) {
      // RFC 6761: a name server is never asked for it.
      if (/(?:^|\.)localhost\.?$/.test(name)) return { addresses: ['127.0.0.1', '::1'] };
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<Lookup>((resolve) => {
        timer = setTimeout(resolve, LOOKUP_MS, { error: 'dns_timeout' });
      });
      const answer = await Promise.race([findAddresses(resolver, name), late]);
      clearTimeout(timer);
      return answer;
    },
    cancel: () => resolver.cancel(),
  };
}

// IPv6 is asked for only if there is no IPv4: one query is enough for nearly every name.
async function findAddresses(resolver: dns.Resolver, name: string): Promise<Lookup> {
  const four = await query(resolver.resolve4(name));
  return 'error' in four && four.error === 'dns_no_address' ? query(resolver.resolve6(name)) : four;
}

async function query(answer: Promise<string[]>): Promise<Lookup> {
  try {
    const addresses = await answer;
    return addresses.length > 0 ? { addresses } : { error: 'dns_no_address' };
  } catch (error) {
    return { error: DNS_ERRORS[(error as NodeJS.ErrnoException).code ?? ''] ?? 'dns_failed' };
  }
}

const DNS_ERRORS: Record<string, HealthError> = {
  ENOTFOUND: 'dns_not_found',
  ENODATA: 'dns_no_address',
  ETIMEOUT: 'dns_timeout',
  EBADNAME: 'bad_name',
};
