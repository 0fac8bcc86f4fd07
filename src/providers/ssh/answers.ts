import { ProviderError, type ProviderErrorKind } from '../provider-error.ts';

/** What SFTP servers answer instead of what was asked for (draft-ietf-secsh-filexfer-02, 7). */
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

/** The code of a status answer; undefined where the failure is something else. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof ProviderError && typeof error.code === 'number' ? error.code : undefined;

/**
 * A failure of one request. Only its code is taken from the server: its own text may be of any length, and may repeat
 * anything.
 */
export function answerError(subject: string, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'number') return new ProviderError('refused', `${subject}: ${unsupported(error)}`);
  const [kind, text] = ANSWERS[code] ?? ['refused', `status ${code}`];
  return new ProviderError(kind, `${subject}: ${text}`, { code });
}

// ssh2 throws where a server has not announced an extension.
const unsupported = (error: unknown): string =>
  error instanceof Error && error.message.includes('does not support') ? 'operation unsupported' : 'failure';

// PROTOCOL_ERROR, with which OpenSSH hangs up after too many attempts, and NO_MORE_AUTH_METHODS_AVAILABLE.
const ENOUGH_ATTEMPTS = new Set<unknown>([2, 14]);

/** A failure of the connection as a whole, by what ssh2 says of it. */
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
  // A number is the server's own reason to hang up: too many connections, too many attempts, a restart.
  const isLost = typeof code === 'number' || /^(?:Connection lost|No response)/.test(message ?? '');
  return isLost
    ? new ProviderError('unavailable', 'connection lost', { code: 'ECONNRESET', cause: error })
    : new ProviderError('malformed', 'not what SSH says', { code: 'not_ssh', cause: error });
}

/** The server would not have this login. */
export const refusedLogin = (text = 'login refused'): ProviderError =>
  new ProviderError('credentials', text, { code: 'login_refused' });

/** No answer came in time. */
export const silence = (): ProviderError => new ProviderError('unavailable', 'no answer', { code: 'ETIMEDOUT' });
