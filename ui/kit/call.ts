import type { z } from 'zod';
import type { Api } from '../../src/api/index.ts';
import type { Answer } from '../../src/api/http/route.ts';
import { translate } from '../../src/shared/i18n/index.ts';
import { languageNow } from './reader/reader.ts';
import { addSecondFactor, endSession, sessionNow } from './session.ts';

export type Call = keyof Api;
export type AnswerOf<C extends Call> = Answer<Api[C]>;

/** The body of a call: the input of its shape, or a form with files. */
type BodyOf<C extends Call> = Api[C] extends { body: infer Shape extends z.ZodType }
  ? z.input<Shape> | FormData
  : undefined;

export interface Input<C extends Call = Call> {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | undefined>;
  body?: BodyOf<C>;
  signal?: AbortSignal;
  /** Goes on when the page is left; for bodies of less than 64 kB. */
  keepalive?: boolean;
  /** The last status that is a success, if not each of 2xx is one. */
  upTo?: number;
}

/** A failed call. `status` 0: the server was not reached; `retryAfter` is in seconds. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, string>;
  readonly retryAfter: number | undefined;
  /** The body of the answer: some failures have further members, such as a challenge. */
  body: object = {};

  constructor(status: number, code: string, message: string, fields: Record<string, string> = {}, retryAfter?: number) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.retryAfter = retryAfter;
  }
}

/** Returns what the server says, by what is wrong with each field where its sentence has only their names. */
function sentenceOf({ message, fields }: ApiError): string {
  const names = Object.keys(fields);
  const onlyNames = translate(languageNow(), 'error.invalid', { fields: names.join(', ') });
  if (names.length === 0 || message !== onlyNames) return message;
  // A path such as `dns.3.content` says which of many is meant; the name of a field says nothing to people.
  const told = Object.entries(fields).map(([name, text]) => (name.includes('.') ? `${name}: ${text}` : text));
  return [...new Set(told)].join('; ');
}

/** Returns the message to show for any thrown value. */
export const messageOf = (error: unknown): string =>
  error instanceof ApiError ? sentenceOf(error) : translate(languageNow(), 'ui.failed');

const BUSY_TRIES = 5;
// The seconds that a server may ask for in all: who waits longer has to be told why.
const BUSY_SECONDS = 10;

/**
 * Returns how long to wait before a reading call that has failed `count + 1` times is made again, in milliseconds: once after
 * a lost connection, and up to five times, as it asks, where the server is overloaded for a short time. Undefined: not again.
 */
export function pauseAfter(count: number, error: unknown): number | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 0) return count < 1 ? 1000 : undefined;
  const { status, retryAfter } = error;
  if (status !== 503 || retryAfter === undefined) return undefined;
  const isShort = count < BUSY_TRIES && retryAfter * (count + 1) <= BUSY_SECONDS;
  // Jitter: clients that got the same `Retry-After` must not return all at once.
  return isShort ? retryAfter * (1 + Math.random()) * 1000 : undefined;
}

interface ErrorBody {
  error?: string;
  code?: string;
  fields?: Record<string, string>;
}

// The server's text for an ended session, by status: the same in every language, and perhaps without a code.
const SESSION_ENDS = new Map([
  [401, 'No token provided'],
  [403, 'Failed to authenticate token'],
]);

function requestOf(call: Call, input: Omit<Input, 'body'>, body: unknown): [string, RequestInit] {
  const { params = {}, query = {}, signal, keepalive = false } = input;
  const [method = 'GET', path = ''] = call.split(' ');
  const address = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const search = new URLSearchParams(given).toString();
  const headers = new Headers({ 'Accept-Language': languageNow(), Accept: 'application/json' });
  if (sessionNow().token !== '') headers.set('Authorization', sessionNow().token);
  const form = body instanceof FormData ? body : undefined;
  if (body !== undefined && !form) headers.set('Content-Type', 'application/json');
  const init: RequestInit = { method, headers, credentials: 'same-origin', signal: signal ?? null, keepalive };
  if (body !== undefined) init.body = form ?? JSON.stringify(body);
  return [search === '' ? address : `${address}?${search}`, init];
}

/** Returns what an answer says; the bare "Not found" of the API tells a person neither of what nor why. */
function wordsOf({ error }: ErrorBody): string {
  const language = languageNow();
  if (error === translate(language, 'error.not_found')) return translate(language, 'ui.not_there');
  return error ?? translate(language, 'ui.failed');
}

async function fail(response: Response): Promise<never> {
  const body = (await response.json().catch(() => ({}))) as ErrorBody;
  if (body.error !== undefined && body.error === SESSION_ENDS.get(response.status)) endSession(body.error);
  const retryAfter = Number(response.headers.get('Retry-After')) || undefined;
  const message = wordsOf(body);
  if (body.code === 'second_factor_missing') addSecondFactor();
  const error = new ApiError(response.status, body.code ?? 'failed', message, body.fields, retryAfter);
  throw Object.assign(error, { body });
}

/**
 * Makes one call of the API, in the page's language. Throws ApiError; if the session has ended, leaves for the sign-in.
 */
export async function call<C extends Call>(name: C, input: Input<C> = {}): Promise<AnswerOf<C>> {
  const [address, init] = requestOf(name, input, input.body);
  const response = await fetch(address, init).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, 'unreachable', translate(languageNow(), 'ui.unreachable'));
  });
  if (response.status > (input.upTo ?? 299) || !response.ok) return fail(response);
  return (await response.json()) as AnswerOf<C>;
}

function send(address: string, init: RequestInit, onProgress: (part: number) => void): Promise<Response> {
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    request.open(init.method ?? 'GET', address);
    new Headers(init.headers).forEach((value, name) => request.setRequestHeader(name, value));
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener('load', () => resolve(new Response(request.responseText, { status: request.status })));
    request.addEventListener('error', reject);
    request.send(init.body as FormData);
  });
}

/** Sends a form with a file by XMLHttpRequest, because fetch reports no upload progress; `onProgress` gets 0 to 1. */
export async function upload<C extends Call>(
  name: C,
  input: Input<C>,
  onProgress: (part: number) => void,
): Promise<AnswerOf<C>> {
  const [address, init] = requestOf(name, input, input.body);
  const response = await send(address, init, onProgress).catch(() => {
    throw new ApiError(0, 'unreachable', translate(languageNow(), 'ui.unreachable'));
  });
  if (!response.ok) return fail(response);
  return (await response.json()) as AnswerOf<C>;
}

/**
 * Opens a call whose response is a text stream, which lasts until it is read to its end or the signal fires. The
 * browser's own EventSource cannot send a token.
 */
export async function openStream(
  name: Call,
  lastEventId: string,
  signal: AbortSignal,
): Promise<ReadableStream<string>> {
  const [address, init] = requestOf(name, { signal }, undefined);
  const headers = new Headers(init.headers);
  headers.set('Accept', 'text/event-stream');
  if (lastEventId !== '') headers.set('Last-Event-ID', lastEventId);
  const response = await fetch(address, { ...init, headers });
  if (!response.ok || !response.body) return fail(response);
  return response.body.pipeThrough(new TextDecoderStream());
}
