// The registries of forty zones on loopback, which write down who asks when: over WHOIS, RDAP, and WHOIS by IANA's referral.
import { startRegistry, type RegistryServer } from '../../../src/demo/registry.ts';
import type { Pace } from '../../../src/providers/pace.ts';

const OF_TCI = ['ru', 'su', 'xn--p1ai'];
const BY_RDAP =
  'com net org info biz site online shop app dev xyz top club pro store tech live world blog news space website'.split(
    ' ',
  );
const BY_REFERRAL = ['de', 'io', 'co', 'me', 'tv', 'it', 'pl', 'cz', 'sk', 'si', 'fr', 'eu', 'be', 'ch', 'at'];
const ZONES = [...OF_TCI, ...BY_RDAP, ...BY_REFERRAL];

/** The number of zones. */
export const ZONE_COUNT = ZONES.length;

/** Returns so many names, in turn of each zone. */
export const namesOver = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `name-${Math.floor(index / ZONE_COUNT)}.${ZONES[index % ZONE_COUNT]}`);

/** A server's record of its queries: the time of each, in ms since the start, and the most at once. */
export interface Seen {
  at: number[];
  inFlight: number;
  most: number;
}

/** The running registries. */
export interface Zones extends RegistryServer {
  servers: Map<string, Seen>;
  /** The configuration that leads there. */
  config: (pace: Record<'rdap' | 'whois', Pace>) => { bootstrapUrl: string; whoisServer: string; pace: typeof pace };
}

/** Starts them; some zones refuse every query, some never answer. */
export async function startZones({
  refuse = [],
  hang = [],
}: { refuse?: string[]; hang?: string[] } = {}): Promise<Zones> {
  const servers = new Map<string, Seen>();
  const start = performance.now();
  const isOf = (zones: readonly string[], name: string): boolean => zones.some((zone) => name.endsWith(`.${zone}`));
  const record = {
    expires_at: '2027-08-13T04:00:00.000Z',
    registrar: 'REGRU-RU',
    statuses: ['active'],
    name_servers: [],
  };
  const registry = await startRegistry({
    find: () => record,
    isTooMuch: (name) => isOf(refuse, name),
    isSilent: (name) => isOf(hang, name),
    rdapZones: BY_RDAP,
    answerAfterMs: 3,
    onQuery: (server) => {
      const seen = servers.get(server) ?? { at: [], inFlight: 0, most: 0 };
      servers.set(server, seen);
      seen.at.push(performance.now() - start);
      seen.inFlight += 1;
      seen.most = Math.max(seen.most, seen.inFlight);
    },
    onAnswer: (server) => {
      const seen = servers.get(server);
      if (seen) seen.inFlight -= 1;
    },
  });
  return {
    ...registry,
    servers,
    config: (pace) => ({ bootstrapUrl: registry.bootstrap, whoisServer: registry.whois, pace }),
  };
}

// Timers round to milliseconds.
const ROUNDING_MS = 5;

/**
 * Returns the servers that were asked faster than their pace, with the number of the query. A delay on this machine makes
 * a query later only, so that the n-th may never come before its turn counted from the start.
 */
export function tooFast(servers: ReadonlyMap<string, Seen>, pace: Record<'rdap' | 'whois', Pace>): string[] {
  const found: string[] = [];
  for (const [server, { at, most }] of servers) {
    const { calls, seconds, atOnce } = pace[server.startsWith('rdap') ? 'rdap' : 'whois'];
    const early = at.findIndex((time, index) => time < Math.floor(index / calls) * seconds * 1000 - ROUNDING_MS);
    if (early !== -1) found.push(`${server}: query ${early + 1} after ${at[early]} ms`);
    if (most > atOnce) found.push(`${server}: ${most} at once`);
  }
  return found;
}
