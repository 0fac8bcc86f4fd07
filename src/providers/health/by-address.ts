import { isPublicAddress } from '../../lib/addresses.ts';
import type { HealthOptions } from '../health.ts';
import { pickDetour, type ConnectTo } from '../../lib/outgoing/connect-to.ts';

/** A name with the address of its server; null if none is known. */
export interface Place {
  domain: string;
  address: string | null;
}

/** Returns the detours that ask a name directly at its server, also through the operator's own detours; null if there is no address, or a private one would be asked. */
export function byAddress(options: HealthOptions, { domain, address }: Place): ConnectTo[] | null {
  const { connectTo = [], allowPrivate } = options;
  if (address === null) return null;
  const ways = [443, 80].map((port1): ConnectTo => {
    const detour = pickDetour(connectTo, address, port1);
    return { host1: domain, port1, host2: detour?.host2 || address, port2: detour?.port2 ?? null };
  });
  const isAsked = ways.some(({ host2 }) => host2 === address);
  return isAsked && !allowPrivate && !isPublicAddress(address) ? null : [...ways, ...connectTo];
}
