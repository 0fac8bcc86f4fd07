import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { measuringCall } from '../../lib/measures.ts';
import { redacting, redactorOf } from '../../lib/redactor.ts';
import { ProviderError } from '../provider-error.ts';
import { find, findAll, parseXml, textIn } from '../xml.ts';
import { ask, header, tagOf, textOf, type Ask, type S3Place } from './s3-call.ts';
import { partBytesOf, sendInParts, sweepUploads, USUAL_PARTS } from './s3-parts.ts';
import type { CopyTarget, Sending, StoredFile } from './target.ts';

// Names of an installation's copies begin with it, and with nothing of another one's.
const OWN = /^seo-admin-[\da-f]{8}-/;

/** Reads the list of a bucket's files whose keys begin with the prefix, page by page; their names go without it. */
async function* pagesOf(call: Ask, root: URL, prefix: string): AsyncGenerator<StoredFile[]> {
  for (let token = ''; ;) {
    const url = new URL(root);
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

/** Whether what is stored is what was sent, by its size, the sum that came with it, and its tag where that is a sum. */
async function isStored(call: Ask, url: URL, { bytes, sha256 }: Sending, tag: string): Promise<boolean> {
  const stored = await call({ method: 'HEAD', url });
  stored.resume();
  const isSame = Number(header(stored, 'content-length')) === bytes && header(stored, 'x-amz-meta-sha256') === sha256;
  return isSame && ['', tag].includes(tagOf(stored));
}

/** Sends a file by one call and returns the tag that it gets. */
async function putWhole(call: Ask, url: URL, { path, bytes, sha256, md5 }: Sending): Promise<string> {
  const headers = { 'content-type': 'application/octet-stream', 'x-amz-meta-sha256': sha256 };
  await textOf(await call({ method: 'PUT', url, headers, body: { path, bytes, sha256 } }));
  return md5;
}

/** Opens a bucket. Nothing is asked before the first call. `sizes` is set by tests only. */
export function openS3(place: S3Place, sizes = USUAL_PARTS): CopyTarget {
  const base = new URL(place.url);
  const [, bucket = '', ...folders] = base.pathname.split('/').filter((part, index) => part !== '' || index === 0);
  const prefix = folders.map((part) => `${decodeURIComponent(part)}/`).join('');
  const root = new URL(`/${bucket}`, base);
  const urlOf = (key: string): URL =>
    new URL(`/${[bucket, ...key.split('/').map(encodeURIComponent)].join('/')}`, base);
  const call: Ask = (given) =>
    measuringCall(
      's3',
      () => ask(place, given),
      undefined,
      () => ({ method: given.method, path: '/:bucket/:key' }),
    );

  const putInParts = async (url: URL, name: string, file: Sending): Promise<string> => {
    const [own] = OWN.exec(name) ?? [];
    if (own !== undefined) await sweepUploads(call, root, prefix + own, urlOf);
    return sendInParts(call, url, file, sizes, (tag) => isStored(call, url, file, tag));
  };

  const target: CopyTarget = {
    list: async () => {
      const files: StoredFile[] = [];
      for await (const page of pagesOf(call, root, prefix))
        files.push(...page.filter(({ name }) => name !== '' && !name.includes('/')));
      return files;
    },
    // An object appears whole or not at all: no draft is needed.
    put: async (name, file) => {
      const url = urlOf(prefix + name);
      const isSmall = file.bytes <= partBytesOf(file.bytes, sizes);
      const tag = await (isSmall ? putWhole(call, url, file) : putInParts(url, name, file));
      if (!(await isStored(call, url, file, tag))) {
        // It would be taken for the newest copy.
        await call({ method: 'DELETE', url })
          .then(textOf)
          .catch(() => undefined);
        throw new ProviderError('malformed', `${name}: what is stored is not what was sent`);
      }
    },
    get: async (name, path) => {
      const answer = await call({ method: 'GET', url: urlOf(prefix + name) });
      await pipeline(answer, createWriteStream(path, { mode: 0o600 })).catch((cause: NodeJS.ErrnoException) => {
        // An error of the disk is none of the storage's.
        if (cause.syscall === 'write' || cause.syscall === 'open') throw cause;
        throw new ProviderError('unavailable', `${name}: ${cause.code ?? 'the answer broke off'}`, { cause });
      });
    },
    remove: async (name) => {
      await textOf(await call({ method: 'DELETE', url: urlOf(prefix + name) }));
    },
    close: async () => undefined,
  };
  return redacting(target, redactorOf([place.secret]));
}
