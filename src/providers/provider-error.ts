/**
 * What went wrong outside, by what the caller can do about it:
 * `credentials` the login is wrong: nothing more is asked of this account ·
 * `rate_limited` asked too often: the account pauses for `retryAfter` seconds ·
 * `unavailable` the network, a 5xx, a time-out: come back later; whether a write arrived is not known ·
 * `malformed` an answer that is not what the service documents: as `unavailable` ·
 * `refused` the service says no to this very thing: asking again will not help; `forbidden` says that the login lacks the right ·
 * `untrusted` it is not who it is known as: nothing secret was sent, and a person has to say whether it is.
 */
export type ProviderErrorKind = 'credentials' | 'rate_limited' | 'unavailable' | 'malformed' | 'refused' | 'untrusted';

/** The facts beside a ProviderError: the service's own code, the HTTP status, seconds to wait. */
export interface ProviderErrorDetails {
  code?: number | string | undefined;
  status?: number | undefined;
  retryAfter?: number | undefined;
  forbidden?: boolean | undefined;
  cause?: unknown;
}

/** A failure of an outside service. `message` is the service's own text, without anything secret. */
export class ProviderError extends Error {
  readonly kind: ProviderErrorKind;
  readonly code: number | string | undefined;
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;
  readonly forbidden: boolean;

  constructor(kind: ProviderErrorKind, message: string, details: ProviderErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'ProviderError';
    this.kind = kind;
    this.code = details.code;
    this.status = details.status;
    this.retryAfter = details.retryAfter;
    this.forbidden = details.forbidden ?? false;
  }
}
