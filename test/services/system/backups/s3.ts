// A storage that speaks as much of S3 as backups need, and verifies every signature by itself.
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A fault of the storage. At the next upload, or part of one, it cuts the line in the middle, stores another content, refuses it, or is
 * away. At the next call that puts parts together it does so and loses the answer, or says with status 200 that it could not.
 */
export type S3Fault = 'cut' | 'other' | 'refuse' | 'away' | 'lost-end' | 'late-error';

interface Upload {
  key: string;
  sha256: string;
  at: string;
  parts: Map<number, Buffer>;
}

/** A running storage with one bucket. `objects` are its files by key; `faults` are used up, one for each upload. */
export interface S3 {
  url: string;
  objects: Map<string, { content: Buffer; sha256: string; parts?: number }>;
  /** Uploads in parts that nobody has ended, by id. */
  uploads: Map<string, Upload>;
  faults: S3Fault[];
  requests: string[];
  close: () => Promise<void>;
}

export const S3_LOGIN = { keyId: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI+bPxRfiCY/EXAMPLEKEY', region: 'ru-1' };
/** How large the parts are that tests send. */
export const S3_PART = 64 * 1_024;
const BUCKET = 'backups';
// Few, so that a list has several pages.
const PAGE = 2;

const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** Whether a request is signed with our secret, its body's sum included, as AWS's document of Signature Version 4 says. */
function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const given = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
    request.headers.authorization ?? '',
  );
  const [, credential = '', signedHeaders = '', signature = ''] = given ?? [];
  const [keyId, day = '', region = '', service = ''] = credential.split('/');
  const names = signedHeaders.split(';');
  const sum = String(request.headers['x-amz-content-sha256']);
  const needed = ['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.includes(name));
  if (!given || keyId !== S3_LOGIN.keyId || region !== S3_LOGIN.region || !needed || sum !== sha256(body)) return false;
  const url = new URL(request.url ?? '/', 'http://x');
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).toSorted();
  const canonical = [
    request.method,
    url.pathname
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/'),
    query.join('&'),
    ...names.map((name) => `${name}:${String(request.headers[name]).trim()}`),
    '',
    signedHeaders,
    sum,
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${S3_LOGIN.secret}`);
  return hmac(key, text).toString('hex') === signature;
}

const fail = (response: ServerResponse, status: number, code: string): void => {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(
    `<Error><Code>${code}</Code><Message>${code === 'AccessDenied' ? S3_LOGIN.secret : code}</Message></Error>`,
  );
};

function list({ objects }: S3, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).toSorted();
  const start = Number(query.get('continuation-token') ?? 0);
  const page = keys.slice(start, start + PAGE);
  const isCut = start + PAGE < keys.length;
  const contents = page.map(
    (key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)?.content.length}</Size></Contents>`,
  );
  const next = isCut ? `<NextContinuationToken>${start + PAGE}</NextContinuationToken>` : '';
  return `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>${isCut}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`;
}

/** Returns the tag of a whole that came in parts of one size, but for the last. */
function tagInParts(content: Buffer, parts: number): string {
  const size = S3_PART;
  const sums = Array.from({ length: parts }, (_, index) => content.subarray(index * size, (index + 1) * size)).map(md5);
  return `${md5(Buffer.from(sums.join(''), 'hex'))}-${parts}`;
}

const md5 = (content: Buffer): string => createHash('md5').update(content).digest('hex');

