import { measuringCall } from '../lib/measures.ts';
import { confirmSending } from '../lib/outgoing/line.ts';
import { ProviderError } from './provider-error.ts';

interface Request {
  /** The word that measures are told under, one of a few. */
  service: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: URL;
  headers: Record<string, string>;
  /** For the whole call, including the reading of the answer. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** One call to an outside service. `body` is sent as JSON. */
export interface JsonRequest extends Request {
  body?: unknown;
}

/** One call to an outside service whose body is text; a form is `URLSearchParams`. */
export interface TextRequest extends Request {
  body?: string | URLSearchParams;
}

interface Answer {
  status: number;
  headers: Headers;
}

/** An answer of any status. `json` is undefined if the body is no JSON. */
export interface JsonAnswer extends Answer {
  json: unknown;
}

/**
 * An answer of any status. `text` is decoded by its byte order mark, the charset of the header, that of the XML declaration, or as
 * UTF-8: the first that fits.
 */
export interface TextAnswer extends Answer {
  text: string;
}

const MAX_BYTES = 8 * 2 ** 20;
// There was no connection on which a request could have been sent.
const UNSENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const DROPPED = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * Makes one call, once: no retries, no redirects followed. Throws ProviderError `unavailable` if no answer came (`code` is the
 * system's), `malformed` if it is larger than 8 MB, the signal's own reason if it was aborted, and as `confirmSending`. Messages of errors contain
 * no header, path or query.
 */
export async function requestJson({ body, headers, ...request }: JsonRequest): Promise<JsonAnswer> {
  const { bytes, ...answer } = await send({
    ...request,
    headers: { accept: 'application/json', ...headers, ...(body !== undefined && JSON_BODY) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { ...answer, json: parse(new TextDecoder().decode(bytes)) };
}

/** Makes one call as `requestJson` does, with a body and an answer of text, such as a form and XML. */
export async function requestText({ body = '', ...request }: TextRequest): Promise<TextAnswer> {
  const { bytes, ...answer } = await send({ ...request, body: body === '' ? null : body });
  return { ...answer, text: decode(bytes, answer.headers.get('content-type') ?? '') };
}

type Outgoing = Request & { body: string | URLSearchParams | null };

// Words of an API, such as `dns_records`, `v4` and `sendMessage`. Anything else in a path may be a name, a number or a token.
const WORD = /^(?:[a-z][a-zA-Z_-]{0,23}\d?)?$/;

/** Returns a path with `:id` for each part that is no word of an API. */
export const templateOf = (path: string): string =>
  path
    .split('/')
    .map((part) => (WORD.test(part) ? part : ':id'))
    .join('/');

async function send(request: Outgoing): Promise<Answer & { bytes: Uint8Array }> {
  if (request.method !== 'GET') await confirmSending();
  return measuringCall(
    request.service,
    () => sendOnce(request),
    request.signal,
    () => ({ method: request.method, path: templateOf(request.url.pathname) }),
  );
}

async function sendOnce(request: Outgoing): Promise<Answer & { bytes: Uint8Array }> {
  const { method, url, headers, body, timeoutMs, signal } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers,
      body,
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    return { status: response.status, headers: response.headers, bytes: await read(response) };
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    signal?.throwIfAborted();
    const code = timeout.aborted ? 'ETIMEDOUT' : systemCode(cause);
    const unsent = code !== undefined && UNSENT.has(code);
    throw new ProviderError('unavailable', `${url.host}: ${code ?? 'no answer'}`, { code, cause, unsent });
  }
}

const JSON_BODY = { 'content-type': 'application/json' };

/** Whether the connection broke during the call, which says nothing about the service's health. */
export const isDropped = (error: unknown): boolean =>
  error instanceof ProviderError && error.kind === 'unavailable' && DROPPED.has(String(error.code));

async function read(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new ProviderError('malformed', 'the answer is larger than 8 MB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const CHARSET = /charset=["']?([\w-]+)/i;
const XML_ENCODING = /^\s*<\?xml[^>]{0,100}encoding=["']([\w-]{1,40})["']/;

// How documents begin: with a byte order mark, or in UTF-16 with `<?`.
const BEGINNINGS: readonly [bytes: readonly number[], name: string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0x3c, 0, 0x3f, 0], 'utf-16le'],
  [[0, 0x3c, 0, 0x3f], 'utf-16be'],
];

/** Decodes a text by its first bytes, then by the first encoding of those it names that its bytes are of, then as UTF-8. */
function decode(bytes: Uint8Array, contentType: string): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const [, begun] = BEGINNINGS.find(([first]) => first.every((byte, at) => bytes[at] === byte)) ?? [];
  const named = [CHARSET.exec(contentType)?.[1], XML_ENCODING.exec(start)?.[1]];
  // A text that does not begin as UTF-16 is not UTF-16, whatever it declares.
  const names = begun === undefined ? named.filter((name) => name && !/^utf-?16/i.test(name)) : [begun];
  for (const name of names) {
    try {
      return new TextDecoder(name, { fatal: true }).decode(bytes);
    } catch {
      continue;
    }
  }
  return new TextDecoder(begun).decode(bytes);
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
