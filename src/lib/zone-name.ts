import { createRequire } from 'node:module';
import type * as Tldts from 'tldts';

// Loaded at first use: the list is a tenth of what a server would read at its start.
const load = createRequire(import.meta.url);
const suffixes = (): typeof Tldts => load('tldts') as typeof Tldts;

// Cloudflare uses the whole public suffix list, its private part included.
const WHOLE_LIST = { allowPrivateDomains: true } as const;

/**
 * Returns the zone in which a name is registered: `example.com` of `www.example.com`, `mysite.com.ru` of itself. A public suffix
 * is its own zone. A zone of a longer name in the account takes precedence: see `OpenAccount.findZone`.
 */
export const zoneNameOf = (domain: string): string => suffixes().getDomain(domain, WHOLE_LIST) ?? domain;

/**
 * Returns the name whose registration a host rests on; null: no public registry sells it, as below `com.ru`, or it is a suffix
 * itself.
 */
export function registeredName(host: string): string | null {
  const name = suffixes().getDomain(host);
  return name !== null && name === suffixes().getDomain(host, WHOLE_LIST) ? name : null;
}

/** Returns the suffix below which a registry sells a name; null: the list has none. */
export const registrySuffix = (name: string): string | null => suffixes().getPublicSuffix(name);

/** Whether a name is a public suffix (`com.ru`, `github.io`): others register below it. */
export const isPublicSuffix = (name: string): boolean => suffixes().getPublicSuffix(name, WHOLE_LIST) === name;
