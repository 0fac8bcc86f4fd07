import { setTimeout as sleep } from 'node:timers/promises';
import type { Act } from '../../operations/flow.ts';
import { readPage, type HealthOptions, type PageResult } from '../../providers/health.ts';
import { byAddress, type Place } from '../../providers/health/by-address.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { StoredAct } from '../../shared/operations.ts';
import { healthOptions } from '../checks/check-names.ts';
import { markerPath } from './releases.ts';

const TIMEOUT_MS = 5_000;
const BODY_BYTES = 1_000;
// A server may notice a new folder a moment later.
const AGAIN_MS = 1_000;

const isGood = (page: PageResult): boolean => 'status' in page && page.status >= 200 && page.status <= 299;
const statusOf = (page: PageResult): string => ('error' in page ? page.error : String(page.status));

/** Returns the warning about what a server shows of a release; null: all is well. */
function wordsFor(domain: string, release: string, page: PageResult, marker: PageResult): Message | null {
  const isOurs = isGood(marker) && 'body' in marker && marker.body.trim() === release;
  const params = { domain, what: statusOf(page) };
  if (isOurs && isGood(page)) return null;
  if (isOurs) return { key: statusOf(page).startsWith('4') ? 'site.served_no_index' : 'site.served_error', params };
  if ('error' in marker) return { key: 'site.served_unreachable', params: { domain, what: marker.error } };
  return { key: marker.status === 403 ? 'site.served_forbidden' : 'site.served_other', params };
}

async function lookOnce(options: HealthOptions, domain: string, release: string): Promise<Message | null> {
  const ask = { ...options, timeoutMs: TIMEOUT_MS, bodyBytes: BODY_BYTES };
  const page = await readPage(domain, '/', ask);
  return wordsFor(domain, release, page, await readPage(domain, `/${markerPath(release)}`, ask));
}

/**
 * Returns the act that asks the server, by the site's name, whether it serves a release. It changes nothing and never
 * fails; a fault is stored as `warning`. A server without an address that may be asked is skipped.
 */
export const servedAct = (place: Place, release: string, signal: AbortSignal): Act => ({
  name: 'served',
  class: 'read',
  look: async () => {
    const options: HealthOptions = { ...healthOptions(), signal };
    const connectTo = byAddress(options, place);
    if (connectTo === null) return null;
    const look = (): Promise<Message | null> => lookOnce({ ...options, connectTo }, place.domain, release);
    if ((await look()) === null) return null;
    await sleep(AGAIN_MS, undefined, { signal });
    const warning = await look();
    signal.throwIfAborted();
    return warning && { before: null, after: { warning }, perform: async () => undefined };
  },
});

/** Returns the warning that a `servedAct` has stored, or null. */
export function servedWarning(acts: readonly StoredAct[]): Message | null {
  const found = acts.find(({ name, state }) => name === 'served' && state === 'done');
  return (found?.after as { warning?: Message } | undefined)?.warning ?? null;
}
