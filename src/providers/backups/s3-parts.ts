// A large file goes in parts: a broken line costs one of them, and a storage takes no more than 5 GB at once.
import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProviderError } from '../provider-error.ts';
import { find, findAll, parseXml, textIn } from '../xml.ts';
import { header, saidIn, textOf, type Ask } from './s3-call.ts';
import type { Sending } from './target.ts';

/** How a large file is cut and tried: set by tests only. A file of one part goes as a whole. */
export interface PartSizes {
  partBytes: number;
  pauseMs: number;
}

export const USUAL_PARTS: PartSizes = { partBytes: 16 * 2 ** 20, pauseMs: 1_000 };

const TRIES = 5;
// A storage takes 10,000 parts of an upload; the last one may be small.
const MOST_PARTS = 9_000;
const LEFT_MS = 24 * 3_600_000;

/** Returns how large the parts of a file are: the usual size, or more where there would be too many of them. */
export const partBytesOf = (bytes: number, { partBytes }: PartSizes): number =>
  Math.max(partBytes, Math.ceil(bytes / MOST_PARTS / 2 ** 20) * 2 ** 20 * Number(bytes > partBytes * MOST_PARTS));

const isPassing = (error: unknown): boolean =>
  error instanceof ProviderError && ['unavailable', 'rate_limited', 'malformed'].includes(error.kind);

async function patiently<T>(pauseMs: number, work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (tried >= TRIES || !isPassing(error)) throw error;
      await sleep(pauseMs * 2 ** (tried - 1) * (0.75 + Math.random() / 2));
    }
  }
}

const sumOf = (name: 'sha256' | 'md5', content: Buffer): string => createHash(name).update(content).digest('hex');

/** Reads a piece of a file into a buffer that every piece shares: memory stays that of one part. */
async function readPart(file: FileHandle, buffer: Buffer, position: number): Promise<Buffer> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

interface Upload {
  ask: Ask;
  url: URL;
  id: string;
}

const withQuery = (url: URL, query: Record<string, string>): URL => {
  const asked = new URL(url);
  asked.search = new URLSearchParams(query).toString();
  return asked;
};

/** Sends one part and returns its tag and its MD5. That it arrives as it is, the storage sees by the sum that is signed with it; its tag may be of any kind. */
async function sendPart(
  { ask, url, id }: Upload,
  number: number,
  content: Buffer,
): Promise<{ tag: string; md5: string }> {
  const answer = await ask({
    method: 'PUT',
    url: withQuery(url, { partNumber: String(number), uploadId: id }),
    body: { content, sha256: sumOf('sha256', content) },
  });
  await textOf(answer);
  return { tag: header(answer, 'etag').replaceAll('"', ''), md5: sumOf('md5', content) };
}

async function begin(ask: Ask, url: URL, sha256: string): Promise<string> {
  const headers = { 'content-type': 'application/octet-stream', 'x-amz-meta-sha256': sha256 };
  const id = textIn(
    parseXml(await textOf(await ask({ method: 'POST', url: withQuery(url, { uploads: '' }), headers }))),
    'UploadId',
  );
  if (id === '') throw new ProviderError('malformed', 'the answer has no UploadId');
  return id;
}

/** Puts the parts together. An error may come with status 200. The caller looks whether the whole is stored: the answer may be lost. */
async function complete({ ask, url, id }: Upload, tags: readonly string[]): Promise<void> {
  const parts = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>"${tag}"</ETag></Part>`);
  const content = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
  const body = { content, sha256: sumOf('sha256', content) };
  const text = await textOf(await ask({ method: 'POST', url: withQuery(url, { uploadId: id }), body }));
  if (/<Error[\s>]/.test(text))
    throw new ProviderError('unavailable', saidIn(text) || 'the parts were not put together');
}

/**
 * Sends a file in parts, each tried five times, and returns the tag that the whole has then. A failure aborts the upload. `isStored`
 * looks whether the whole is there: asked where the answer to the last call was lost.
 */
export async function sendInParts(
  ask: Ask,
  url: URL,
  { path, bytes, sha256 }: Sending,
  sizes: PartSizes,
  isStored: (tag: string) => Promise<boolean>,
): Promise<string> {
  const upload: Upload = { ask, url, id: await patiently(sizes.pauseMs, () => begin(ask, url, sha256)) };
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(partBytesOf(bytes, sizes));
    const tags: string[] = [];
    const whole = createHash('md5');
    for (let at = 0; at < bytes; at += buffer.length) {
      const content = await readPart(file, buffer, at);
      const { tag, md5 } = await patiently(sizes.pauseMs, () => sendPart(upload, tags.length + 1, content));
      tags.push(tag);
      whole.update(Buffer.from(md5, 'hex'));
    }
    const tag = `${whole.digest('hex')}-${tags.length}`;
    await patiently(sizes.pauseMs, () =>
      complete(upload, tags).catch(async (error: unknown) => {
        if (!(await isStored(tag).catch(() => false))) throw error;
      }),
    );
    return tag;
  } catch (error) {
    // Parts that stay are paid for, and no list of files shows them.
    await ask({ method: 'DELETE', url: withQuery(url, { uploadId: upload.id }) })
      .then(textOf)
      .catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
}

/** Takes back the uploads of keys that begin with `prefix` which dead processes have left a day ago. A storage that can't list them is left alone. */
export async function sweepUploads(ask: Ask, bucket: URL, prefix: string, urlOf: (key: string) => URL): Promise<void> {
  try {
    const answer = await ask({ method: 'GET', url: withQuery(bucket, { uploads: '', prefix }) });
    for (const upload of findAll(parseXml(await textOf(answer)), 'Upload')) {
      const key = find(upload, 'Key')?.text ?? '';
      const isLeft = Date.now() - Date.parse(textIn(upload, 'Initiated')) > LEFT_MS;
      if (!key.startsWith(prefix) || !isLeft) continue;
      const url = withQuery(urlOf(key), { uploadId: textIn(upload, 'UploadId') });
      await textOf(await ask({ method: 'DELETE', url }));
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
  }
}
