import { setMaxListeners } from 'node:events';
import { z } from 'zod';
import { redactorOf, type Redactor } from '../../lib/redactor.ts';
import { isDropped, requestJson, type JsonRequest } from '../http.ts';
import { ProviderError } from '../provider-error.ts';
import { isDoubtful, malformed, openEnvelope, take, type Envelope } from './answers.ts';
import { budgetOf } from './budget.ts';
import { proofOf } from './proof.ts';

/** A login: with an e-mail `api_key` is the global key of its user, without one it is a token. */
export interface Login {
  email: string;
  api_key: string;
  /** The account that may own the token: such a token can be verified only there. */
  account_id?: string | null;
}

/** Options of calls. */
export interface CallOptions {
  /** Aborts waiting calls and those in flight, which throw its reason. Whether a write took effect is then not known. */
  signal?: AbortSignal | undefined;
  /** Somebody waits: these calls go before all others of the login, and fail if they would have to wait too long. */
  foreground?: boolean;
  /** Timeouts in ms, from the start of a call until its answer is read; a test makes them short. */
  timeouts?: { read: number; write: number };
}

type Query = Record<string, string | number>;
type Method = JsonRequest['method'];

/** The calls of one login. Each takes a schema for the `result` it returns. */
export interface Client {
  get<Shape extends z.ZodType>(path: string, shape: Shape, query?: Query): Promise<z.output<Shape>>;
  /** Returns one page of a list, by default the first, and the number of rows of the whole list. */
  getPage<Row extends z.ZodType<{ id: string }>>(path: string, row: Row, query: Query): Promise<Page<z.output<Row>>>;
  /** Returns a whole list, all its pages, each row once. Throws `malformed` if it changed while it was read. */
  getAll<Row extends z.ZodType<{ id: string }>>(path: string, row: Row, query: Query): Promise<z.output<Row>[]>;
  /** Sends a write once; never retries. */
  send<Shape extends z.ZodType>(method: Method, path: string, shape: Shape, body?: unknown): Promise<z.output<Shape>>;
  /** Masks the secrets of this exchange: pass through it all parts of answers that are shown. */
  redactor: Redactor;
}

interface Page<Row> {
  rows: Row[];
  page: number;
  perPage: number;
  total: number;
}

const TIMEOUTS = { read: 15_000, write: 30_000 };
const PAGES_AT_ONCE = 4;
const PRINTABLE = /^[!-~]+$/;

const PageInfo = z.object({
  page: z.number().int().positive(),
  per_page: z.number().int().positive(),
  total_count: z.number().int().nonnegative(),
});

/** Creates a client of the API at `url`. All clients of a login share one budget. */
export function openClient(url: string, login: Login, options: CallOptions): Client {
  // Each waiting call and each one in flight adds a listener: disables the warning about many listeners.
  if (options.signal !== undefined) setMaxListeners(0, options.signal);
  const redactor = redactorOf([login.api_key]);
  const call = proven(login, callOf(url, login, options, redactor));

  // A server may close a kept connection just when it is reused: a read can safely be retried once.
  const read = async (path: string, query: Query) => {
    try {
      return await call('GET', path, query);
    } catch (error) {
      if (!isDropped(error)) throw error;
      return await call('GET', path, query);
    }
  };

  const getPage: Client['getPage'] = async (path, row, query) => {
    const { result, result_info } = await read(path, query);
    const { page, per_page: perPage, total_count: total } = take(PageInfo, result_info);
    return { rows: take(z.array(row), result), page, perPage, total };
  };

  return {
    redactor,
    getPage,
    async get(path, shape, query = {}) {
      return take(shape, (await read(path, query)).result);
    },
    getAll: (path, row, query) => readAllPages((page) => getPage(path, row, { ...query, page })),
    async send(method, path, shape, body) {
      return take(shape, (await call(method, path, {}, body)).result);
    },
  };
}

/** Makes one call and returns the envelope of its answer. */
type Call = (method: Method, path: string, query?: Query, body?: unknown) => Promise<Envelope>;

/** Returns the call of a login, which waits for its turn in the budget. */
function callOf(url: string, login: Login, options: CallOptions, redactor: Redactor): Call {
  const { signal, foreground = false, timeouts = TIMEOUTS } = options;
  const headers = headersOf(login);
  const budget = budgetOf(url, login);
  return (method, path, query = {}, body) =>
    budget.run(foreground, signal, async () => {
      const target = new URL(url + path);
      for (const [name, value] of Object.entries(query)) target.searchParams.set(name, String(value));
      const timeoutMs = method === 'GET' ? timeouts.read : timeouts.write;
      const asked = { service: 'cloudflare', method, url: target, headers, body, timeoutMs, signal };
      const answer = await requestJson(asked);
      redactor.learn(answer.json);
      try {
        return openEnvelope(answer, redactor.hide);
      } catch (error) {
        if (error instanceof ProviderError && error.kind === 'rate_limited') budget.pause(error.retryAfter);
        throw error;
      }
    });
}

/** Makes a call throw `credentials` instead of a refusal if the login turns out to be wrong. */
function proven(login: Login, call: Call): Call {
  const proof = proofOf(login, (place) => call('GET', place));
  return async (...args) => {
    try {
      const answer = await call(...args);
      proof.succeeded();
      return answer;
    } catch (error) {
      if (isDoubtful(error)) await proof.doubted(error);
      throw error;
    }
  };
}

/** Returns the rows of all pages, each once. Throws `malformed` if the list changed while it was read. */
async function readAllPages<Row extends { id: string }>(getPage: (page: number) => Promise<Page<Row>>): Promise<Row[]> {
  const first = await getPage(1);
  const pages = [first];
  const count = Math.ceil(first.total / first.perPage);
  while (pages.length < count) {
    const width = Math.min(PAGES_AT_ONCE, count - pages.length);
    const numbers = Array.from({ length: width }, (_, index) => pages.length + 1 + index);
    pages.push(...(await Promise.all(numbers.map(getPage))));
  }
  const rows = new Map(pages.flatMap((page) => page.rows).map((one) => [one.id, one]));
  const isWhole = pages.every(({ page, total }, index) => page === index + 1 && total === first.total);
  if (!isWhole || rows.size !== first.total) throw malformed('the list changed while it was read');
  return [...rows.values()];
}

// Checked here, because fetch's error about an invalid header contains the header.
function headersOf({ email, api_key }: Login): Record<string, string> {
  const isSendable = PRINTABLE.test(api_key) && (email === '' || PRINTABLE.test(email));
  if (!isSendable) throw new ProviderError('credentials', 'the key or the e-mail holds characters that none has');
  return email === '' ? { authorization: `Bearer ${api_key}` } : { 'x-auth-email': email, 'x-auth-key': api_key };
}

const ID = /^[\w-]{1,64}$/;

/** Builds a path with ids: `path\`/zones/${id}\``. Throws ProviderError `refused` for an invalid id, such as `..`. */
export function path(texts: TemplateStringsArray, ...ids: string[]): string {
  if (!ids.every((id) => ID.test(id))) throw new ProviderError('refused', 'no such id', { status: 404 });
  return String.raw({ raw: texts }, ...ids);
}
