import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../shared/errors.ts';

const WINDOW_SECONDS = 15 * 60;

// Only failures count. Someone who guesses from one address is stopped by the pair after a few tries and takes nothing
// from the login's own allowance, so the owner, at another address, is not locked out.
const byPair = new RateLimiterMemory({ points: 5, duration: WINDOW_SECONDS });
const byAddress = new RateLimiterMemory({ points: 30, duration: WINDOW_SECONDS });
// Guesses from many addresses at one login: past the allowance a stranger may try every 30 s, a known address freely.
const byLogin = new RateLimiterMemory({ points: 25, duration: WINDOW_SECONDS });
const trickle = new RateLimiterMemory({ points: 1, duration: 30 });

// No login is longer than 64 characters, so what is cut off here tells none apart, and keeps the memory small.
const keyOf = (login: string): string => login.toLowerCase().slice(0, 65);
const pair = (login: string, address: string): string => `${keyOf(login)}\n${address}`;

function tooMany(milliseconds: number): AppError {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return new AppError('too_many', 'error.too_many', { seconds }, { retryAfter: seconds });
}

async function take(limiter: RateLimiterMemory, key: string): Promise<void> {
  const state = await limiter.penalty(key);
  if (state.consumedPoints > limiter.points) throw tooMany(state.msBeforeNext);
}

/**
 * Takes an attempt before the password is looked at, so that a flood of requests at once does not slip through. Throws
 * `too_many` where the pair, the address or the login has used its attempts up. A right password gives it back.
 */
export async function claimAttempt(login: string, address: string, knownAddress: boolean): Promise<void> {
  // Looked at first, so that an address that may not try any more leaves no new names in memory.
  const tried = await byAddress.get(address);
  if (tried && tried.consumedPoints >= byAddress.points) throw tooMany(tried.msBeforeNext);
  await take(byPair, pair(login, address));
  await take(byAddress, address);
  const state = await byLogin.penalty(keyOf(login));
  if (knownAddress || state.consumedPoints <= byLogin.points) return;
  try {
    await trickle.consume(keyOf(login));
  } catch (error) {
    throw error instanceof RateLimiterRes ? tooMany(error.msBeforeNext) : error;
  }
}

/** A right password: the attempt did not count, nor those of the pair before it. */
export async function forgiveAttempt(login: string, address: string): Promise<void> {
  await returnAttempt(login, address);
  await byPair.delete(pair(login, address));
}

/** Gives an attempt back at which the password was not looked at. */
export async function returnAttempt(login: string, address: string): Promise<void> {
  await Promise.all([byPair.reward(pair(login, address)), byAddress.reward(address), byLogin.reward(keyOf(login))]);
}
