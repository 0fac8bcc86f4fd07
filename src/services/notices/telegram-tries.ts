import { AppError } from '../../shared/errors.ts';
import { countTry, forgetTries } from '../access/throttle-store.ts';

const MOST = 5;
const WINDOW_MS = 60 * 60_000;

const nameOf = (user_id: number): string => `telegram code\n${user_id}`;

/**
 * Counts a code before it is compared, over all servers, so that simultaneous ones can't slip through. Outside of transactions.
 * Throws AppError `too_many` after five in an hour.
 */
export async function claimCodeTry(user_id: number): Promise<void> {
  const waitMs = await countTry(nameOf(user_id), MOST, WINDOW_MS);
  if (waitMs === 0) return;
  const minutes = Math.ceil(waitMs / 60_000);
  throw new AppError('too_many', 'telegram.too_many', { minutes }, { retryAfter: Math.ceil(waitMs / 1000) });
}

/** Forgets a user's tries, after the right code. */
export const forgiveCodeTries = (user_id: number): Promise<void> => forgetTries(nameOf(user_id));
