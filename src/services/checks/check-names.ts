import { config } from '../../lib/config.ts';
import { checkHealth, type HealthOptions } from '../../providers/health.ts';
import { parseConnectTo } from '../../lib/outgoing/connect-to.ts';
import { parseDnsServer } from '../../lib/outgoing/name-server.ts';
import { inSpan } from '../../lib/tracing/spans.ts';
import type { HealthResult } from '../../shared/checks/health.ts';
import type { HealthChoices } from './check-targets.ts';
import type { Actor } from '../access/scope.ts';

/** Returns the checker's options from the configuration: where names are asked, and what may be reached. */
export function healthOptions(choices: HealthChoices = {}): HealthOptions {
  const { allowPrivate, connectTo, ca, dns } = config();
  return {
    ...choices,
    allowPrivate,
    connectTo: parseConnectTo(connectTo),
    ca,
    ...(dns ? { dns: parseDnsServer(dns) } : {}),
  };
}

/** Asks hosts by `checkHealth`. In a trace it is one span with how many there were and how many answered, and no name. */
export const askSites = (
  hosts: Iterable<string>,
  options: HealthOptions,
  onResult: (result: HealthResult) => void,
): Promise<void> =>
  inSpan({ name: 'sites', kind: 'client', facts: { 'peer.service': 'sites' }, partOnly: true }, async (span) => {
    let [asked, answered] = [0, 0];
    await checkHealth(hosts, options, (result) => {
      asked += 1;
      if (result.error === null) answered += 1;
      onResult(result);
    });
    span.set({ 'seo_admin.asked': asked, 'seo_admin.answered': answered });
  });

/** Receives the results of `checkNames`. */
export interface NamesWatcher {
  onItem: (result: HealthResult) => void;
  signal?: AbortSignal;
}

/**
 * Checks hosts by name, and stores the results of those in the portfolio of the actor that `open` returns. `open` is
 * awaited first: beside thousands of hosts the database would be open late, and until then nothing is stored and the
 * hosts that timed out last time are not known.
 */
export async function checkNames(
  open: () => Promise<Actor>,
  hosts: string[],
  choices: HealthChoices,
  { onItem, signal }: NamesWatcher,
): Promise<void> {
  const asking = healthOptions(choices);
  const actor = await open();
  const { keepResults } = await import('./check-http.ts');
  const { add, finish, slow } = await keepResults(actor, hosts);
  try {
    await askSites(hosts, { ...asking, slowFirst: slow, ...(signal && { signal }) }, (result) => {
      onItem(result);
      add(result);
    });
  } finally {
    await finish();
  }
}
