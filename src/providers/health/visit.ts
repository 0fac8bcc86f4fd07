import { isIP } from 'node:net';
import { isPublicAddress } from '../../lib/addresses.ts';
import type { HealthError, HealthScheme } from '../../shared/checks/health.ts';
import { ask, type Answer, type Failure, type Shared } from './ask.ts';
import { hostOf } from './socket.ts';
import { pickDetour, type ConnectTo } from '../../lib/outgoing/connect-to.ts';
import type { Lookup, Names } from './resolve.ts';

/** State shared by all hosts of one call. */
export interface Run extends Shared {
  scheme: HealthScheme;
  follow: boolean;
  timeoutMs: number;
  allowPrivate: boolean;
  connectTo: ConnectTo[];
  names: Names;
  signal: AbortSignal | undefined;
  bodyBytes?: number;
}

/** State shared by the requests for one host: the milliseconds left, and the names already looked up. */
export interface Visit {
  run: Run;
  left: number;
  lookups: { name: string; found: Lookup }[];
}

/** The part of a `Visit` that a look-up needs. */
interface LookupState {
  run: Pick<Run, 'allowPrivate' | 'connectTo' | 'names'>;
  lookups: Visit['lookups'];
}

// A name may have hundreds of addresses; a site that does not answer at so many is down for most visitors.
const MAX_ADDRESSES = 3;

const refuse = (error: HealthError): Failure => ({ error, stage: 'refused' });

/**
 * Requests one URL at the addresses of its host, one after another while connecting fails. Connects to the addresses that
 * were checked, without a second look-up, so that a name server can't swap them in between. Subtracts the time spent, except
 * for look-ups, from `left`; `share` is the part of `left` for connecting.
 */
export async function visit(state: Visit, url: URL, share: number): Promise<Answer | Failure> {
  const { run } = state;
  const place = await locate(state, url);
  if ('error' in place) return place;
  const connectBy = state.left * share;
  const started = run.clock.now();
  let outcome: Answer | Failure = refuse('reset'); // stays if the run was stopped
  for (const [index, address] of place.addresses.entries()) {
    if (run.signal?.aborted) break;
    const spent = run.clock.now() - started;
    const readyMs = (connectBy - spent) / (place.addresses.length - index);
    const { bodyBytes } = run;
    outcome = await ask({ url, address, port: place.port, readyMs, totalMs: state.left - spent, bodyBytes }, run);
    if (!('error' in outcome) || outcome.stage !== 'connect') break;
  }
  state.left = Math.max(state.left - (run.clock.now() - started), 0);
  return outcome;
}

/**
 * Returns where to connect for a URL. Unless private targets are allowed, only public addresses and the ports 80 and 443 are,
 * except through the operator's own detour. A detour for any host does not permit a private address in the URL itself.
 */
export async function locate(state: LookupState, url: URL): Promise<{ addresses: string[]; port: number } | Failure> {
  const { run } = state;
  const host = hostOf(url);
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const detour = pickDetour(run.connectTo, host, port);
  if (!run.allowPrivate) {
    if (detour === undefined && port !== 80 && port !== 443) return refuse('port_not_allowed');
    if (isIP(host) !== 0 && !detour?.host1 && !isPublicAddress(host)) return refuse('private_address');
  }
  const found = await lookup(state, detour?.host2 || host);
  if ('error' in found) return refuse(found.error);
  const trusted = run.allowPrivate || Boolean(detour?.host2);
  const addresses = trusted ? found.addresses : found.addresses.filter(isPublicAddress);
  if (addresses.length === 0) return refuse('private_address');
  return { addresses: addresses.slice(0, MAX_ADDRESSES), port: detour?.port2 ?? port };
}

async function lookup({ run, lookups }: LookupState, name: string): Promise<Lookup> {
  if (isIP(name) !== 0) return { addresses: [name] };
  const known = lookups.find((lookup) => lookup.name === name);
  if (known) return known.found;
  const found = await run.names.lookup(name);
  lookups.push({ name, found });
  return found;
}
