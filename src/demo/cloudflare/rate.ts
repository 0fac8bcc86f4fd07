/** Limit of the calls of one user, by key and tokens together, in any period of `seconds`. */
export interface RateLimit {
  calls: number;
  seconds: number;
}

/** The documented limit of the API. */
export const RATE_LIMIT: RateLimit = { calls: 1_200, seconds: 300 };

/** Decision on a call: headers of the answer, and the seconds to wait if it is refused, else null. */
export interface Allowance {
  headers: Record<string, string>;
  retryAfter: number | null;
}

interface Account {
  /** Times of the calls in the running window, oldest first, in milliseconds of the monotonic clock. */
  times: number[];
  blockedUntil: number;
}

/** Makes a limiter that counts calls by user. A user over the limit is refused for a whole window. */
export function rateLimiter({ calls, seconds }: RateLimit): (user: string) => Allowance {
  const accounts = new Map<string, Account>();
  const window = seconds * 1000;
  return (user) => {
    const now = performance.now();
    const account = accounts.get(user) ?? { times: [], blockedUntil: 0 };
    accounts.set(user, account);
    const firstInside = account.times.findIndex((time) => time > now - window);
    account.times.splice(0, firstInside === -1 ? account.times.length : firstInside);
    const isBlocked = now < account.blockedUntil;
    if (!isBlocked && account.times.length >= calls) account.blockedUntil = now + window;
    const retryAfter = now < account.blockedUntil ? Math.ceil((account.blockedUntil - now) / 1000) : null;
    if (retryAfter === null) account.times.push(now);
    const left = retryAfter === null ? calls - account.times.length : 0;
    const reset = Math.ceil(((account.times[0] ?? now) + window - now) / 1000);
    return {
      retryAfter,
      headers: {
        Ratelimit: `"default";r=${left};t=${retryAfter ?? reset}`,
        'Ratelimit-Policy': `"default";q=${calls};w=${seconds}`,
        ...(retryAfter === null ? {} : { 'Retry-After': String(retryAfter) }),
      },
    };
  };
}
