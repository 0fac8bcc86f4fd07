import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { measuringCall } from '../lib/measures.ts';
import { ProviderError } from './provider-error.ts';
import { publicAddress } from './public-address.ts';

const PATIENCE_MS = 10_000;

/**
 * Calls an address by GET, so that a service outside notices when the calls end. Connects to the address that was checked, and
 * follows no redirect. Throws ProviderError: `refused` for a private address unless allowed, and for an answer that is no success;
 * `unavailable` where nobody answers.
 */
export async function callHeartbeat(address: string, { allowPrivate }: { allowPrivate: boolean }): Promise<void> {
  const url = new URL(address);
  const host = allowPrivate ? undefined : await publicAddress(url.hostname);
  const { status } = await measuringCall('heartbeat', async () => ({ status: await ask(url, host) }));
  if (status < 200 || status > 299) throw new ProviderError('refused', `HTTP ${status}`, { status });
}

function ask(url: URL, host: string | undefined): Promise<number> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  // The name stays in the URL for TLS and Host; the look-up is not made a second time.
  const lookup = host === undefined ? undefined : { lookup: pinned(host) };
  return new Promise((resolve, reject) => {
    const request = send(url, {
      ...lookup,
      agent: false,
      timeout: PATIENCE_MS,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    request.once('response', (response) => {
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    request.once('error', (cause: NodeJS.ErrnoException) =>
      reject(new ProviderError('unavailable', cause.code ?? cause.name, { cause })),
    );
    request.end();
  });
}

type Found = (error: null, address: string | { address: string; family: number }[], family?: number) => void;

const pinned =
  (address: string) =>
  (_name: string, options: { all?: boolean }, found: Found): void => {
    const family = isIP(address);
    if (options.all) found(null, [{ address, family }]);
    else found(null, address, family);
  };
