import { execute, transaction } from '../../db/index.ts';
import type { Config } from '../lib/config.ts';
import type { Logger } from '../lib/log.ts';
import type { Job } from '../operations/schedule.ts';
import { runAutoTransfers } from './auto-transfers.ts';
import { updateBlocklist } from './blocklist.ts';
import { onVerdicts } from './check-blocklist.ts';
import { CHECK_STEPS } from './check-targets.ts';
import { startCheck } from './checks.ts';
import { SYSTEM } from './scope.ts';
import { logDecisions } from './transfer-decisions.ts';

const CHECKS_KEPT_DAYS = 90;
const DELETED_KEPT_DAYS = 30;
const OPERATIONS_KEPT_DAYS = 90;
const IDEM_KEYS_KEPT_DAYS = 7;

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** Lets go of what is past its time: old checks and operations, keys of requests, and deleted rows whose undo has run out. */
export async function purge(): Promise<void> {
  await transaction(async () => {
    await execute('DELETE FROM checks WHERE checked_at < $before', { before: daysAgo(CHECKS_KEPT_DAYS) });
    await execute('DELETE FROM operations WHERE finished_at < $before', { before: daysAgo(OPERATIONS_KEPT_DAYS) });
    await execute('UPDATE operations SET idem_key = NULL WHERE idem_key IS NOT NULL AND created_at < $before', {
      before: daysAgo(IDEM_KEYS_KEPT_DAYS),
    });
    await execute('DELETE FROM domains WHERE deleted_at < $before', { before: daysAgo(DELETED_KEPT_DAYS) });
    await execute('DELETE FROM projects WHERE deleted_at < $before', { before: daysAgo(DELETED_KEPT_DAYS) });
  });
}

async function moveBlocked(config: Config, log: Logger): Promise<void> {
  const { stop, decisions } = await runAutoTransfers(config, SYSTEM);
  logDecisions(log, stop, decisions);
}

/** What `serve` does on its own, at which time of day (UTC). */
export const jobs = (config: Config, log: Logger): Job[] => [
  {
    name: 'blocklist',
    cron: '17 */6 * * *',
    run: () => updateBlocklist(config.blocklistDir, { url: config.blocklistUrl }),
  },
  { name: 'check', cron: '37 * * * *', run: () => startCheck(SYSTEM, { steps: [...CHECK_STEPS] }) },
  // What a check has just found need not wait; one of the command line is found at the next turn.
  { name: 'auto_transfer', cron: '*/5 * * * *', run: () => moveBlocked(config, log), due: onVerdicts },
  { name: 'purge', cron: '7 3 * * *', run: purge },
];
