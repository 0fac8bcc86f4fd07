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

/** Details of a ProviderError: the service's own code, the HTTP status, seconds to wait. */
export interface ProviderErrorDetails {
  code?: number | string | undefined;
  status?: number | undefined;
  retryAfter?: number | undefined;
  forbidden?: boolean | undefined;
  cause?: unknown;
}

/** A failure of an outside service. `message` is the service's own text, without secrets. */
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
