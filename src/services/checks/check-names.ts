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
 * checked with it. The hosts are asked while the database is being opened, which takes as long as a tenth of the check.
 */
export async function checkNames(
  open: () => Promise<Actor>,
  config: Config,
  hosts: string[],
  choices: HealthChoices,
  { onItem, signal }: NamesWatcher,
): Promise<void> {
  const failed = new AbortController();
  const early: HealthResult[] = [];
  let keep = (result: HealthResult): void => void early.push(result);
  let knowSlow: (slow: ReadonlySet<string>) => void = () => undefined;
  const slowFirst = new Promise<ReadonlySet<string>>((resolve) => {
    knowSlow = resolve;
  });
  const asking = checkHealth(
    hosts,
    {
      ...healthOptions(config, choices),
      slowFirst,
      signal: signal ? AbortSignal.any([signal, failed.signal]) : failed.signal,
    },
    (result) => {
      onItem(result);
      keep(result);
    },
  );
  const keeping = async (): Promise<void> => {
    const actor = await open();
    const { keepResults } = await import('./check-http.ts');
    const { add, finish, slow } = await keepResults(actor, hosts);
    knowSlow(slow);
    early.forEach(add);
    keep = add;
    await asking;
    await finish();
  };
  try {
    await keeping();
  } catch (error) {
    failed.abort();
    await asking;
    throw error;
  }
}
