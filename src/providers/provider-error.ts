/**
 * Kinds of outside failures, by what the caller can do about them:
 * `credentials` the login is wrong: stop all calls of this account ·
 * `rate_limited` too many calls: the account pauses for `retryAfter` seconds ·
 * `unavailable` network failure, 5xx or timeout: retry later; whether a write took effect is not known ·
 * `malformed` the answer is not what the service documents: handle as `unavailable` ·
 * `refused` the service refuses this very request: a retry will not help; `forbidden`: the login lacks the permission ·
 * `untrusted` the service's identity has changed: nothing secret was sent, and a person has to confirm it.
 */
export type ProviderErrorKind = 'credentials' | 'rate_limited' | 'unavailable' | 'malformed' | 'refused' | 'untrusted';

/**
 * Reasons of a refusal that a caller can act on: `address` our address is not on the service's allow-list · `no_money` ·
 * `taken` the name is registered · `premium` it has a price of its own · `price` it costs more than was offered · `name` it
 * can't be registered there · `locked` it may not be changed now · `absent` it is not in this account · `busy` another
 * financial call runs · `purchases_off` the account may not buy.
 */
export type RefusalReason =
  | 'address'
  | 'no_money'
  | 'taken'
  | 'premium'
  | 'price'
  | 'name'
  | 'locked'
  | 'absent'
  | 'busy'
  | 'purchases_off';

/**
 * Details of a ProviderError: the service's own code, the HTTP status, seconds to wait; `unsent`: the request never left; `unanswered`: what
 * has come is none of the service's answers, so that a call that pays for answers has cost nothing; `domain`: whose account it
 * is of, where a caller works with several.
 */
export interface ProviderErrorDetails {
  code?: number | string | undefined;
  status?: number | undefined;
  retryAfter?: number | undefined;
  forbidden?: boolean | undefined;
  reason?: RefusalReason | undefined;
  unsent?: boolean | undefined;
  unanswered?: boolean | undefined;
  domain?: string | undefined;
  cause?: unknown;
}

/** A failure of an outside service. `message` is the service's own text, without secrets. */
export class ProviderError extends Error {
  readonly kind: ProviderErrorKind;
  readonly code: number | string | undefined;
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;
  readonly forbidden: boolean;
  readonly reason: RefusalReason | undefined;
  readonly unsent: boolean;
  readonly unanswered: boolean;
  readonly domain: string | undefined;

  constructor(kind: ProviderErrorKind, message: string, details: ProviderErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'ProviderError';
    this.kind = kind;
    this.code = details.code;
    this.status = details.status;
    this.retryAfter = details.retryAfter;
    this.forbidden = details.forbidden ?? false;
    this.reason = details.reason;
    this.unsent = details.unsent ?? false;
    this.unanswered = details.unanswered ?? false;
    this.domain = details.domain;
  }
}

/** Returns the same failure with more details. */
export function withDetails(error: ProviderError, more: ProviderErrorDetails): ProviderError {
  const { kind, message, code, status, retryAfter, forbidden, reason, unsent, unanswered, domain } = error;
  const details = { code, status, retryAfter, forbidden, reason, unsent, unanswered, domain };
  return new ProviderError(kind, message, { ...details, cause: error, ...more });
}

/** Marks a failure of reads that a write needs first: the write itself was not sent. */
export async function beforeSending<T>(reads: Promise<T>): Promise<T> {
  try {
    return await reads;
  } catch (error) {
    throw error instanceof ProviderError ? withDetails(error, { unsent: true }) : error;
  }
}
