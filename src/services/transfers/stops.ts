import { recordEvents, type NewEvent } from '../../../db/events.ts';
import { transaction } from '../../../db/index.ts';
import type { TransferStopRow } from '../../shared/transfers/tables.ts';
import { config } from '../../lib/config.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { Held } from '../../shared/operations.ts';
import { isSuspicious } from '../../shared/checks/list-doubt.ts';
import { largestWave } from '../../shared/transfers/witnesses.ts';
import { blocklistStatus } from '../checks/blocklist.ts';
import { includesCheck } from '../checks/check-targets.ts';
import { listHeldChecks, listPassedChecks } from '../checks/rows.ts';
import { endStop, findStandingStop, insertStop, updateStop } from './decision-rows.ts';
import { countBlocked, listBlockedSince, listSuspects } from './fact-rows.ts';
import { DAY_MS } from '../../shared/time.ts';
import { whyOf } from './tells.ts';

/** The reason for which automatic transfer stands still now. */
export type Stop = Pick<TransferStopRow, 'cause' | 'blocked' | 'total'>;

/** A stop with its start (ISO 8601). `isNew`: it was recorded just now. */
export interface StandingStop extends Stop {
  since: string;
  isNew: boolean;
}

/** Returns the message of a stop. */
export const wordsOf = ({ cause, blocked, total }: Stop): Message => ({
  key: `auto_transfer.stopped_${cause}`,
  params: { blocked, total },
});

/**
 * Returns what held check results stop that no later good check of the same domains supersedes: the moves of everybody, under null, or
 * those of the user whose portfolio it is, under the user's id. The newest of each counts.
 */
async function heldResults(): Promise<Map<number | null, Stop>> {
  const held = await listHeldChecks();
  const oldest = held.at(-1);
  if (!oldest) return new Map();
  const good = await listPassedChecks(oldest.id);
  const standing = held.filter((check) => !good.some((later) => later.id > check.id && includesCheck(later, check)));
  return new Map(
    standing.toReversed().map((check) => {
      const { count, total } = JSON.parse(check.held) as Held;
      return [check.user_id, { cause: 'held', blocked: count, total }];
    }),
  );
}

/** Returns what stops the automatic transfers of a user now, or null. */
export const findStopOf = async (userId: number | null): Promise<Stop | null> =>
  (await findStop()) ?? (await findStopsOfUsers()).get(userId) ?? null;

/** Returns what stops the automatic transfers of single users, by their ids: results that are held for their portfolios. */
export async function findStopsOfUsers(): Promise<Map<number | null, Stop>> {
  const stops = await heldResults();
  stops.delete(null);
  return stops;
}

// Domains that have been blocked for longer are no wave, and checks are purged after 90 days.
const LOOK_BACK_MS = 60 * DAY_MS;

/**
 * Returns the stop for a large part of the portfolio that turned blocked within ten minutes, still is, and that nobody who holds it has
 * judged by starting a transfer.
 */
async function wave(): Promise<Stop | null> {
  const { total, blocked } = await countBlocked();
  // Too few are blocked in all: their history need not be read.
  if (!isSuspicious(blocked, total)) return null;
  const earliest = new Date(Date.now() - LOOK_BACK_MS).toISOString();
  const count = largestWave((await listBlockedSince()).filter((at) => at > earliest));
  return isSuspicious(count, total) ? { cause: 'wave', blocked: count, total } : null;
}

/**
 * Returns what stops everybody's automatic transfers now, or null: a list that is not fresh, a result that is held for the whole
 * portfolio, or too many domains blocked at once.
 */
export async function findStop(): Promise<Stop | null> {
  const { blocklistDir } = config();
  const { state } = await blocklistStatus(blocklistDir);
  if (state !== 'fresh') return { cause: 'list', blocked: 0, total: 0 };
  return (await heldResults()).get(null) ?? wave();
}

/** Returns the recorded stop that has not ended, or null. */
export async function standingStop(): Promise<Omit<StandingStop, 'isNew'> | null> {
  const row = await findStandingStop();
  return row ? { cause: row.cause, blocked: row.blocked, total: row.total, since: row.created_at } : null;
}

const waitsFor = ({ id, domain_name }: { id: number; domain_name: string }, stop: Stop, now: string): NewEvent => ({
  kind: 'transfer_waits',
  name: domain_name,
  domain_id: id,
  params: whyOf(wordsOf(stop)),
  cause: `stop:${now}`,
});

/** Records the stop, or its end where it is null. A stop that goes on is new only once, even if its cause changes. */
export async function noteStop(stop: Stop | null): Promise<StandingStop | null> {
  const now = new Date().toISOString();
  return transaction(async () => {
    const standing = await standingStop();
    if (!stop) {
      if (standing) await endStop(now);
      return null;
    }
    const { cause, blocked, total } = stop;
    const bind = { cause, blocked, total };
    await (standing ? updateStop(bind) : insertStop(bind, now));
    // A list that is too old is told of by its watch.
    if (!standing && cause !== 'list')
      await recordEvents((await listSuspects(0)).map((main) => waitsFor(main, bind, now)));
    return { ...bind, since: standing?.since ?? now, isNew: !standing };
  });
}
