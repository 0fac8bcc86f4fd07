import { mkdirSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Context } from 'koa';
import type { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { invalidInput } from '../../shared/invalid-input.ts';
import type { Route, UploadedFile } from './route.ts';

const MAX_DEPTH = 32;
// Enough for a megabyte on a slow line; slower clients would only hold sockets.
const JSON_BODY_MS = 15_000;
const MAX_FIELDS = 200;

/** A request's fields and files, not validated. `cleanUp` removes files written to disk. */
export interface RawBody {
  fields: unknown;
  files: Record<string, UploadedFile>;
  cleanUp: () => Promise<void>;
}

const nothing = async (): Promise<void> => undefined;

function tooLarge(limit: number): AppError {
  const size = limit >= 1024 * 1024 ? `${Math.round(limit / 1024 / 1024)} MB` : `${Math.round(limit / 1024)} kB`;
  return new AppError('too_large', 'error.too_large', { limit: size });
}

const notJson = (reason: string, cause?: unknown): AppError =>
  new AppError('invalid', 'error.json', { reason }, { code: 'bad_json', cause });

async function readAll(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => request.destroy(), JSON_BODY_MS);
  try {
    // Leaving the loop early must not destroy the request: that would close the socket before the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw tooLarge(limit);
      chunks.push(chunk);
    }
  } catch (error) {
    // The rest is read and dropped: a client that is still sending would not read the answer.
    request.resume();
    throw error instanceof AppError ? error : notJson('incomplete', error);
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks);
}

/** Returns how deep brackets nest outside strings; JSON that is too deep would exhaust the stack. */
function depth(text: string): number {
  let level = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (inString) {
      if (char === '\\') index++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') deepest = Math.max(deepest, ++level);
    else if (char === '}' || char === ']') level--;
  }
  return deepest;
}

