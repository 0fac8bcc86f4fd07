import { open } from 'node:fs/promises';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { redactorOf } from '../../lib/redactor.ts';
import { AppError } from '../../shared/errors.ts';

/** Validators of the last answer for a conditional request; null if it had none. */
export interface Validators {
  etag: string | null;
  last_modified: string | null;
}

/** `unchanged`: the source has nothing newer than the validators that were sent, and nothing was written. */
export type Fetched = { status: 'unchanged' } | ({ status: 'new' } & Validators);

/** Limits of one download, in milliseconds and bytes; a test makes them small. */
export interface FetchLimits {
  silenceMs: number;
  totalMs: number;
  maxBytes: number;
  maxRedirects: number;
}

const LIMITS: FetchLimits = { silenceMs: 30_000, totalMs: 15 * 60_000, maxBytes: 2 ** 30, maxRedirects: 5 };

/**
 * Downloads a list to `path`, unless the source reports no change. Redirects are followed, but not from https to http. `ending`
 * aborts it. Throws AppErrors `upstream` and `too_large`; the caller must then remove the file.
 */
export async function fetchList(
  url: URL,
  path: string,
  known: Validators,
  onBytes: (bytes: number, total: number | null) => void,
  limits: FetchLimits = LIMITS,
  ending?: AbortSignal,
): Promise<Fetched> {
  const timeout = AbortSignal.timeout(limits.totalMs);
  const signal = ending ? AbortSignal.any([timeout, ending]) : timeout;
  try {
    const response = await follow(url, known, signal, limits);
    if (response.statusCode === 304) {
      response.resume();
      return { status: 'unchanged' };
    }
    await save(response, path, signal, limits, onBytes);
    return {
      status: 'new',
      etag: response.headers.etag ?? null,
      last_modified: response.headers['last-modified'] ?? null,
    };
  } catch (error) {
    if (error instanceof AppError) throw error;
    const reason = timeout.aborted ? 'ETIMEDOUT' : ((error as NodeJS.ErrnoException).code ?? (error as Error).message);
    const { hide, hideIn } = redactorOf([url.password, decoded(url.password), ...url.searchParams.values()]);
    const params = { host: url.host, reason: hide(reason) };
    throw new AppError('upstream', 'blocklist.no_answer', params, { cause: hideIn(error) });
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function follow(
  first: URL,
  known: Validators,
  signal: AbortSignal,
  limits: FetchLimits,
): Promise<IncomingMessage> {
  let url = first;
  for (let hops = 0; ; hops++) {
    const response = await ask(url, known, signal, limits.silenceMs);
    const { statusCode = 0, headers } = response;
    const isConditional = known.etag !== null || known.last_modified !== null;
    if (statusCode === 200 || (statusCode === 304 && isConditional)) return response;
    response.destroy();
    if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) {
      throw new AppError('upstream', 'blocklist.bad_answer', { host: url.host, status: String(statusCode) });
    }
    const next = URL.canParse(headers.location, url.href) ? new URL(headers.location, url) : null;
    const isAllowed = next?.protocol === 'https:' || (next?.protocol === 'http:' && url.protocol === 'http:');
    if (next === null || !isAllowed || hops === limits.maxRedirects) {
      throw new AppError('upstream', 'blocklist.bad_redirect', { host: url.host });
    }
    url = next;
  }
}

function ask(url: URL, known: Validators, signal: AbortSignal, silenceMs: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    const outgoing = request(url, {
      signal,
      timeout: silenceMs,
      headers: {
        'user-agent': 'seo-admin (blocklist update)',
        accept: '*/*',
        // A list may itself be gzip; a content encoding on top could not be told from it.
        'accept-encoding': 'identity',
        ...(known.etag !== null && { 'if-none-match': known.etag }),
        ...(known.last_modified !== null && { 'if-modified-since': known.last_modified }),
      },
    });
    outgoing.on('timeout', () => outgoing.destroy(Object.assign(new Error('silence'), { code: 'ETIMEDOUT' })));
    outgoing.on('response', resolve);
    outgoing.on('error', reject);
    outgoing.end();
  });
}

async function save(
  response: IncomingMessage,
  path: string,
  signal: AbortSignal,
  { maxBytes }: FetchLimits,
  onBytes: (bytes: number, total: number | null) => void,
): Promise<void> {
  const length = Number(response.headers['content-length']);
  const total = length > 0 ? length : null;
  let bytes = 0;
  const tooLarge = () =>
    new AppError('too_large', 'blocklist.too_large', { limit: `${Math.round(maxBytes / 2 ** 20)} MB` });
  if ((total ?? 0) > maxBytes) {
    response.destroy();
    throw tooLarge();
  }
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      onBytes(bytes, total);
      if (bytes > maxBytes) done(tooLarge());
      else done(null, chunk);
    },
  });
  // Opened first: a stream that is destroyed while it opens its file creates it after the failure, when nobody removes it.
  const file = await open(path, 'wx');
  await pipeline(response, counter, file.createWriteStream(), { signal });
}