const listUploads = ({ uploads }: S3): string =>
  `<ListMultipartUploadsResult>${[...uploads].map(([id, { key, at }]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${at}</Initiated></Upload>`).join('')}</ListMultipartUploadsResult>`;

/** Puts the parts together that are named, in their order. */
function complete(s3: S3, id: string, body: string, response: ServerResponse): void {
  const upload = s3.uploads.get(id);
  if (!upload) return fail(response, 404, 'NoSuchUpload');
  const isAtEnd = s3.faults[0] === 'lost-end' || s3.faults[0] === 'late-error';
  const fault = isAtEnd ? s3.faults.shift() : undefined;
  if (fault === 'late-error')
    return void response.end('<Error><Code>InternalError</Code><Message>again</Message></Error>');
  const named = [...body.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"([\da-f]+)"<\/ETag>/g)];
  const parts = named.map(([, number, tag]) => {
    const part = upload.parts.get(Number(number));
    return part && md5(part) === tag ? part : undefined;
  });
  const whole = parts.filter((part) => part !== undefined);
  if (whole.length < parts.length || parts.length === 0) return fail(response, 400, 'InvalidPart');
  s3.objects.set(upload.key, { content: Buffer.concat(whole), sha256: upload.sha256, parts: parts.length });
  s3.uploads.delete(id);
  if (fault === 'lost-end') return void response.socket?.destroy();
  response.end('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>');
}

/** Answers what is about an upload in parts; false: the request is about none. */
function answerUpload(
  s3: S3,
  request: IncomingMessage,
  url: URL,
  key: string,
  body: Buffer,
  response: ServerResponse,
): boolean {
  const { searchParams: query } = url;
  const id = query.get('uploadId') ?? '';
  const upload = s3.uploads.get(id);
  if (query.has('uploads') && request.method === 'GET') response.end(listUploads(s3));
  else if (query.has('uploads')) {
    const made = `upload-${s3.requests.length}+/=`;
    const sum = String(request.headers['x-amz-meta-sha256']);
    s3.uploads.set(made, { key, sha256: sum, at: new Date().toISOString(), parts: new Map() });
    response.end(`<InitiateMultipartUploadResult><UploadId>${made}</UploadId></InitiateMultipartUploadResult>`);
  } else if (id === '') return false;
  else if (!upload || upload.key !== key) fail(response, 404, 'NoSuchUpload');
  else if (request.method === 'DELETE') {
    s3.uploads.delete(id);
    response.writeHead(204).end();
  } else if (request.method === 'POST') complete(s3, id, body.toString(), response);
  else {
    const content = stored(s3, body, response);
    if (content) {
      upload.parts.set(Number(query.get('partNumber')), content);
      response.writeHead(200, { etag: `"${md5(content)}"` }).end();
    }
  }
  return true;
}

/** Returns what is stored of an upload; null: it was answered otherwise. */
function stored(s3: S3, body: Buffer, response: ServerResponse): Buffer | null {
  const isForEnd = s3.faults[0] === 'lost-end' || s3.faults[0] === 'late-error';
  const fault = isForEnd ? undefined : s3.faults.shift();
  if (fault === 'refuse') fail(response, 403, 'AccessDenied');
  else if (fault === 'away') fail(response, 500, 'InternalError');
  else return fault === 'other' ? Buffer.concat([body.subarray(1), Buffer.from('x')]) : body;
  return null;
}

/** Answers a signed request. */
function answer(s3: S3, request: IncomingMessage, body: Buffer, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://x');
  const [, bucket, ...rest] = url.pathname.split('/').map(decodeURIComponent);
  const key = rest.join('/');
  if (bucket !== BUCKET) return fail(response, 404, 'NoSuchBucket');
  if (answerUpload(s3, request, url, key, body, response)) return;
  if (request.method === 'GET' && key === '') return void response.end(list(s3, url.searchParams));
  if (request.method === 'PUT') {
    const content = stored(s3, body, response);
    if (!content) return;
    s3.objects.set(key, { content, sha256: String(request.headers['x-amz-meta-sha256']) });
    return void response.end();
  }
  const found = s3.objects.get(key);
  if (request.method === 'DELETE') {
    s3.objects.delete(key);
    response.writeHead(204);
    return void response.end();
  }
  if (!found) return fail(response, 404, 'NoSuchKey');
  response.writeHead(200, {
    'content-length': found.content.length,
    // The tag of a whole that came in parts says how many: what it is the sum of only its parts tell.
    etag: found.parts ? `"${tagInParts(found.content, found.parts)}"` : `"${md5(found.content)}"`,
    'x-amz-meta-sha256': found.sha256,
  });
  response.end(request.method === 'HEAD' ? undefined : found.content);
}

/** Starts a storage on loopback. */
export async function startS3(): Promise<S3> {
  const server = createServer((request, response) => {
    void (async () => {
      s3.requests.push(`${request.method} ${request.url}`);
      const parts: Buffer[] = [];
      for await (const part of request as AsyncIterable<Buffer>) {
        parts.push(part);
        if (request.method === 'PUT' && s3.faults[0] === 'cut') {
          s3.faults.shift();
          return void request.socket.destroy();
        }
      }
      const body = Buffer.concat(parts);
      if (request.method === 'PUT' && request.headers['content-length'] === undefined) {
        return fail(response, 411, 'MissingContentLength');
      }
      if (!isSigned(request, body)) return fail(response, 403, 'SignatureDoesNotMatch');
      answer(s3, request, body, response);
    })().catch(() => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const s3: S3 = {
    url: `http://127.0.0.1:${port}/${BUCKET}/seo admin`.replace(' ', '%20'),
    objects: new Map(),
    uploads: new Map(),
    faults: [],
    requests: [],
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return s3;
}
