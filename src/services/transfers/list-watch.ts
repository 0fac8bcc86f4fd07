import { recordEvents, type NewEvent } from '../../../db/events.ts';
import { transaction } from '../../../db/index.ts';
import { config } from '../../lib/config.ts';
import { runOperation } from '../../operations/engine.ts';
import { AppError } from '../../shared/errors.ts';
import type { BlocklistStatus } from '../../shared/checks/blocklist.ts';
import { isFetchDue, lookAfter } from '../../shared/checks/list-schedule.ts';
import { blocklistStatus, currentExchange, isConditional, updateBlocklist } from '../checks/blocklist.ts';
import type { CheckRequest } from '../checks/check-targets.ts';
import { startCheck } from '../checks/checks.ts';
import { auditListDecisions } from '../checks/list-audit.ts';
import { SYSTEM } from '../access/scope.ts';
import { suspectedMains } from './facts.ts';

const NAME = 'blocklist';

/** Returns the troubles of the list. A missing list counts only after a failed fetch. */
function troublesOf({ state, doubt }: BlocklistStatus, hasFailed: boolean): NewEvent[] {
  const isStale = state !== 'fresh' && (state !== 'missing' || hasFailed);
  return [
    ...(isStale ? [{ kind: 'list_stale', name: NAME } as const] : []),
    ...(doubt ? [{ kind: 'list_doubted', name: NAME, params: { version: doubt.list_version } } as const] : []),
  ];
}

/** Returns a function that records the troubles of the list that it has not recorded at the call before. */
function troubleTeller(): (status: BlocklistStatus, hasFailed: boolean) => Promise<void> {
  let told: string[] = [];
  return async (status, hasFailed) => {
    const troubles = troublesOf(status, hasFailed);
    const fresh = troubles.filter((trouble) => !told.includes(JSON.stringify(trouble)));
    if (fresh.length > 0) await transaction(() => recordEvents(fresh));
    told = troubles.map((trouble) => JSON.stringify(trouble));
  };
}

/**
 * Returns a function that keeps the list fresh: a call fetches the list where that is due, or where `isAsked` says that a person wants it
 * now, and checks names at once where the list is new. While a main domain is suspected to be blocked, each confirmation of the list counts as a look
 * at it. A call throws what its fetch has failed with.
 */
export function watchList(isAsked = false): (now?: Date, ending?: AbortSignal) => Promise<void> {
  const { blocklistDir, blocklistUrl } = config();
  let attempted_at: number | null = null;
  let failures = 0;
  let looked: string | null = null;
  const tell = troubleTeller();

  const fetch = async (now: Date, ending: AbortSignal | undefined): Promise<void> => {
    attempted_at = now.getTime();
    try {
      await updateBlocklist(blocklistDir, { url: blocklistUrl, apart: true, now, ending });
      failures = 0;
    } catch (error) {
      // A list that is held for a person arrived: this is no failed fetch.
      const isAnswer = error instanceof AppError && error.kind === 'refused';
      failures = isAnswer ? 0 : failures + 1;
      throw error;
    }
  };

  return async (now = new Date(), ending) => {
    const before = await blocklistStatus(blocklistDir, now);
    const suspects = await suspectedMains(now);
    const suspected = suspects.length > 0;
    const fetched_at = before.fetched_at === null ? null : Date.parse(before.fetched_at);
    const facts = { attempted_at, failures, fetched_at, conditional: isConditional(blocklistDir), suspected };
    let failed: unknown;
    if (isAsked || isFetchDue(facts, now.getTime()))
      await fetch(now, ending).catch((error: unknown) => (failed = error));
    // Also those of the command line, and of a process that was killed.
    await auditListDecisions(blocklistDir);
    const after = await blocklistStatus(blocklistDir, now);
    await tell(after, failed !== undefined);
    if (after.state === 'fresh') {
      const changed = after.list_version !== looked;
      const look = lookAfter({ changed, confirmed: after.fetched_at !== before.fetched_at, suspected });
      if (look !== null) await lookUpNow(look === 'all' ? {} : { domain_ids: suspects });
      looked = after.list_version;
    }
    if (failed !== undefined) throw failed;
  };
}

/** Checks names in this process at once: the queue may be busy with work for an hour. */
async function lookUpNow(request: Pick<CheckRequest, 'domain_ids'>): Promise<void> {
  const { id, started } = await startCheck(SYSTEM, { steps: ['blocklist'], ...request }, true, {
    asked_by: 'automation',
    exchange: currentExchange(config().blocklistDir),
  });
  if (started) await runOperation(id);
}
