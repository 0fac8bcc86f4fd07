import type { Logger } from '../../lib/log.ts';
import type { Job } from '../../operations/schedule.ts';
import { runAutoTransfers } from '../transfers/automatic.ts';
import { onVerdicts } from '../checks/check-blocklist.ts';
import { CHECK_STEPS } from '../checks/check-targets.ts';
import { startDueExpiry } from '../checks/check-expiry.ts';
import { startDueIndexCheck } from '../checks/check-index.ts';
import { startCheck } from '../checks/checks.ts';
import { startDueFetches } from '../positions/schedule.ts';
import { settlePurchases } from '../purchases/sweep.ts';
import { watchList } from '../transfers/list-watch.ts';
import { reserveBuyer } from '../purchases/reserves.ts';
import { purge } from './purge.ts';
import { startSecondLook } from './second-look.ts';
import { SYSTEM } from '../access/scope.ts';
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

/** Returns the jobs of `serve`, with their times in UTC. */
export function jobs(log: Logger): Job[] {
  const watch = watchList();
  const buyReserves = reserveBuyer((project, { message, code }) =>
    log.info({ project, code }, `no reserve is bought: ${message}`),
  );
  return [
    {
      // Most runs do nothing. Not at a full hour, when everybody asks.
      name: 'blocklist',
      cron: '2-59/5 * * * *',
      run: (ending) => watch(new Date(), ending),
    },
    {
      name: 'check',
      cron: '37 * * * *',
      run: () => startCheck(SYSTEM, { steps: [...CHECK_STEPS] }, false, { asked_by: 'automation' }),
    },
    // A site is down when a second look says so; most runs find nothing to look at.
    { name: 'second_look', cron: '* * * * *', run: startSecondLook },
    // A name is looked up once a day, or at each of these times where its end is near.
    { name: 'expiry', cron: '17 1-23/6 * * *', run: () => startDueExpiry(SYSTEM) },
    // `due` runs it right after a check of this process; verdicts of the command line are found at the next turn.
    { name: 'auto_transfer', cron: '*/5 * * * *', run: () => moveBlocked(log), due: onChange },
    // The earliest look-ups of an order are its operation's; a minute is soon enough for the others.
    { name: 'purchases', cron: '* * * * *', run: settlePurchases },
    {
      name: 'auto_buy',
      cron: '9-59/10 * * * *',
      run: buyReserves,
      due: onMoved,
    },
    // What was not read today, for want of money perhaps, is tried again at the next of these times.
    { name: 'positions', cron: '23 1-23/3 * * *', run: startDueFetches },
    // Each main once a day; what failed or was missed is due at the next of these times.
    { name: 'indexation', cron: '43 1-23/3 * * *', run: () => startDueIndexCheck(SYSTEM) },
    { name: 'purge', cron: '7 3 * * *', run: purge },
  ];
}
