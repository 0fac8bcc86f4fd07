import { ProviderError } from './provider-error.ts';

/** One call to an outside service. `body` is sent as JSON. */
export interface JsonRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: URL;
  headers: Record<string, string>;
  body?: unknown;
  /** For the whole call, including the reading of the answer. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** An answer of any status. `json` is undefined if the body is no JSON. */
export interface JsonAnswer {
  status: number;
  headers: Headers;
  json: unknown;
}

const MAX_BYTES = 8 * 2 ** 20;
const DROPPED = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * Makes one call, once: no retries, no redirects followed. Throws ProviderError `unavailable` if no answer came (`code` is the
 * system's), `malformed` if it is larger than 8 MB, and the signal's own reason if it was aborted. Messages of errors contain
 * no header, path or query.
 */
export async function requestJson(request: JsonRequest): Promise<JsonAnswer> {
  const { method, url, headers, body, timeoutMs, signal } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers: { accept: 'application/json', ...headers, ...(body !== undefined && JSON_BODY) },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    return { status: response.status, headers: response.headers, json: parse(await readText(response)) };
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    signal?.throwIfAborted();
    const code = timeout.aborted ? 'ETIMEDOUT' : systemCode(cause);
    throw new ProviderError('unavailable', `${url.host}: ${code ?? 'no answer'}`, { code, cause });
  }
}

const JSON_BODY = { 'content-type': 'application/json' };

/** Whether the connection broke during the call, which says nothing about the service's health. */
export const isDropped = (error: unknown): boolean =>
  error instanceof ProviderError && error.kind === 'unavailable' && DROPPED.has(String(error.code));

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new ProviderError('malformed', 'the answer is larger than 8 MB');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// fetch wraps the system's error, in one more layer if several addresses were tried.
function systemCode(error: unknown): string | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if ('code' in inner && typeof inner.code === 'string') return inner.code;
  }
  return undefined;
}
