import { AwsV4Signer } from 'aws4fetch';
import { createReadStream } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { ProviderError, type ProviderErrorKind } from '../provider-error.ts';
import { parseXml, textIn } from '../xml.ts';

/** A bucket of a storage that speaks S3: `url` is `https://host/bucket` and perhaps a prefix. */
export interface S3Place {
  url: string;
  region: string;
  keyId: string;
  secret: string;
}

/** Body of a call, with its SHA-256: a file, or a piece of one in memory. */
type Body = { sha256: string } & ({ path: string; bytes: number } | { content: Buffer });

/** A call that is signed and made once. */
export interface S3Call {
  method: 'GET' | 'PUT' | 'POST' | 'HEAD' | 'DELETE';
  url: URL;
  headers?: Record<string, string>;
  body?: Body;
}

/** Makes a call and returns the answer, whose body is to be read. Throws ProviderError for one that is no success. */
export type Ask = (call: S3Call) => Promise<IncomingMessage>;

// A line that is silent for so long is dead; a large file takes as long as it takes.
const SILENT_MS = 60_000;
const LONGEST_ANSWER = 16 * 2 ** 20;
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Reads an answer whole. Throws ProviderError for one that is too long, or breaks off. */
export async function textOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > LONGEST_ANSWER) throw new ProviderError('malformed', 'the answer is too long');
      parts.push(part);
    }
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    throw new ProviderError('unavailable', (cause as NodeJS.ErrnoException).code ?? 'the answer broke off', { cause });
  }
  return Buffer.concat(parts).toString('utf8');
}

const kindOf = (status: number): ProviderErrorKind => {
  if (status === 401 || status === 403) return 'credentials';
  if (status === 429 || status === 503) return 'rate_limited';
  return status >= 500 ? 'unavailable' : 'refused';
};

/** Returns the storage's own words in an answer: `NoSuchBucket: …`; '' where there are none. */
export function saidIn(text: string): string {
  try {
    const document = parseXml(text);
    return [textIn(document, 'Code'), textIn(document, 'Message')].filter(Boolean).join(': ').slice(0, 300);
  } catch {
    // A HEAD has no body, and a proxy answers with a page.
    return '';
  }
}

async function errorOf(answer: IncomingMessage): Promise<ProviderError> {
  const status = answer.statusCode ?? 0;
  const said = saidIn(await textOf(answer).catch(() => ''));
  return new ProviderError(kindOf(status), said || `HTTP ${status}`, { status });
}

async function signed({ region, keyId, secret }: S3Place, { method, url, headers, body }: S3Call) {
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? EMPTY_SHA256 },
    accessKeyId: keyId,
    secretAccessKey: secret,
    service: 's3',
    region,
  });
  return Object.fromEntries((await signer.sign()).headers);
}

const bytesOf = (body: Body | undefined): number =>
  body === undefined ? 0 : 'content' in body ? body.content.length : body.bytes;

/** Makes one call, as `Ask`. */
export async function ask(place: S3Place, call: S3Call): Promise<IncomingMessage> {
  const { method, url, body } = call;
  const headers: Record<string, string> = await signed(place, call);
  if (method === 'PUT' || method === 'POST') headers['content-length'] = String(bytesOf(body));
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = send(url, { method, headers, agent: false, timeout: SILENT_MS });
    const fail = (cause: NodeJS.ErrnoException): void =>
      reject(new ProviderError('unavailable', cause.code ?? cause.message, { cause }));
    request.once('response', resolve);
    request.once('error', fail);
    request.once('timeout', () => request.destroy(new Error('timeout')));
    if (!body) request.end();
    else if ('content' in body) request.end(body.content);
    else pipeline(createReadStream(body.path, { highWaterMark: 2 ** 18 }), request).catch(fail);
  });
  const status = answer.statusCode ?? 0;
  if (status < 200 || status > 299) throw await errorOf(answer);
  return answer;
}

/** Returns a header of an answer; '' where there is none. */
export const header = (answer: IncomingMessage, name: string): string => String(answer.headers[name] ?? '');

/** Returns the tag of what is stored; '' where it says nothing of the content, as in a bucket that encrypts with its own key. */
export function tagOf(answer: IncomingMessage): string {
  const tag = header(answer, 'etag').replaceAll('"', '');
  const isSum =
    /^[\da-f]{32}(?:-\d+)?$/.test(tag) && !header(answer, 'x-amz-server-side-encryption').startsWith('aws:kms');
  return isSum ? tag : '';
}
