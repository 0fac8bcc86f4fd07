import type { Config } from '../../lib/config.ts';
import { checkHealth, type HealthOptions } from '../../providers/health.ts';
import { parseConnectTo } from '../../providers/health/connect-to.ts';
import { parseDnsServer } from '../../providers/health/resolve.ts';
import type { HealthResult } from '../../shared/checks/health.ts';
import type { HealthChoices } from './check-targets.ts';
import type { Actor } from '../access/scope.ts';

/** The checker's options from the configuration: where names are asked and what may be reached. */
export function healthOptions(config: Config, choices: HealthChoices = {}): HealthOptions {
  return {
    ...choices,
    allowPrivate: config.allowPrivate,
    connectTo: parseConnectTo(config.connectTo),
    ca: config.ca,
    ...(config.dns ? { dns: parseDnsServer(config.dns) } : {}),
  };
}

/** Watches names that are asked for by themselves. */
export interface NamesWatcher {
  onItem: (result: HealthResult) => void;
  signal?: AbortSignal;
}

/**
 * Checks hosts by name. Those that are in the portfolio of the actor whom `open` gives get the result as if they had been
 * checked with it. The database is opened first: its answers wait in turn with those of thousands of hosts, and until it
 * is open neither is known who hung last time nor is anything kept.
 */
export async function checkNames(
  open: () => Promise<Actor>,
  config: Config,
  hosts: string[],
  choices: HealthChoices,
  { onItem, signal }: NamesWatcher,
): Promise<void> {
  const asking = healthOptions(config, choices);
  const actor = await open();
  const { keepResults } = await import('./check-http.ts');
  const { add, finish, slow } = await keepResults(actor, hosts);
  await checkHealth(hosts, { ...asking, slowFirst: slow, ...(signal && { signal }) }, (result) => {
    onItem(result);
    add(result);
  });
  await finish();
}
