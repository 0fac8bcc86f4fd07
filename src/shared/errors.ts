import { translate, type Key, type Language, type Params } from './i18n/index.ts';

/**
 * Kinds of failure that the caller can act on. The HTTP door turns a kind into a status, the CLI into an exit code.
 * Anything thrown that is not an AppError is a bug.
 */
export type ErrorKind =
  | 'invalid' // 400, exit 2: the input is not what the call takes
  | 'no_token' // 401
  | 'bad_login' // 401 without a token having been asked for
  | 'bad_token' // 403, the session's end
  | 'forbidden' // 403, exit 4: a valid caller without the right
  | 'not_found' // 404, exit 1: unknown, or not the caller's, which look the same
  | 'conflict' // 409, exit 1
  | 'too_large' // 413
  | 'wrong_type' // 415
  | 'refused' // 422, exit 1: well-formed, but what it names can't be used
  | 'too_many' // 429, exit 6
  | 'upstream' // 502, exit 6: an outside service failed
  | 'unavailable' // 503, exit 6: we cannot, right now
  | 'not_configured' // 503, exit 4
  | 'busy'; // 409, exit 75: the same work is already running elsewhere

/** Details of an AppError. `fields` maps an input field to its message (a key or a text); `retryAfter` is in seconds. */
export interface ErrorDetails {
  code?: string;
  fields?: Record<string, string>;
  retryAfter?: number;
  /** Further members of the answer, such as a challenge. */
  more?: Record<string, unknown>;
  cause?: unknown;
}

/**
 * An expected failure. `key` and `params` name its sentence in the catalogues, which a person can act on; `message` is
 * that sentence in the default language. `code` is the kind unless the case has a name of its own.
 */
export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly key: Key;
  readonly params: Params;
  readonly code: string;
  readonly fields: Record<string, string> | undefined;
  readonly retryAfter: number | undefined;
  readonly more: Record<string, unknown> | undefined;

  constructor(kind: ErrorKind, key: Key, params: Params = {}, details: ErrorDetails = {}) {
    super(translate('ru', key, params), { cause: details.cause });
    this.name = 'AppError';
    this.kind = kind;
    this.key = key;
    this.params = params;
    this.code = details.code ?? kind;
    this.fields = details.fields;
    this.retryAfter = details.retryAfter;
    this.more = details.more;
  }

  /** The sentence in a language. */
  in(language: Language): string {
    return translate(language, this.key, this.params);
  }
}

/** Makes the error for an id in a path that is unknown or somebody else's: the same for both, so that ids can't be probed. */
export const notFound = (): AppError => new AppError('not_found', 'error.not_found');

/** Nouns that can be named on the command line. */
type Noun =
  | 'project'
  | 'domain'
  | 'operation'
  | 'purchase'
  | 'change'
  | 'rule'
  | 'token'
  | 'notice'
  | 'cloudflare_groups'
  | 'templates';

/** Makes the error for a typed name or number that is unknown or somebody else's. */
export const noSuch = (noun: Noun, what: string): AppError =>
  new AppError('not_found', `error.no_such_${noun}`, { what });

/** Makes what a look-up by number throws name the number; any other failure stays. */
export function namesMissing(noun: Noun, id: number): (error: unknown) => never {
  return (error) => {
    throw error instanceof AppError && error.kind === 'not_found' ? noSuch(noun, `#${id}`) : error;
  };
}

/**
 * Makes the error for what a body refers to that does not exist or is not the caller's to use: the same for both. `domains` are the names
 * that are so, for a door whose callers do not know the field.
 */
export function unknownReference(field: string, domains: readonly string[] = []): AppError {
  const named = domains.length > 0 && { domains: domains.join(', ') };
  const params = { field, ...named };
  return new AppError('refused', 'error.unknown_reference', params, { fields: { [field]: `Unknown ${field}` } });
}
