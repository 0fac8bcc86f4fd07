import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { Logger } from '../../lib/log.ts';
import type { Config } from '../../lib/config.ts';
import type { EventStream } from '../../services/system/events.ts';
import type { Signed } from '../../services/access/session.ts';
import { isJsonText, type JsonText } from '../../services/portfolio/json.ts';
import type { SecretsShown } from '../../services/accounts/team.ts';
import { notFound } from '../../shared/errors.ts';
import type { TokenScope } from '../../shared/access/tokens.ts';
import type { Key, Language, Render } from '../../shared/i18n/index.ts';
import { Id } from '../../shared/text.ts';

/** Parts of the server that routes use. */
export interface Server {
  config: Config;
  key: Buffer;
  log: Logger;
  version: string;
  events: EventStream;
  /** Returns the OpenAPI description of the served routes. */
  contract: () => object;
}

/**
 * A file of a multipart request, at `path` on disk until the request ends. `name` and `type` come from the client and must not
 * be trusted.
 */
export interface UploadedFile {
  path: string;
  name: string;
  type: string;
  size: number;
}

/** A file as an answer, for download under a name; with `headers`, which must restrict it, the browser shows it instead. */
export interface FileAnswer {
  name: string;
  type: string;
  content: Buffer;
  headers?: Record<string, string>;
  /** With it, a caller who has the file already gets 304. */
  etag?: string;
}

/** Who may call: `anyone`, every signed-in `user` (the default), or an `admin`. */
export type Access = 'anyone' | 'user' | 'admin';

type Shape = z.ZodType;
type Output<S extends Shape | undefined> = S extends Shape ? z.output<S> : undefined;

/** The validated input of a route's `run`. `given` names the fields that the body had. */
export interface Call<B extends Shape | undefined, Q extends Shape | undefined> {
  server: Server;
  address: string;
  /** The caller's `User-Agent` header, unchecked; '' without one. */
  agent: string;
  /** The origin of the page that calls, to which passkeys are bound. */
  origin: string;
  /** Whether secrets may go to this caller in clear: over TLS, or without leaving the machine. */
  secrets: SecretsShown;
  language: Language;
  /** Puts a message into that language, without secrets. */
  render: Render;
  /** The signed-in caller; on a route for `anyone` there is none, and reading it throws. */
  actor: Signed['actor'];
  signed: Signed;
  params: Record<string, string>;
  query: Output<Q>;
  body: Output<B>;
  given: readonly string[];
  files: Record<string, UploadedFile>;
  /** The client's `Idempotency-Key`: a request with the same key starts nothing again. */
  idempotencyKey: string | undefined;
  /** The last event that the client received before its stream broke (`Last-Event-ID`). */
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
  /** Only a person's session may call it: no API token, whatever its scope. */
  sessionOnly: boolean;
  /** Also for users who have to add a second factor first. */
  enrols: boolean;
  summary: string;
  body: B;
  query: Q;
  /** Names of file fields: the route takes multipart besides JSON. */
  files: readonly string[];
  /** File fields that must not be absent, each with what is said then. */
  needs: Readonly<Record<string, Key>>;
  /** The largest body, in bytes. */
  limit: number;
  /** The largest multipart body, in bytes. */
  uploadLimit: number;
  /** Kind of answer: JSON, server-sent events (`run` returns their text as a Readable), or a file (FileAnswer). */
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
  sessionOnly?: boolean;
  enrols?: boolean;
  summary: string;
  body?: B;
  query?: Q;
  files?: readonly string[];
  needs?: Readonly<Record<string, Key>>;
  limit?: number;
  uploadLimit?: number;
  answer?: AnswerKind;
  run: (call: Call<B, Q>) => Promise<R>;
}): Route<B, Q, R> {
  return {
    access: declaration.access ?? 'user',
    sessionOnly: declaration.sessionOnly ?? false,
    enrols: declaration.enrols ?? false,
    summary: declaration.summary,
    body: declaration.body as B,
    query: declaration.query as Q,
    files: declaration.files ?? [],
    needs: declaration.needs ?? {},
    limit: declaration.limit ?? JSON_LIMIT,
    uploadLimit: declaration.uploadLimit ?? UPLOAD_LIMIT,
    answer: declaration.answer ?? 'json',
    run: declaration.run,
  };
}

/** Returns the scope that an API token needs for a route; null: no token may call it. */
export function scopeOf(
  method: string,
  { access, sessionOnly }: Pick<Route, 'access' | 'sessionOnly'>,
): TokenScope | null {
  if (sessionOnly) return null;
  if (access === 'admin') return 'admin';
  return method === 'GET' ? 'read' : 'write';
}

/** The type of a route's answer in the browser: the JSON in a JsonText, or the value. */
export type Answer<R> = R extends { run: (call: never) => Promise<infer V> }
  ? V extends JsonText<infer T>
    ? T
    : Exclude<V, Readable>
  : never;

/** Returns the id in the path. Throws `not_found` for anything but a positive integer. */
export function idOf(params: Record<string, string>, name = 'id'): number {
  const id = Id.safeParse(params[name]);
  if (!id.success) throw notFound();
  return id.data;
}

/** Serializes the body of an answer; a JsonText is sent unchanged. */
export const serialize = (answer: unknown): string | Buffer =>
  isJsonText(answer) ? Buffer.from(answer.bytes) : JSON.stringify(answer ?? {});

/** Schema of a call without input: `{}` or no body. */
export const Nothing = z.object({});

/** Path of previews of sites; the token that follows gives access for ten minutes. */
export const SITE_PREVIEWS = '/api/site_previews/';
/** Path of downloads of templates; the token that follows gives access for ten minutes. */
export const TEMPLATE_FILES = '/api/template_files/';
