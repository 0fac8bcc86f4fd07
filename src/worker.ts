import { closeDatabase, openDatabase } from '../db/index.ts';
import { startBot } from './bot/index.ts';
import { config, useConfig, type Config } from './lib/config.ts';
import { databaseAddress } from './lib/database-address.ts';
import { probeWrite } from './lib/disk.ts';
import { endsWithin } from './lib/grace.ts';
import { ensureDataDir } from './lib/key.ts';
import { logCalls, type Logger } from './lib/log.ts';
import { packageVersion } from './lib/package.ts';
import { stopTracing } from './lib/tracing/spans.ts';
import { startTracing } from './lib/tracing/start.ts';
import { openChannels, startNotifier } from './notifier/notifier.ts';
import { startDelivery } from './operations/delivery.ts';
import { deliveryFor } from './operations/bull-delivery.ts';
import { registerFlows } from './operations/engine.ts';
import { startSchedule } from './operations/schedule.ts';
import { openBudgets } from './services/accounts/call-budgets.ts';
import { openKeys } from './services/access/keys.ts';
import { listenForProbes, openProbes } from './probes.ts';
import { flows, kindsOf } from './services/system/flows.ts';
import { WORK_KINDS, type WorkKind } from './shared/system/work-kinds.ts';
import { bringUp } from './services/system/bring-up.ts';
import { watchForNewer } from './services/system/newer.ts';
import { jobs } from './services/system/jobs.ts';
import { renderMessage } from './shared/i18n/index.ts';
import { scheduleHooks } from './services/system/schedule-hooks.ts';

// The program has ended after 25 s: a second is left for the exit, and one for a busy machine. Those who run it kill it after 30 s
// (systemd's unit, compose, Kubernetes).
const STOP_MS = 23_000;
// Time to send the spans that are left: the rest of STOP_MS, but this at least.
const LEAST_TRACING_MS = 500;

/**
 * Waits for a process's work to stop, for STOP_MS at most. False: some of it hears of no stop. The process must end then: the
 * lease of such work runs out, and another process goes on with it.
 */
export async function stopInTime({ stopMs = STOP_MS }: Config, log: Logger, work: Promise<void>): Promise<boolean> {
  const began = performance.now();
  const hasEnded = await endsWithin(stopMs, work);
  await stopTracing(Math.max(LEAST_TRACING_MS, stopMs - (performance.now() - began)));
  if (!hasEnded) log.warn({ ms: stopMs }, 'stopped before all work had ended: it goes on when its lease has run out');
  return hasEnded;
}

/** Work in the background. `stop` lets what is under way come to a point from which another process goes on. */
export interface Background {
  stop: () => Promise<void>;
}

/**
 * Starts what works without a request: queued operations, the schedule, the notices, the bot, as far as they are in `work`. Needs an
 * open database. Several processes may do so at once: each piece of work is claimed in the database.
 */
export function startBackground(log: Logger, work: ReadonlySet<WorkKind> = new Set(WORK_KINDS)): Background {
  // All of them: what this process leaves to others, such as a transfer that the bot starts, is planned and queued by it.
  registerFlows(flows);
  const delivery = startDelivery(deliveryFor(log, databaseAddress(config()), { kinds: kindsOf(work) }));
  openChannels();
  const quiet = logCalls(log);
  const notifier = work.has('notices') ? startNotifier(log) : undefined;
  const schedule = work.has('schedule') ? startSchedule(jobs(log), log, scheduleHooks(log)) : undefined;
  const bot = work.has('bot') ? startBot(log) : undefined;
  const version = watchForNewer(log);
  return {
    stop: async () => {
      await Promise.all([schedule?.stop(), notifier?.stop(), delivery.stop(), bot?.stop(), version.stop()]);
      quiet();
    },
  };
}

/** Opens the data directory and its database, and migrates it. Returns the names of the migrations that ran, and the installation's key. */
export async function openInstallation(config: Config, log: Logger): Promise<{ migrated: string[]; key: Buffer }> {
  useConfig(config);
  await startTracing(packageVersion(), (message) => log.warn(message));
  // Before SQLite, whose errors on a full disk are misleading.
  ensureDataDir(config.dataDir);
  await probeWrite(config.dataDir);
  await openDatabase(databaseAddress(config), { severalReaders: true });
  try {
    openBudgets();
    const migrated = await bringUp((message) => log.warn(renderMessage('en', message)));
    return { migrated, key: await openKeys(config) };
  } catch (error) {
    // Connections to a server would keep the process alive that has just said why it can't start.
    await closeDatabase();
    await stopTracing();
    throw error;
  }
}

/** A worker; `probes` is the address of `/livez`, `/readyz` and `/metrics`, where they were asked for. */
export interface Worker {
  probes: string | null;
  stop: () => Promise<boolean>;
}

/**
 * Opens and migrates the database and works in the background alone, on everything or on `only`. With `at` it answers those who run it
 * there, port 0 takes a free one. `stop` closes the database as well; false: not all work has ended in time (`stopInTime`).
 */
export async function startWorker(
  config: Config,
  log: Logger,
  { at = null, only }: { at?: { host: string; port: number } | null; only?: ReadonlySet<WorkKind> | undefined } = {},
): Promise<Worker> {
  await openInstallation(config, log);
  const probes = at && (await openProbes(config, log));
  const listening = at && probes && (await listenForProbes(probes, at.host, at.port));
  const background = startBackground(log, only);
  const end = async (): Promise<void> => {
    probes?.stopping();
    await background.stop();
    // It says until the end that this process lives, and is not ready.
    await listening?.close();
    probes?.close();
    await closeDatabase();
  };
  return { probes: listening?.url ?? null, stop: () => stopInTime(config, log, end()) };
}
