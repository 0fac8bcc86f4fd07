import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { Logger } from '../lib/log.ts';
import type { Config } from '../lib/config.ts';
import type { Feed } from '../services/system/events.ts';
import type { Signed } from '../services/access/session.ts';
import { isJsonText, type JsonText } from '../services/portfolio/json.ts';
import type { SecretsShown } from '../services/accounts/team.ts';
import { notFound } from '../shared/errors.ts';
import type { Language } from '../shared/i18n/index.ts';
import { Id } from '../shared/text.ts';

/** What the server lends its routes. */
export interface Server {
  config: Config;
  key: Buffer;
  log: Logger;
  version: string;
  feed: Feed;
  /** The OpenAPI page of the routes that are served. */
  contract: () => object;
}

/**
 * A file of a multipart request, on disk until the request ends. `path` is to be moved or read, never trusted by name;
 * `type` is what the client says it is.
 */
export interface UploadedFile {
  path: string;
  name: string;
  type: string;
  size: number;
}

/** A file as an answer, to be saved under a name; with `headers` it is shown instead, and they say what it may do. */
export interface FileAnswer {
  name: string;
  type: string;
  content: Buffer;
  headers?: Record<string, string>;
}

/** Who may call: `anyone`, every signed-in `user` (the default), or an `admin`. */
export type Access = 'anyone' | 'user' | 'admin';

type Shape = z.ZodType;
type Output<S extends Shape | undefined> = S extends Shape ? z.output<S> : undefined;

/** What a route's `run` gets, checked: `given` names the body's fields that were sent. */
export interface Call<B extends Shape | undefined, Q extends Shape | undefined> {
  server: Server;
  address: string;
  /** Whether secrets may go to this caller in clear: over TLS, or without leaving the machine. */
  secrets: SecretsShown;
  language: Language;
  /** The signed-in caller; on a route for `anyone` it is not there, and reading it is a bug that throws. */
  actor: Signed['actor'];
  signed: Signed;
  params: Record<string, string>;
  query: Output<Q>;
  body: Output<B>;
  given: readonly string[];
  files: Record<string, UploadedFile>;
  /** The client's name for this request (`Idempotency-Key`): sent again, it starts nothing anew. */
  idempotencyKey: string | undefined;
  /** The last event that a stream which was cut off has brought. */
  lastEventId: string;
}

type AnswerKind = 'json' | 'events' | 'file';

/** A route as data. The client's types, the authorization test and the OpenAPI page come from it. */
export interface Route<
  B extends Shape | undefined = Shape | undefined,
  Q extends Shape | undefined = Shape | undefined,
  R = unknown,
> {
  access: Access;
  summary: string;
  body: B;
  query: Q;
  /** Names of file fields: the route takes multipart besides JSON. */
  files: readonly string[];
  /** The largest body, in bytes. */
  limit: number;
  /** The largest multipart body, in bytes. */
  uploadLimit: number;
  /** How it answers: with JSON, with server-sent events, whose text `run` gives as a Readable, or with a FileAnswer. */
  answer: AnswerKind;
  run: (call: Call<B, Q>) => Promise<R>;
}

const JSON_LIMIT = 1024 * 1024;
const UPLOAD_LIMIT = 20 * 1024 * 1024;

/** Declares a route. Without `access` it is for signed-in users. */
export function route<
  R,
  B extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
>(declaration: {
  access?: Access;
  summary: string;
  body?: B;
  query?: Q;
  files?: readonly string[];
  limit?: number;
  uploadLimit?: number;
  answer?: AnswerKind;
  run: (call: Call<B, Q>) => Promise<R>;
}): Route<B, Q, R> {
  return {
    access: declaration.access ?? 'user',
    summary: declaration.summary,
    body: declaration.body as B,
    query: declaration.query as Q,
    files: declaration.files ?? [],
    limit: declaration.limit ?? JSON_LIMIT,
    uploadLimit: declaration.uploadLimit ?? UPLOAD_LIMIT,
    answer: declaration.answer ?? 'json',
    run: declaration.run,
  };
}

/** What the browser gets of a route's answer: the JSON that a JsonText holds, or the value. */
export type Answer<R> = R extends { run: (call: never) => Promise<infer V> }
  ? V extends JsonText<infer T>
    ? T
    : Exclude<V, Readable>
  : never;

/** The id in the path. Anything but a positive integer is as unknown as a wrong number: `not_found`. */
export function idOf(params: Record<string, string>, name = 'id'): number {
  const id = Id.safeParse(params[name]);
  if (!id.success) throw notFound();
  return id.data;
}

/** The body of an answer: JSON that is text already goes out as it is. */
export const serialize = (answer: unknown): string | Buffer =>
  isJsonText(answer) ? Buffer.from(answer.bytes) : JSON.stringify(answer ?? {});

/** Nothing is asked for: `{}` or no body at all. */
export const Nothing = z.object({});
