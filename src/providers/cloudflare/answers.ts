import { z } from 'zod';
import type { JsonAnswer } from '../http.ts';
import { ProviderError } from '../provider-error.ts';

const Fault = z.object({
  code: z.number(),
  message: z.string(),
  error_chain: z
    .array(z.object({ code: z.number().optional(), message: z.string().optional() }))
    .nullish()
    .transform((chain) => chain ?? []),
});

const Envelope = z.object({
  success: z.boolean(),
  errors: z
    .array(Fault)
    .nullish()
    .transform((errors) => errors ?? []),
  result: z.unknown().optional(),
  result_info: z.unknown().optional(),
});
/** The envelope of every answer; `result` has yet to be checked. */
export type Envelope = z.infer<typeof Envelope>;

/** Code: the name of a zone is not registered, as far as the service knows. */
export const NOT_REGISTERED = 1049;
/** Code: a zone of this name exists already. */
export const ALREADY_EXISTS = 1061;

// Wrong headers, unknown key or e-mail, missing headers, not permitted, not authenticated: this may concern the login, or only this
// zone or permission. So may a 401 or 403, whatever its code.
const DENIED = new Set([1068, 6003, 6103, 6111, 9103, 9106, 9107, 9109, 10_000]);
/** Code: the request is never possible with a token that an account owns. */
export const NOT_BY_ACCOUNT = 1011;
// These concern one zone or record, whatever the status: not registered, exists, banned, tried too often, too many pending
// ones; conflicting and missing records.
const OF_ONE_THING = new Set([
  NOT_REGISTERED,
  ALREADY_EXISTS,
  1097,
  1105,
  1118,
  81_044,
  81_053,
  81_054,
  81_057,
  81_058,
]);

/** Code: there is no such call. */
export const NO_ROUTE = 7000;

const MAX_TEXT = 500;
// Longest domain name.
const MAX_NAME = 253;

/**
 * Returns the envelope of a successful answer. Throws ProviderError for any other, with Cloudflare's own text, cut to 500
 * characters, from which `hide` removes secrets.
 */
export function openEnvelope(answer: JsonAnswer, hide: (text: string) => string): Envelope {
  const { status, headers, json } = answer;
  const parsed = Envelope.safeParse(json);
  if (parsed.success && parsed.data.success && status < 300) return parsed.data;
  const errors = parsed.data?.errors ?? [];
  const text = errors.map(({ code, message, error_chain }) =>
    [`${message} (${code})`, ...error_chain.map(inWords)].join(': '),
  );
  const message = hide(text.join('; ')).slice(0, MAX_TEXT);
  const code = errors[0]?.code;
  const codes = errors.map(({ code }) => code);
  const kind = kindOf(status, codes, parsed.data?.success === false);
  const forbidden = kind === 'refused' && isDenial(status, codes);
  const details = { status, code, forbidden, retryAfter: status === 429 ? retryAfter(headers) : undefined };
  throw new ProviderError(kind, message || `HTTP ${status}`, details);
}

const isDenial = (status: number, codes: number[]): boolean =>
  !codes.some((code) => OF_ONE_THING.has(code)) &&
  (status === 401 || status === 403 || codes.some((code) => DENIED.has(code) || code === NOT_BY_ACCOUNT));

/** Whether a refusal may mean a wrong login or a missing permission; NOT_BY_ACCOUNT is not such a case. */
export const isDoubtful = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.forbidden && error.code !== NOT_BY_ACCOUNT;

/** Whether the service says that an object is not there; a page of status 404 says nothing. */
export const isMissing = (error: unknown): boolean =>
  error instanceof ProviderError && error.kind === 'refused' && error.status === 404;

/** Whether the login lacks the permission for a request. */
export const isForbidden = (error: unknown): boolean => error instanceof ProviderError && error.forbidden;

function kindOf(status: number, codes: number[], isRefusal: boolean): ProviderError['kind'] {
  if (codes.some((code) => OF_ONE_THING.has(code))) return 'refused';
  if (status === 429) return 'rate_limited';
  if (status >= 500) return 'unavailable';
  return isRefusal ? 'refused' : 'malformed';
}

const inWords = ({ code, message }: { code?: number | undefined; message?: string | undefined }): string =>
  `${message ?? ''}${code === undefined ? '' : ` (${code})`}`.trim();

// The header holds seconds, or a date.
function retryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null || text === '') return undefined;
  const seconds = /^-?\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

/** Parses a result by its schema. Throws ProviderError `malformed` with the names of wrong fields, without their values. */
export function take<Shape extends z.ZodType>(shape: Shape, result: unknown): z.output<Shape> {
  const parsed = shape.safeParse(result);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path }) => path.join('.') || 'result');
  throw malformed(`unexpected ${[...new Set(fields)].slice(0, 5).join(', ')}`);
}

/** Makes the ProviderError for an answer that is not what was asked for. */
export const malformed = (text: string): ProviderError => new ProviderError('malformed', text);

/** Throws `malformed` if an answer is about another object than the one asked for. */
export function mustBe(what: string, asked: string, answered: string): void {
  // Not truncated: a secret cut in half could no longer be masked.
  const shown = answered.length > MAX_NAME ? 'something longer' : answered;
  if (asked !== answered) throw malformed(`asked for ${what} ${asked}, answered for ${shown}`);
}
