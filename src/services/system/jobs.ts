import type { Logger } from '../../lib/log.ts';
import type { Job, JobOutcome } from '../../operations/schedule/run.ts';
import { config } from '../../lib/config.ts';
import { callHeartbeat } from '../../providers/heartbeat.ts';
import { runAutoTransfers } from '../transfers/automatic.ts';
import { onVerdicts } from '../checks/check-blocklist.ts';
import { CHECK_STEPS } from '../checks/check-targets.ts';
import { startDueExpiry } from '../checks/check-expiry.ts';
import { startDueIndexCheck } from '../checks/check-index.ts';
import { startCheck } from '../checks/checks.ts';
import { startDueFetches } from '../positions/schedule.ts';
import { settlePurchases } from '../purchases/sweep.ts';
import { watchList } from '../transfers/list-watch.ts';
import { recordCertificates } from '../notices/certificates.ts';
import { recordEnds } from '../notices/expiry.ts';
import { recordReserves } from '../transfers/reserve-looks.ts';
import { reserveBuyer } from '../purchases/reserves.ts';
import { runDrill } from './backups/drill-job.ts';
import { runBackup } from './backups/job.ts';
import { purge } from './purge.ts';
import { startSecondLook } from './second-look.ts';
import { DEFAULTS, heartbeatOf } from './schedules.ts';
import { SYSTEM } from '../access/scope.ts';
import { onCertificatesEnding, watchCertificates } from '../why/certificates.ts';
import { logDecisions } from '../transfers/decisions.ts';
import { onMoved, onTurnedBack } from '../transfers/transfers.ts';

async function moveBlocked(log: Logger): Promise<void> {
  const { stop, decisions } = await runAutoTransfers(SYSTEM);
  logDecisions(log, stop, decisions);
}

/**
 * Calls `listener` after verdicts were stored, and after an automatic transfer that moved nothing: both call for
 * another run.
 */
function onChange(listener: () => void): void {
  onVerdicts(listener);
  onTurnedBack(listener);
}

type Queued = { id: number; started: boolean };

/** The outcome of a run that has queued an operation, or found nothing that is due. */
const queued = (operation: Queued | null): JobOutcome =>
  operation
    ? { result: 'ok', operation_id: operation.id }
    : { result: 'skipped', message: { key: 'schedule.nothing_due' } };

async function beat(): Promise<JobOutcome> {
  const address = await heartbeatOf('heartbeat');
  if (address === null) return { result: 'skipped', message: { key: 'schedule.no_address' } };
  await callHeartbeat(address, config());
  return { result: 'ok' };
}

const cronOf = (name: keyof typeof DEFAULTS): { name: string; cron: string } => ({
  name,
  cron: DEFAULTS[name].cron ?? '',
});

/** Returns the jobs of `serve`; `isAsked`: a person wants one of them now. The times of those that people see are in `schedules.ts`. */
export function jobs(log: Logger, isAsked = false): Job[] {
  const watch = watchList(isAsked);
  onCertificatesEnding(recordCertificates);
  const buyReserves = reserveBuyer((project, reason) =>
    log.info({ project, code: reason.code, reason }, 'no reserve is bought'),
  );
  return [
    { ...cronOf('blocklist'), run: (ending) => watch(new Date(), ending) },
    {
      ...cronOf('check'),
      run: async () => queued(await startCheck(SYSTEM, { steps: [...CHECK_STEPS] }, false, { asked_by: 'automation' })),
    },
    // A site is down when a second look says so; most runs find nothing to look at.
    { name: 'second_look', cron: '* * * * *', run: startSecondLook },
    { ...cronOf('expiry'), run: async () => queued(await startDueExpiry(SYSTEM)) },
    // Each number of days is told once, however often this runs.
    { name: 'expiry_notices', cron: '27 * * * *', run: () => recordEnds() },
    // A reserve is lost by a block, a date, an edit, a removal: one statement looks at all projects.
    { name: 'reserve_notices', cron: '* * * * *', run: () => recordReserves() },
    // `due` runs it right after a check of this process; verdicts of the command line are found at the next turn.
    { ...cronOf('auto_transfer'), run: () => moveBlocked(log), due: onChange },
    // The earliest look-ups of an order are its operation's; a minute is soon enough for the others.
    { name: 'purchases', cron: '* * * * *', run: settlePurchases },
    { ...cronOf('auto_buy'), run: buyReserves, due: onMoved },
    { ...cronOf('positions'), run: startDueFetches },
    { ...cronOf('indexation'), run: () => startDueIndexCheck(SYSTEM) },
    { ...cronOf('backup'), run: runBackup },
    { ...cronOf('drill'), run: runDrill },
    { ...cronOf('heartbeat'), run: beat },
    // Each run looks at a part of the mains, so that all have had their turn within a day.
    { name: 'certificates', cron: '33 * * * *', run: (ending) => watchCertificates(ending) },
    { ...cronOf('purge'), run: purge },
  ];
}
