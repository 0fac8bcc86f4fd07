import { ProviderError, type ProviderErrorKind } from '../provider-error.ts';

/** Status codes of SFTP (draft-ietf-secsh-filexfer-02, 7). */
export const STATUS = { eof: 1, missing: 2, denied: 3, failure: 4, badMessage: 5 } as const;

// `badMessage` is also OpenSSH's answer to a name that is too long.
const ANSWERS: Record<number, [ProviderErrorKind, string]> = {
  [STATUS.eof]: ['malformed', 'end of file'],
  [STATUS.missing]: ['refused', 'no such file or directory'],
  [STATUS.denied]: ['refused', 'permission denied'],
  [STATUS.failure]: ['refused', 'failure'],
  [STATUS.badMessage]: ['refused', 'bad message'],
  6: ['unavailable', 'no connection'],
  7: ['unavailable', 'connection lost'],
  8: ['refused', 'operation unsupported'],
};

/** Returns the code of a status answer; undefined for any other failure. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof ProviderError && typeof error.code === 'number' ? error.code : undefined;

/**
 * Makes the ProviderError for a failed request. Only the code comes from the server: its text may be of any length, and repeat
 * secrets.
 */
export function answerError(subject: string, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'number') return new ProviderError('refused', `${subject}: ${unsupported(error)}`);
  const [kind, text] = ANSWERS[code] ?? ['refused', `status ${code}`];
  return new ProviderError(kind, `${subject}: ${text}`, { code });
}

// ssh2 throws if a server has not announced an extension.
const unsupported = (error: unknown): string =>
  error instanceof Error && error.message.includes('does not support') ? 'operation unsupported' : 'failure';

// PROTOCOL_ERROR, with which OpenSSH disconnects after too many attempts, and NO_MORE_AUTH_METHODS_AVAILABLE.
const ENOUGH_ATTEMPTS = new Set<unknown>([2, 14]);

/** Makes the ProviderError for a failure of the whole connection, from ssh2's error. */
export function connectionError(error: unknown, isSignedIn = true): ProviderError {
  if (error instanceof ProviderError) return error;
  const { level, code, message } = error as { level?: string; code?: unknown; message?: string };
  const details = { cause: error, code: typeof code === 'string' ? code : undefined };
  if (level === 'client-authentication' || (!isSignedIn && ENOUGH_ATTEMPTS.has(code))) return refusedLogin();
  if (level === 'client-timeout') return silence();
  if (level === 'client-socket') return new ProviderError('unavailable', details.code ?? 'connection lost', details);
  if (message?.includes('no matching')) {
    return new ProviderError('refused', 'no algorithm in common', { code: 'no_algorithm' });
  }
  // A number is the server's reason to disconnect: too many connections, too many attempts, a restart.
  const isLost = typeof code === 'number' || /^(?:Connection lost|No response)/.test(message ?? '');
  return isLost
    ? new ProviderError('unavailable', 'connection lost', { code: 'ECONNRESET', cause: error })
    : new ProviderError('malformed', 'not what SSH says', { code: 'not_ssh', cause: error });
}

/** Makes the ProviderError for a login that the server refuses. */
export const refusedLogin = (text = 'login refused'): ProviderError =>
  new ProviderError('credentials', text, { code: 'login_refused' });

/** Makes the ProviderError for an answer that did not come in time. */
export const silence = (): ProviderError => new ProviderError('unavailable', 'no answer', { code: 'ETIMEDOUT' });