function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notJson('UTF-8');
  }
  if (text.trim() === '') return {};
  if (depth(text) > MAX_DEPTH) throw notJson(`depth > ${MAX_DEPTH}`);
  try {
    return JSON.parse(text);
  } catch (error) {
    // Removes the part of the body that V8 quotes.
    throw notJson((error as Error).message.replace(/(?:, (?:\.{3})?"| in JSON| \(line).*/s, ''));
  }
}

interface FormidableFile {
  filepath: string;
  originalFilename: string | null;
  mimetype: string | null;
  size: number;
}

// formidable's numbers for more fields or files than a form may have, which it calls too large.
const TOO_MANY = new Set([1007, 1015]);

const NO_SPACE = 'ENOSPC';

const isNoSpace = (error: Error): boolean => (error as NodeJS.ErrnoException).code === NO_SPACE;

/**
 * Returns the uploaded files of a route. Throws the error of a full disk for one that was not written whole: the parser may
 * end before its stream tells that writing failed, and the rest of a file would pass for the file.
 */
async function filesOf(context: Context, route: Route): Promise<RawBody['files']> {
  const files: RawBody['files'] = {};
  for (const [name, value] of Object.entries(context.request.files ?? {})) {
    const file = (Array.isArray(value) ? value[0] : value) as FormidableFile | undefined;
    if (!file || !route.files.includes(name)) continue;
    const { filepath: path, originalFilename, mimetype, size } = file;
    // A form sends an empty part without a name where no file was chosen.
    if (size === 0 && !originalFilename) continue;
    if ((await stat(path)).size !== size) {
      throw Object.assign(new Error('an upload was not written whole'), { code: NO_SPACE });
    }
    files[name] = { path, name: originalFilename ?? '', type: mimetype ?? '', size };
  }
  return files;
}

/** Writes multipart files to a directory of our own; names given by the client are never used as paths. */
async function readMultipart(context: Context, route: Route, uploadDir: string): Promise<RawBody> {
  mkdirSync(uploadDir, { recursive: true, mode: 0o700 });
  const written: string[] = [];
  const cleanUp = async (): Promise<void> => {
    await Promise.all(written.map((path) => rm(path, { force: true })));
  };
  // Loaded with the first upload: uploads are rare, and the parser is large.
  const { HttpMethodEnum, koaBody } = await import('koa-body');
  const read = koaBody({
    multipart: true,
    json: false,
    text: false,
    urlencoded: false,
    parsedMethods: [HttpMethodEnum.POST, HttpMethodEnum.PUT],
    formidable: {
      uploadDir,
      maxFileSize: route.uploadLimit,
      maxTotalFileSize: route.uploadLimit,
      maxFieldsSize: 1024 * 1024,
      maxFields: MAX_FIELDS,
      maxFiles: route.files.length,
      // Fields that a call does not know are ignored, those with files as well.
      filter: ({ name }: { name: string | null }) => route.files.some((file) => file === name),
      allowEmptyFiles: true,
      minFileSize: 0,
      onFileBegin: (_name: string, file: { filepath: string }) => void written.push(file.filepath),
    },
    onError: (error: Error & { code?: number; httpCode?: number }) => {
      if (error.httpCode === 413 && !TOO_MANY.has(error.code ?? 0)) throw tooLarge(route.uploadLimit);
      if (isNoSpace(error)) throw error;
      throw new AppError('invalid', 'error.multipart', {}, { code: 'bad_multipart', cause: error });
    },
  });
  try {
    await read(context, nothing);
    return { fields: context.request.body, files: await filesOf(context, route), cleanUp };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

const typeOf = (context: Context): string => (context.get('content-type').split(';')[0] ?? '').trim().toLowerCase();

const isUpload = (context: Context, route: Route): boolean =>
  route.files.length > 0 && typeOf(context) === 'multipart/form-data';

/** Throws `too_large` if the announced length of the body is over the route's limit. */
export function refuseTooLarge(context: Context, route: Route): void {
  const limit = isUpload(context, route) ? route.uploadLimit : route.limit;
  if (Number(context.get('content-length') || 0) > limit) throw tooLarge(limit);
}

/**
 * Reads a request's body as its route declares. Throws `wrong_type`, `too_large`, or `invalid` for a body that is no JSON, no
 * UTF-8 or nested too deep. A missing body counts as `{}`.
 */
export async function readBody(context: Context, route: Route, dataDir: string): Promise<RawBody> {
  const type = typeOf(context);
  if (isUpload(context, route)) return readMultipart(context, route, join(dataDir, 'tmp'));
  const empty =
    context.req.headers['content-length'] === undefined && context.req.headers['transfer-encoding'] === undefined;
  if (empty || (type === '' && context.get('content-length') === '0'))
    return { fields: {}, files: {}, cleanUp: nothing };
  const isUtf8 = /^(?:utf-?8)?$/i.test(context.request.charset);
  if (type !== 'application/json' || !isUtf8) {
    const json = isUtf8 ? 'application/json' : 'application/json; charset=utf-8';
    const expected = route.files.length > 0 ? `${json}, multipart/form-data` : json;
    throw new AppError('wrong_type', 'error.wrong_type', { expected });
  }
  return { fields: parseJson(await readAll(context.req, route.limit)), files: {}, cleanUp: nothing };
}

/** Throws AppError `invalid` for a body that its shape does not take, or that lacks files: every wrong field is named at once. */
export function refuseIncomplete(
  wrong: z.ZodError | undefined,
  { needs }: Route,
  { fields: given, files }: Pick<RawBody, 'fields'> & { files: Record<string, unknown> },
): void {
  const missing = Object.fromEntries(Object.entries(needs).filter(([name]) => files[name] === undefined));
  const error = wrong && invalidInput(wrong, given);
  const [only] = Object.values(missing);
  if (only === undefined) {
    if (error) throw error;
    return;
  }
  const fields = { ...error?.fields, ...missing };
  const names = Object.keys(fields);
  if (names.length === 1) throw new AppError('invalid', only, {}, { fields });
  throw new AppError('invalid', 'error.invalid', { fields: names.join(', ') }, { fields });
}
