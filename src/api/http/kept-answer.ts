import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';
import type { KeptList } from '../../services/portfolio/kept-lists.ts';

const COMPRESSORS = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 1 }),
};
const MIN_COMPRESSED = 2048;

function compressed(list: KeptList, encoding: keyof typeof COMPRESSORS): Promise<Buffer> {
  const made = list.encoded.get(encoding) ?? COMPRESSORS[encoding](list.bytes);
  list.encoded.set(encoding, made);
  return made;
}

/** Whether the caller has what an ETag names. */
// Not Koa's `fresh`: it honours a request's no-cache, which fetch adds by itself, while the kept list is known to be current.
export const hasEtag = (context: Context, etag: string): boolean =>
  context
    .get('if-none-match')
    .split(',')
    .some((given) => [etag, '*'].includes(given.trim()));

/** Answers with a kept list: 304 if the caller has it, else its bytes, plain or compressed; each form is made once. */
export async function sendKept(context: Context, list: KeptList): Promise<void> {
  context.type = 'application/json';
  context.set('ETag', list.etag);
  context.status = 200;
  if (hasEtag(context, list.etag)) {
    context.status = 304;
    return;
  }
  const encoding = list.bytes.length < MIN_COMPRESSED ? false : context.acceptsEncodings('br', 'gzip', 'identity');
  if (encoding !== 'br' && encoding !== 'gzip') {
    context.compress = false;
    context.body = list.bytes;
    return;
  }
  context.set('Content-Encoding', encoding);
  context.body = await compressed(list, encoding);
}
