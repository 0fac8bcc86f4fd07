import { lookup } from 'node:dns/promises';
import { isPublicAddress } from '../lib/addresses.ts';
import { ProviderError } from './provider-error.ts';

/**
 * Resolves a host that a stranger has named, and returns its address. Throws ProviderError: `refused` for a private address,
 * `unavailable` where the name has none; both before anything was sent.
 */
export async function publicAddress(host: string): Promise<string> {
  const found = await lookup(host.replace(/^\[|\]$/g, '')).catch((cause: NodeJS.ErrnoException) => {
    throw new ProviderError('unavailable', `${host}: ${cause.code ?? 'no address'}`, { cause, unsent: true });
  });
  if (isPublicAddress(found.address)) return found.address;
  throw new ProviderError('refused', `${host} has a private address`, { unsent: true });
}
