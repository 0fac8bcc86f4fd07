import { transaction } from '../../../db/index.ts';
import type { StepContext, StepOutcome } from '../../operations/flow.ts';
import type { HealthResult } from '../../shared/checks/health.ts';
import { closeDays } from './check-history.ts';
import { askSites, healthOptions } from './check-names.ts';
import { foundBy, keepFound } from './check-results.ts';
import { storeLooks } from './check-store.ts';
import { requestOf, targets } from './check-targets.ts';
import { updateHealth, type Look } from './look-rows.ts';
import { recordOutages } from './outages.ts';
import { listKnownHosts, type KnownHost } from './rows.ts';
import type { Actor } from '../access/scope.ts';

// Results are stored while others are still awaited: a crash loses at most those of this time, or this many. A batch writes each page of the
// database that one of its domains is on, so many small ones cost a fifth of the check.
const STORE_EVERY_MS = 2_000;
const STORE_AT = 3_000;

const HUNG = new Set(['timeout', 'connect_timeout']);

/** Names of the hosts that timed out last time. */
const slowOf = (rows: readonly KnownHost[]): Set<string> =>
  new Set(rows.filter(({ http_error }) => HUNG.has(http_error ?? '')).map(({ domain_name }) => domain_name));

/** A failure on our side says nothing about the site. */
const isOurFault = ({ error }: HealthResult): boolean => error === 'local_failure';

const toStore = (id: number, result: HealthResult): Look => ({
  id,
  verdict: result.error ?? String(result.http_status_code),
  code: result.http_status_code,
  ms: Math.round(result.ms),
  detail: result.redirects.length > 0 ? result.final_url : null,
  name: result.domain,
});

/** Stores results as history and on their domains, in a few statements however many there are. */
export async function storeHealth(results: readonly Look[]): Promise<void> {
  if (results.length === 0) return;
  await transaction(async () => {
    const now = await storeLooks('http', results);
    await recordOutages(now);
    await updateHealth(now);
  });
}

/** Stores results and runs `keep` in one transaction: after a crash both are there or neither. */
const storeAll = async (results: Look[], keep: () => Promise<void>): Promise<void> => {
  if (results.length === 0) return;
  await transaction(async () => {
    await storeHealth(results);
    await keep();
  });
};

/** Collects results and stores them by the thousand while others are still on their way. */
function storing(
  advance: (done: number, failed: number) => void,
  keep: (found: HealthResult[]) => Promise<void> = async () => undefined,
): {
  add: (id: number | undefined, result: HealthResult) => void;
  finish: () => Promise<void>;
} {
  let waiting: Look[] = [];
  let found: HealthResult[] = [];
  let done = 0;
  let failed = 0;
  let stored: Promise<void> = Promise.resolve();
  let failure: unknown;
  const flush = (): void => {
    const batch = waiting;
    const answers = found;
    const counts = { done, failed };
    waiting = [];
    found = [];
    done = 0;
    failed = 0;
    stored = stored
      .then(() => storeAll(batch, () => keep(answers)))
      .then(() => advance(counts.done, counts.failed))
      .catch((error: unknown) => {
        failure ??= error;
      });
  };
  const timer = setInterval(flush, STORE_EVERY_MS);
  return {
    add: (id, result) => {
      done++;
      if (isOurFault(result)) failed++;
      else if (id !== undefined) {
        waiting.push(toStore(id, result));
        found.push(result);
      }
      if (waiting.length >= STORE_AT) flush();
    },
    finish: async () => {
      clearInterval(timer);
      flush();
      await stored;
      if (failure) throw failure;
    },
  };
}

/** The step of a check that asks every host and keeps what it answers. */
export async function runHttp({ operation, signal, advance, item }: StepContext): Promise<StepOutcome> {
  const all = await targets(operation, 'last_http_check_at');
  // After a crash this operation's own results are not asked for again. Results of other operations don't count.
  const known = await foundBy(operation.id);
  const due = all.filter(({ domain_name }) => !known.has(domain_name));
  advance(all.length - due.length);
  const ids = new Map(due.map(({ id, domain_name }) => [domain_name, id]));
  const slowFirst = slowOf(due);
  const { options } = requestOf(operation);
  const store = storing(advance, (found) => keepFound(operation.id, found));
  try {
    await askSites(ids.keys(), { ...healthOptions(options), slowFirst, signal }, (result) => {
      item(result);
      store.add(ids.get(result.domain), result);
    });
  } finally {
    await store.finish();
  }
  // Without a server, where cron alone runs checks, days are closed here.
  await closeDays();
  return {};
}

/**
 * Returns a store for the results of those hosts that are in the actor's portfolio, as if they had been checked with
 * it. `slow`: those of them that timed out last time.
 */
export async function keepResults(
  actor: Actor,
  hosts: string[],
): Promise<{ add: (result: HealthResult) => void; finish: () => Promise<void>; slow: Set<string> }> {
  const rows = await listKnownHosts(actor, hosts);
  const ids = new Map(rows.map(({ id, domain_name }) => [domain_name, id]));
  const { add, finish } = storing(() => undefined);
  return { add: (result) => add(ids.get(result.domain), result), finish, slow: slowOf(rows) };
}
