import { randomBytes } from 'node:crypto';
import { isStorageTrouble, troubleOf, type Trouble } from '../../lib/database-trouble.ts';
import { fullDisk, storageFull } from '../../lib/disk.ts';
import type { Logger } from '../../lib/log.ts';
import { redact } from '../../lib/redact.ts';
import { AppError, type ErrorKind } from '../../shared/errors.ts';
import { say, translate, type Language } from '../../shared/i18n/index.ts';

const STATUS: Record<ErrorKind, number> = {
  invalid: 400,
  no_token: 401,
  bad_login: 401,
  bad_token: 403,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  busy: 409,
  too_large: 413,
  wrong_type: 415,
  refused: 422,
  too_many: 429,
  upstream: 502,
  unavailable: 503,
  not_configured: 503,
};

// For our own database that does not take a write.
const STORAGE_RETRY_S = 5;
// For an outside service that takes no more calls, and has not said until when.
const USUAL_RETRY_S = 60;

/** A failure as sent: status, the JSON envelope, and the seconds of `Retry-After`. */
export interface Failure {
  status: number;
  body: { error: string; code: string; fields?: Record<string, string>; [more: string]: unknown };
  retryAfter?: number;
}

function inWords(fields: Record<string, string>, error: AppError, language: Language): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([field, text]) => [field, say(language, text, error.params)]));
}

const AWAY = new Set<Trouble | undefined>(['busy', 'lost', 'failing', 'unopened']);

// The database's own message is only logged: the caller gets one that says what to do.
function storageFailure(error: unknown): AppError | undefined {
  const trouble = troubleOf(error);
  const full = trouble === 'full' ? storageFull(error) : fullDisk(error);
  if (full) return full;
  return AWAY.has(trouble) ? new AppError('unavailable', 'error.database') : undefined;
}

// An outside service may repeat secrets it was sent. Errors of kind `invalid` contain only the caller's own input: masking
// secrets in that would let anybody test whether a word is one.
const outgoing = ({ kind }: AppError, text: string): string => (kind === 'invalid' ? text : redact(text));

function usualRetry(error: AppError, status: number): number | undefined {
  if (isStorageTrouble(error)) return STORAGE_RETRY_S;
  return status === STATUS.too_many ? USUAL_RETRY_S : undefined;
}

/** Returns the answer for anything thrown. Except for storage failures, other errors than AppError are bugs: logged with their stack and an incident number. */
export function failureOf(thrown: unknown, language: Language, log: Logger): Failure {
  const error = thrown instanceof AppError ? thrown : storageFailure(thrown);
  if (!error) {
    const id = randomBytes(4).toString('hex');
    log.error({ err: thrown, incident: id }, 'request failed');
    return { status: 500, body: { error: translate(language, 'error.internal', { id }), code: 'internal' } };
  }
  if (error !== thrown) log.error({ err: thrown }, 'storage failed');
  const status = error.code === 'method_not_allowed' ? 405 : error.code === 'unknown_host' ? 421 : STATUS[error.kind];
  const body: Failure['body'] = { error: outgoing(error, error.in(language)), code: error.code, ...error.more };
  if (error.fields) body.fields = inWords(error.fields, error, language);
  const retryAfter = error.retryAfter ?? usualRetry(error, status);
  return retryAfter === undefined ? { status, body } : { status, body, retryAfter };
}
