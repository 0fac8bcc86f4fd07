import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { databaseLoad } from '../../../../db/index.ts';
import { config } from '../../../lib/config.ts';
import { databaseNow, listRuns } from '../../../operations/schedule/rows.ts';
import { waitingCalls } from '../../../providers/cloudflare/budget.ts';
import { callsInQueues } from '../../../providers/pace.ts';
import { BLOCKLIST_MAX_AGE_HOURS } from '../../../shared/checks/blocklist.ts';
import { SYSTEM } from '../../access/scope.ts';
import { listBudgetStands } from '../../accounts/call-budgets.ts';
import { blocklistStatus } from '../../checks/blocklist.ts';
import { listPositionCaps } from '../../positions/cost.ts';
import { readBudget } from '../../purchases/budget.ts';
import { countOpenWork, findLastLooks } from '../metrics-rows.ts';
import { findServerBytes } from '../rows.ts';
import { countWork, type Prometheus } from './work.ts';

/** The measures of this process, and of the database that it shares with others. `stop` ends the counting. */
export interface Metrics {
  type: string;
  /** Returns the text of the Prometheus exposition format, without the measures that cannot be read now. */
  read: () => Promise<string>;
  stop: () => void;
}

// Database measures are cached for so long: several scrapers cost one read. The last looks are found by reading all domains.
const FRESH_MS = 5_000;
const LOOKS_FRESH_MS = 60_000;
const PATIENCE_MS = 4_000;

/** Makes a reader that is called again after `ms` at the soonest; calls in between share its last answer. */
function seldom<Args extends unknown[]>(
  ms: number,
  read: (...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let at = -Infinity;
  return (...args) => {
    if (performance.now() - at > ms) {
      at = performance.now();
      last = read(...args);
    }
    return last;
  };
}

/** Sets one gauge of labelled values: what is not named any more disappears. */
type Gauges = (name: string, help: string, values: readonly (readonly [Record<string, string>, number])[]) => void;

const one = (value: number): [[Record<string, string>, number]] => [[{}, value]];
const secondsSince = (time: string | null, now: number): number[] =>
  time === null ? [] : [(now - Date.parse(time)) / 1_000];

async function readWork(set: Gauges, now: number): Promise<void> {
  const open = await countOpenWork();
  set(
    'seo_admin_operations',
    'Operations that have not ended, by kind and state, of the whole installation',
    open.map(({ kind, state, n }) => [{ kind, state }, n]),
  );
  const waiting = open
    .filter(({ state }) => state === 'queued')
    .map(({ oldest }) => (now - Date.parse(oldest)) / 1_000);
  set(
    'seo_admin_oldest_waiting_seconds',
    'Age of the oldest operation that waits; 0: none does',
    one(Math.max(0, ...waiting)),
  );
  const runs = await listRuns();
  set(
    'seo_admin_job_end_age_seconds',
    'Seconds since a job of the schedule last ended, by its result',
    runs.flatMap(({ name, result, ended_at }) =>
      secondsSince(ended_at, now).map((age) => [{ name, result: result ?? 'none' }, age] as const),
    ),
  );
}

async function readLooks(set: Gauges, now: number): Promise<void> {
  const last = await findLastLooks();
  set(
    'seo_admin_last_check_age_seconds',
    'Seconds since any domain was last looked at, by kind of check',
    (['http', 'blocklist'] as const).flatMap((kind) =>
      secondsSince(last[kind], now).map((age) => [{ kind }, age] as const),
    ),
  );
  const { age_hours } = await blocklistStatus(config().blocklistDir);
  set(
    'seo_admin_blocklist_age_seconds',
    `Age of the blocklist; over ${BLOCKLIST_MAX_AGE_HOURS} hours it gives no verdicts`,
    age_hours === null ? [] : one(age_hours * 3_600),
  );
}

/** Of budgets the sums over logins and projects: a login or a project is no label. */
async function readBudgets(set: Gauges): Promise<void> {
  const stands = await listBudgetStands();
  set(
    'seo_admin_cloudflare_calls_left',
    'Calls left now to the Cloudflare login of the installation that has the fewest',
    stands.filter(({ service }) => service === 'cloudflare').flatMap(({ left }) => one(left)),
  );
  set(
    'seo_admin_calls_blocked_seconds',
    'For how long a service still refuses all calls of a login, the longest of its logins; 0: it does not',
    stands.map(({ service, blocked_ms }) => [{ service }, blocked_ms / 1_000] as const),
  );
  const queues = callsInQueues();
  queues.set('cloudflare', waitingCalls());
  set(
    'seo_admin_calls_queued',
    'Calls of this process that wait for the pace of a service or are in flight',
    [...queues].map(([service, n]) => [{ service }, n]),
  );
  const caps = await listPositionCaps(SYSTEM);
  set('seo_admin_position_requests', 'Paid requests for positions today, and the sum of the caps of all projects', [
    [{ part: 'used' }, caps.reduce((sum, { used }) => sum + used, 0)],
    [{ part: 'cap' }, caps.reduce((sum, { daily_cap }) => sum + daily_cap, 0)],
  ]);
  const money = (await readBudget()).caps.filter(({ scope }) => scope === 'all');
  set(
    'seo_admin_purchase_budget',
    'The cap of all purchases of a day, and what is left of it',
    money.flatMap(({ currency, amount, left }) => [
      [{ currency, part: 'cap' }, Number(amount)] as const,
      [{ currency, part: 'left' }, Number(left ?? amount)] as const,
    ]),
  );
}

async function readDatabase(set: Gauges): Promise<void> {
  const { databaseFile, databaseUrl } = config();
  const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => ({ size: 0 }))).size;
  const bytes =
    databaseUrl === undefined
      ? (await sizeOf(databaseFile)) + (await sizeOf(`${databaseFile}-wal`))
      : await findServerBytes();
  set('seo_admin_database_bytes', 'Size of the database, with its log', one(bytes));
}

