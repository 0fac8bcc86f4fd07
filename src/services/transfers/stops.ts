import { execute, select, transaction } from '../../../db/index.ts';
import type { TransferStopRow } from '../../shared/transfers/tables.ts';
import type { Config } from '../../lib/config.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { Held } from '../../shared/operations.ts';
import { isSuspicious } from '../../shared/checks/list-doubt.ts';
import { largestWave } from '../../shared/transfers/transfer-pick.ts';
import { blocklistStatus } from '../checks/blocklist.ts';
import { includesCheck } from '../checks/check-targets.ts';

/** Why automatic transfer stands still now. */
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
 * Returns when a person last started a transfer ('' if never): by that the person has judged what the list said before.
 */
async function lastAsked(): Promise<string> {
  const [row] = await select<{ at: string | null }>(
    `SELECT max(created_at) AS at FROM operations WHERE kind = 'transfer' AND subject NOT LIKE 'auto %'`,
  );
  return row?.at ?? '';
}

/** Returns the stop of the newest held check result that no later good check of the same domains supersedes. */
async function heldResult(since: string): Promise<Stop | null> {
  const held = await select<{ id: number; subject: string; held: string }>(
    `SELECT id, subject, held FROM operations WHERE kind = 'check' AND held IS NOT NULL AND created_at > $since
     ORDER BY id DESC`,
    { since },
  );
  if (held.length === 0) return null;
  const good = await select<{ id: number; subject: string }>(
    `SELECT id, subject FROM operations WHERE kind = 'check' AND held IS NULL AND id > $first AND EXISTS
       (SELECT 1 FROM json_each(steps) s WHERE s.value ->> 'name' = 'blocklist' AND s.value ->> 'state' = 'succeeded')`,
    { first: held.at(-1)?.id },
  );
  const standing = held.find(
    ({ id, subject }) => !good.some((later) => later.id > id && includesCheck(later.subject, subject)),
  );
  if (!standing) return null;
  const { count, total } = JSON.parse(standing.held) as Held;
  return { cause: 'held', blocked: count, total };
}

// Domains that have been blocked for longer are no wave, and checks are purged after 90 days.
const LOOK_BACK_MS = 60 * 86_400_000;

/** Returns the stop for a large part of the portfolio that turned blocked within ten minutes and still is. */
async function wave(since: string): Promise<Stop | null> {
  const [portfolio] = await select<{ total: number; blocked: number }>(
    `SELECT count(*) AS total, count(*) FILTER (WHERE status = 'blocked') AS blocked FROM domains WHERE deleted_at IS NULL`,
  );
  const { total, blocked } = portfolio ?? { total: 0, blocked: 0 };
  // Too few are blocked in all: their history need not be read.
  if (!isSuspicious(blocked, total)) return null;
  const rows = await select<{ since: string | null }>(
    `SELECT (SELECT min(COALESCE(c.since, c.checked_at)) FROM checks c WHERE c.domain_id = d.id AND c.kind = 'blocklist' AND c.id >
       COALESCE((SELECT p.id FROM checks p WHERE p.domain_id = d.id AND p.kind = 'blocklist' AND p.verdict <> 'blocked'
         ORDER BY p.id DESC LIMIT 1), 0)) AS since
     FROM domains d WHERE d.deleted_at IS NULL AND d.status = 'blocked'`,
  );
  const lookBack = new Date(Date.now() - LOOK_BACK_MS).toISOString();
  const earliest = since > lookBack ? since : lookBack;
  const count = largestWave(rows.flatMap((row) => (row.since !== null && row.since > earliest ? [row.since] : [])));
  return isSuspicious(count, total) ? { cause: 'wave', blocked: count, total } : null;
}

/**
 * Returns what stops automatic transfers now, or null: a list that is not fresh, a held check result, or too many
 * domains blocked at once.
 */
export async function findStop({ blocklistDir }: Config): Promise<Stop | null> {
  const { state } = await blocklistStatus(blocklistDir);
  if (state !== 'fresh') return { cause: 'list', blocked: 0, total: 0 };
  const since = await lastAsked();
  return (await heldResult(since)) ?? wave(since);
}

/** Returns the recorded stop that has not ended, or null. */
export async function standingStop(): Promise<Omit<StandingStop, 'isNew'> | null> {
  const [row] = await select<TransferStopRow>(
    'SELECT * FROM transfer_stops WHERE ended_at IS NULL ORDER BY id DESC LIMIT 1',
  );
  return row ? { cause: row.cause, blocked: row.blocked, total: row.total, since: row.created_at } : null;
}

/** Records the stop, or its end where it is null. A stop that goes on is new only once, even if its cause changes. */
export async function noteStop(stop: Stop | null): Promise<StandingStop | null> {
  const now = new Date().toISOString();
  return transaction(async () => {
    const standing = await standingStop();
    if (!stop) {
      if (standing) await execute('UPDATE transfer_stops SET ended_at = $now WHERE ended_at IS NULL', { now });
      return null;
    }
    const { cause, blocked, total } = stop;
    const bind = { cause, blocked, total };
    await (standing
      ? execute(
          'UPDATE transfer_stops SET cause = $cause, blocked = $blocked, total = $total WHERE ended_at IS NULL',
          bind,
        )
      : execute(
          'INSERT INTO transfer_stops (cause, blocked, total, created_at) VALUES ($cause, $blocked, $total, $now)',
          { ...bind, now },
        ));
    return { ...bind, since: standing?.since ?? now, isNew: !standing };
  });
}
