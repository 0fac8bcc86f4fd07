import { domainToASCII } from 'node:url';
import { AppError } from '../../shared/errors.ts';
import { isIP, isIPv6 } from './ip-version.ts';

/** One detour, as curl's `--connect-to`: `''` and null mean "any" on the left, and "the same" on the right. */
export interface ConnectTo {
  host1: string;
  port1: number | null;
  host2: string;
  port2: number | null;
}

const ENTRY = /^(\[[^\]]*\]|[^:[\]]*):(\d*):(\[[^\]]*\]|[^:[\]]*):(\d*)$/;

/**
 * Parses a comma-separated list of HOST1:PORT1:HOST2:PORT2, an IPv6 address in brackets. Throws AppError `invalid` with the
 * first wrong entry.
 */
export function parseConnectTo(text: string): ConnectTo[] {
  const entries = text.split(',').map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '').map(parseEntry);
}

function parseEntry(entry: string): ConnectTo {
  const wrong = new AppError('invalid', 'health.connect_to', { entry });
  const [, host1, port1, host2, port2] = ENTRY.exec(entry) ?? [];
  if (host1 === undefined || port1 === undefined || host2 === undefined || port2 === undefined) throw wrong;
  const host = (part: string): string => {
    const bare = part.startsWith('[') ? part.slice(1, -1) : part;
    const name = isIP(bare) ? bare.toLowerCase() : domainToASCII(bare);
    if (part !== '' && (name === '' || part.startsWith('[') !== isIPv6(name))) throw wrong;
    return name;
  };
  const port = (part: string): number | null => {
    if (part === '') return null;
    const value = Number(part);
    if (value < 1 || value > 65_535) throw wrong;
    return value;
  };
  return { host1: host(host1), port1: port(port1), host2: host(host2), port2: port(port2) };
}

/** Returns the first detour that matches a host and port, as curl does. */
export const pickDetour = (detours: ConnectTo[], host: string, port: number): ConnectTo | undefined =>
  detours.find(({ host1, port1 }) => (host1 === '' || host1 === host) && (port1 === null || port1 === port));