/**
 * Starts to count, and returns the page of the measures. Labels are words of this program alone, never a domain, a login or an
 * address. Loads prom-client.
 */
export async function openMetrics(version: string): Promise<Metrics> {
  const prometheus: Prometheus = await import('prom-client');
  const registry = new prometheus.Registry();
  const registers: [Registry] = [registry];
  prometheus.collectDefaultMetrics({ register: registry });
  new prometheus.Gauge({ name: 'seo_admin_info', help: 'The version', labelNames: ['version'], registers }).set(
    { version },
    1,
  );
  const stop = countWork(prometheus, registers);
  const gauges = new Map<string, InstanceType<Prometheus['Gauge']>>();
  const set: Gauges = (name, help, values) => {
    const labelNames = Object.keys(values[0]?.[0] ?? {});
    const known = gauges.get(name);
    if (values.length === 0) {
      known?.reset();
      return;
    }
    const gauge = known ?? new prometheus.Gauge({ name, help, labelNames, registers });
    gauges.set(name, gauge);
    gauge.reset();
    for (const [labels, value] of values) gauge.set(labels, value);
  };

  const readAll = async (): Promise<void> => {
    const now = Date.parse(await databaseNow());
    await Promise.allSettled([readWork(set, now), looks(now), readBudgets(set), readDatabase(set)]);
  };
  const looks = seldom(LOOKS_FRESH_MS, (now: number) => readLooks(set, now));
  const stored = seldom(FRESH_MS, readAll);
  return {
    type: registry.contentType,
    read: async () => {
      const { writesQueued, readsQueued, readsRunning } = databaseLoad();
      set('seo_admin_database_queue', 'Statements of this process that wait, and reads under way', [
        [{ what: 'writes_queued' }, writesQueued],
        [{ what: 'reads_queued' }, readsQueued],
        [{ what: 'reads_running' }, readsRunning],
      ]);
      // A database that is away, or hangs, must not take the page with it.
      const isUp = await Promise.race([
        stored().then(
          () => 1,
          () => 0,
        ),
        sleep(PATIENCE_MS, 0, { ref: false }),
      ]);
      set('seo_admin_database_up', 'Whether the database answers', one(isUp));
      return registry.metrics();
    },
    stop: () => {
      stop();
      registry.clear();
    },
  };
}
