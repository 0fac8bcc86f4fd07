import { AppError } from '../../shared/errors.ts';

const MOST = 5;
const WINDOW_MS = 60 * 60_000;

// Users, of whom there are few; in memory as the tries of signing in, so that a refused request writes nothing.
const tries = new Map<number, number[]>();

/** Counts a code before it is compared, so that simultaneous ones can't slip through. Throws AppError `too_many` after five in an hour. */
export function claimCodeTry(user_id: number): void {
  const now = Date.now();
  const recent = (tries.get(user_id) ?? []).filter((time) => time > now - WINDOW_MS);
  const [oldest] = recent;
  if (oldest !== undefined && recent.length >= MOST) {
    const seconds = Math.ceil((oldest + WINDOW_MS - now) / 1000);
    throw new AppError('too_many', 'telegram.too_many', { minutes: Math.ceil(seconds / 60) }, { retryAfter: seconds });
  }
  tries.set(user_id, [...recent, now]);
}

/** Forgets a user's tries, after the right code. */
export function forgiveCodeTries(user_id: number): void {
  tries.delete(user_id);
}
