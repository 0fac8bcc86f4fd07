import { redact } from '../lib/redact.ts';
import { ProviderError, type ProviderErrorKind } from '../providers/provider-error.ts';
import { AppError, type ErrorKind } from '../shared/errors.ts';
import type { Key, Said } from '../shared/i18n/index.ts';

const ANSWERS: Record<ProviderErrorKind, [ErrorKind, Key]> = {
  credentials: ['refused', 'provider.credentials'],
  rate_limited: ['too_many', 'provider.rate_limited'],
  unavailable: ['upstream', 'provider.unavailable'],
  malformed: ['upstream', 'provider.malformed'],
  refused: ['refused', 'provider.refused'],
  untrusted: ['refused', 'provider.untrusted'],
};

// What an adapter can tell apart and a person can do something about: words of their own.
const WORDS: Record<string, Key> = {
  login_refused: 'ssh.login_refused',
  key_encrypted: 'ssh.key_encrypted',
  key_unreadable: 'ssh.key_unreadable',
  no_sftp: 'ssh.no_sftp',
  no_algorithm: 'ssh.no_algorithm',
  not_ssh: 'ssh.not_ssh',
};

/** What the caller is told of a failure outside: its kind here, and the service's own words. Anything else as it is. */
export function asAppError(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  const [kind, key] = ANSWERS[error.kind];
  const details = { code: `provider_${error.kind}`, cause: error };
  return new AppError(
    kind,
    WORDS[String(error.code)] ?? key,
    // What is kept and shown must not hold the key that the service repeats.
    { message: redact(error.message) },
    error.retryAfter ? { ...details, retryAfter: error.retryAfter } : details,
  );
}

/** The sentence that an item keeps of what went wrong; null for a bug, which is not an item's failure. */
export function saidOf(error: unknown): Said | null {
  const known = asAppError(error);
  return known instanceof AppError ? { key: known.key, params: known.params } : null;
}
