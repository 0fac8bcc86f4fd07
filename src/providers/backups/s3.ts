import { AwsV4Signer } from 'aws4fetch';
import { createReadStream, createWriteStream } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { measuringCall } from '../../lib/measures.ts';
import { redacting, redactorOf } from '../../lib/redactor.ts';
import { ProviderError, type ProviderErrorKind } from '../provider-error.ts';
import { find, findAll, parseXml, textIn } from '../xml.ts';
import type { CopyTarget, StoredFile } from './target.ts';

/** A bucket of a storage that speaks S3: `url` is `https://host/bucket` and perhaps a prefix. */
export interface S3Place {
  url: string;
  region: string;
  keyId: string;
  secret: string;
}

// A line that is silent for so long is dead; a large file takes as long as it takes.
const SILENT_MS = 60_000;
const LONGEST_ANSWER = 16 * 2 ** 20;
// One PUT takes no more, at AWS and those that follow it.
const MOST_BYTES = 5 * 2 ** 30;
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

interface Call {
  method: 'GET' | 'PUT' | 'HEAD' | 'DELETE';
  url: URL;
  headers?: Record<string, string>;
  /** A file that is the body, with its size and sum. */
  body?: { path: string; bytes: number; sha256: string };
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > LONGEST_ANSWER) throw new ProviderError('malformed', 'the answer is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

const kindOf = (status: number): ProviderErrorKind => {
  if (status === 401 || status === 403) return 'credentials';
  if (status === 429 || status === 503) return 'rate_limited';
  return status >= 500 ? 'unavailable' : 'refused';
};

/** Makes the error of an answer that is no success, with the storage's own code: `NoSuchBucket`, `SignatureDoesNotMatch`. */
async function errorOf(answer: IncomingMessage): Promise<ProviderError> {
  const status = answer.statusCode ?? 0;
  const text = await textOf(answer).catch(() => '');
  let said = '';
  try {
    const document = parseXml(text);
    said = [textIn(document, 'Code'), textIn(document, 'Message')].filter(Boolean).join(': ').slice(0, 300);
  } catch {
    // A HEAD has no body, and a proxy answers with a page.
  }
  return new ProviderError(kindOf(status), said || `HTTP ${status}`, { status });
}

async function signed({ region, keyId, secret }: S3Place, { method, url, headers, body }: Call) {
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

/** Makes one call and returns the answer, whose body is to be read. Throws ProviderError for one that is no success. */
async function ask(place: S3Place, call: Call): Promise<IncomingMessage> {
  const { method, url, body } = call;
  const headers: Record<string, string> = await signed(place, call);
  if (method === 'PUT') headers['content-length'] = String(body?.bytes ?? 0);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = send(url, { method, headers, agent: false, timeout: SILENT_MS });
    const fail = (cause: NodeJS.ErrnoException): void =>
      reject(new ProviderError('unavailable', cause.code ?? cause.message, { cause }));
    request.once('response', resolve);
    request.once('error', fail);
    request.once('timeout', () => request.destroy(new Error('timeout')));
    if (!body) request.end();
    else pipeline(createReadStream(body.path, { highWaterMark: 2 ** 18 }), request).catch(fail);
  });
  const status = answer.statusCode ?? 0;
  if (status < 200 || status > 299) throw await errorOf(answer);
  return answer;
}

const header = (answer: IncomingMessage, name: string): string => String(answer.headers[name] ?? '');

/** Opens a bucket. Nothing is asked before the first call. */
export function openS3(place: S3Place): CopyTarget {
  const base = new URL(place.url);
  const [, bucket = '', ...folders] = base.pathname.split('/').filter((part, index) => part !== '' || index === 0);
  const prefix = folders.map((part) => `${decodeURIComponent(part)}/`).join('');
  const urlOf = (key: string): URL =>
    new URL(`/${[bucket, ...key.split('/').map(encodeURIComponent)].join('/')}`, base);
  const call = (given: Call): Promise<IncomingMessage> => measuringCall('s3', () => ask(place, given));

  async function* pages(): AsyncGenerator<StoredFile[]> {
    for (let token = ''; ;) {
      const url = new URL(`/${bucket}`, base);
      url.search = new URLSearchParams({
        'list-type': '2',
        prefix,
        ...(token !== '' && { 'continuation-token': token }),
      }).toString();
      const document = parseXml(await textOf(await call({ method: 'GET', url })));
      if (document.name !== 'ListBucketResult') throw new ProviderError('malformed', 'the answer is no list');
      yield findAll(document, 'Contents').map((entry) => ({
        name: (find(entry, 'Key')?.text ?? '').slice(prefix.length),
        bytes: Number(textIn(entry, 'Size')),
      }));
      token = textIn(document, 'NextContinuationToken');
      if (textIn(document, 'IsTruncated') !== 'true' || token === '') return;
    }
  }

  const target: CopyTarget = {
    list: async () => {
      const files: StoredFile[] = [];
      for await (const page of pages()) files.push(...page.filter(({ name }) => name !== '' && !name.includes('/')));
      return files;
    },
    // An object appears whole or not at all: no draft is needed.
    put: async (name, { path, bytes, sha256, md5 }) => {
      if (bytes > MOST_BYTES) throw new ProviderError('refused', `${bytes} bytes: one upload takes ${MOST_BYTES}`);
      const url = urlOf(prefix + name);
      const sent = await call({
        method: 'PUT',
        url,
        headers: { 'content-type': 'application/octet-stream', 'x-amz-meta-sha256': sha256 },
        body: { path, bytes, sha256 },
      });
      await textOf(sent);
      const stored = await call({ method: 'HEAD', url });
      stored.resume();
      const etag = header(stored, 'etag').replaceAll('"', '');
      // A bucket that encrypts with its own key has other tags.
      const isOther =
        /^[\da-f]{32}$/.test(etag) && header(stored, 'x-amz-server-side-encryption') !== 'aws:kms' && etag !== md5;
      if (
        isOther ||
        Number(header(stored, 'content-length')) !== bytes ||
        header(stored, 'x-amz-meta-sha256') !== sha256
      ) {
        throw new ProviderError('malformed', `${name}: what is stored is not what was sent`);
      }
    },
    get: async (name, path) => {
      const answer = await call({ method: 'GET', url: urlOf(prefix + name) });
      await pipeline(answer, createWriteStream(path, { mode: 0o600 }));
    },
    remove: async (name) => {
      await textOf(await call({ method: 'DELETE', url: urlOf(prefix + name) }));
    },
    close: async () => undefined,
  };
  return redacting(target, redactorOf([place.secret]));
}
