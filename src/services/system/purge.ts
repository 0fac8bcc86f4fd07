import { transaction } from '../../../db/index.ts';
import { pruneAudit } from '../audit/prune.ts';
import { withoutWaiting } from '../access/calls.ts';
import { deleteInstalled, findInstalled, setInstalled } from '../access/rows.ts';
import { purgeTries } from '../access/throttle-store.ts';
import { closeDays } from '../checks/check-history.ts';
import { clearDeletedProjects, purgeFailures, purgeSearches } from '../positions/purge.ts';
import { idsInSlices, inSlices, rowsInSlices } from '../operations/slices.ts';
import {
  clearIdemKeys,
  clearUndos,
  deleteChecks,
  deleteDaysBefore,
  deleteDaysOfDeleted,
  deletePast,
  findOldChecks,
  keepMoved,
  listDomainIdsAfter,
  listPast,
  PAST,
  type OldChecks,
  type Past,
} from './purge-rows.ts';
import { keepOf } from './schedules.ts';
import { DELETED_KEPT_DAYS } from '../../shared/portfolio/domains.ts';
import { UNDO_DAYS } from '../../shared/portfolio/imports.ts';
import { DAY_MS } from '../../shared/time.ts';

const CHECKS_KEPT_DAYS = 90;
const BASELINES_KEPT_DAYS = 7;
const OPERATIONS_KEPT_DAYS = 90;
// Only needed for the answer of a check that was interrupted; its domains keep the results.
const RESULTS_KEPT_DAYS = 1;
const PLANS_KEPT_DAYS = 1;
// The triage counts them by day for thirty days; else they are in their notices, which keep their subjects and acknowledgements.
const EVENTS_KEPT_DAYS = 31;
const NOTICES_KEPT_DAYS = 90;
// As long as the bot would try to send them.
const TELEGRAM_KEPT_DAYS = 1;
const IDEM_KEYS_KEPT_DAYS = 7;
// Less than a day, so that a command that runs daily at the same time purges daily.
const PURGED_EVERY_DAYS = 0.9;

/** The value of the installation that holds the time of the last purge. */
const PURGED_AT = 'purged_at';

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

// So many rows are looked at in one query, outside of any transaction.
const ROWS_A_LOOK = 20_000;

const find =
  (past: Past, before: string) =>
  (limit: number): Promise<{ id: number }[]> =>
    listPast(past, before, limit);

const remove = (past: Past, before: string): Promise<void> =>
  rowsInSlices(find(past, before), (ids) => deletePast(past, before, ids));

/** Deletes old checks, except for the newest three of each domain and kind, which say how it stands and whether it may move. */
async function purgeChecks(before: string): Promise<void> {
  let at: number | null = 0;
  while (at !== null) {
    const { ids, last }: OldChecks = await findOldChecks(at, before, ROWS_A_LOOK);
    await idsInSlices(JSON.parse(ids) as number[], deleteChecks);
    at = last;
  }
}

/** Deletes old daily figures, some domains at a time, because they are stored by domain. */
async function purgeDays(before: string): Promise<void> {
  let at = 0;
  await inSlices(async (slice) => {
    const some = await listDomainIdsAfter(at, slice);
    const to = some.at(-1)?.id ?? at;
    await deleteDaysBefore(before.slice(0, 10), at, to);
    at = to;
    return some.length;
  });
}

/** Deletes domains, with their history, and projects whose undo has run out. */
async function purgeDeleted(before: string): Promise<void> {
  await remove(PAST.checksOfDeleted, before);
  // The days of one domain are ninety at most: they go with it, a few domains at a time.
  await rowsInSlices(find(PAST.domains, before), async (ids) => {
    await deleteDaysOfDeleted(before, ids);
    await keepMoved(before, ids);
    await deletePast(PAST.domains, before, ids);
  });
  await clearDeletedProjects(before);
  await remove(PAST.projects, before);
}

/**
 * Deletes what is past its time: old checks and operations, keys of requests, what imports kept for an undo, sessions, and
 * deleted rows whose undo has run out. Works in slices, dependent rows first, so that no transaction is long.
 */
export async function purge(): Promise<void> {
  // Noted before it begins, so that no other process purges meanwhile.
  await notePurge();
  try {
    await purgeAll();
  } catch (error) {
    await transaction(() => deleteInstalled(PURGED_AT)).catch(() => undefined);
    throw error;
  }
}

async function purgeAll(): Promise<void> {
  await closeDays();
  await purgeChecks(daysAgo(CHECKS_KEPT_DAYS));
  await purgeDays(daysAgo(CHECKS_KEPT_DAYS));
  const operations = daysAgo(OPERATIONS_KEPT_DAYS);
  await remove(PAST.decisions, operations);
  await remove(PAST.items, operations);
  await remove(PAST.locks, operations);
  await remove(PAST.results, daysAgo(RESULTS_KEPT_DAYS));
  await purgeFailures(operations);
  await remove(PAST.operations, operations);
  const before = daysAgo(IDEM_KEYS_KEPT_DAYS);
  await rowsInSlices(find(PAST.idemKeys, before), (ids) => clearIdemKeys(before, ids));
  const undos = daysAgo(UNDO_DAYS);
  await rowsInSlices(find(PAST.undos, undos), (ids) => clearUndos(undos, ids));
  await remove(PAST.sessions, daysAgo(0));
  await remove(PAST.plans, daysAgo(PLANS_KEPT_DAYS));
  await remove(PAST.baselines, daysAgo(BASELINES_KEPT_DAYS));
  await remove(PAST.events, daysAgo(EVENTS_KEPT_DAYS));
  const notices = daysAgo(NOTICES_KEPT_DAYS);
  await remove(PAST.subjects, notices);
  await remove(PAST.deliveries, notices);
  await remove(PAST.notices, notices);
  await remove(PAST.tries, notices);
  await remove(PAST.telegramMessages, daysAgo(TELEGRAM_KEPT_DAYS));
  await remove(PAST.telegramPendings, daysAgo(0));
  await purgeTries();
  await purgeSearches();
  await purgeDeleted(daysAgo(DELETED_KEPT_DAYS));
  await pruneAudit(daysAgo(await keepOf('purge')));
}

const notePurge = (): Promise<void> => transaction(() => setInstalled(PURGED_AT, daysAgo(0)));

// The next command purges where another process has the lock: this one has done what it was asked for.
const PATIENCE_MS = 1_000;

/** Purges where no process has done so for a day: without a server, commands call it. */
export async function purgeDaily(): Promise<void> {
  const last = await findInstalled(PURGED_AT);
  // A time in the future was noted before the clock was set back.
  if (last !== null && last > daysAgo(PURGED_EVERY_DAYS) && last <= daysAgo(0)) return;
  await withoutWaiting(PATIENCE_MS, purge);
}
