import { operationRow } from '../../operations/lease.ts';
import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { findFailure } from './rows.ts';

/** For work that a person waits for: two tries. */
export const IMPATIENT = { attempts: 2, firstPauseMs: 500, longestPauseMs: 500 } as const;

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
  throw new AppError(away ? 'upstream' : key === 'dns.changed_meanwhile' ? 'conflict' : 'refused', key, params);
}
