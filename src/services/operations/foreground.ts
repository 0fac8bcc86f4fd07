import { setTimeout as sleep } from 'node:timers/promises';
import { runOperation } from '../../operations/engine.ts';
import { operationRow } from '../../operations/lease.ts';
import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { isFinal } from '../../shared/operations.ts';
import type { OperationRow } from '../../shared/operations/tables.ts';
import { findFailure } from './rows.ts';

/** For work that a person waits for: two tries. */
export const IMPATIENT = { attempts: 2, firstPauseMs: 500, longestPauseMs: 500 } as const;

const LOOK_EVERY_MS = 200;

/**
 * Runs an operation to its end here, or waits for whoever has begun it: another call in this process, or another process. Returns its
 * row; null once `cancelled` fires. Throws what `signal` throws. `byPerson`: a person waits for it, who goes on with what a person has stopped.
 */
export async function runToEnd(
  id: number,
  { signal, cancelled, byPerson }: { signal?: AbortSignal; cancelled?: AbortSignal; byPerson?: true } = {},
): Promise<OperationRow | null> {
  for (;;) {
    const row = await operationRow(id);
    if (isFinal(row.state)) return row;
    if (cancelled?.aborted) return null;
    signal?.throwIfAborted();
    try {
      await runOperation(id, byPerson ? { byPerson } : {});
    } catch (error) {
      if (!(error instanceof AppError && error.kind === 'busy')) throw error;
      await sleep(LOOK_EVERY_MS, undefined, signal ? { signal } : {});
    }
  }
}

/**
 * Tells the caller who has run an operation of one item how it ended. Throws AppError for the item's failure: `upstream`
 * where the service was away, `conflict` where the zone has changed meanwhile, else `refused`; `unavailable` where the
 * operation did not succeed without a failed item.
 */
export async function throwFailure(id: number): Promise<void> {
  const failed = await findFailure(id);
  if (failed === undefined) {
    const { state } = await operationRow(id);
    if (state !== 'succeeded') throw new AppError('unavailable', 'operation.unclear');
    return;
  }
  const { key, params } = JSON.parse(failed) as Message;
  const away = key === 'provider.unavailable' || key === 'provider.malformed';
  if (key === 'dns.changed_meanwhile') throw new AppError('conflict', key, params, { code: 'zone_changed' });
  throw new AppError(away ? 'upstream' : 'refused', key, params);
}
