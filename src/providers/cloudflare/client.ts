import { setMaxListeners } from 'node:events';
import { z } from 'zod';
import { redactorOf, type Redactor } from '../../lib/redactor.ts';
import { isDropped, requestJson, type JsonRequest } from '../http.ts';
import { ProviderError } from '../provider-error.ts';
import { isDoubtful, malformed, openEnvelope, take } from './answers.ts';
import { budgetOf } from './budget.ts';
import { proofOf } from './proof.ts';

/** How to sign in: with an e-mail the key is the global one of its user, without one it is a token. */
export interface Login {
  email: string;
  api_key: string;
  /** The account that may own the token: such a token is verified there. */
  account_id?: string | null;
}

/** How calls are made. */
export interface CallOptions {
  /** Cuts what waits and what is under way; its reason is thrown then. Whether a write arrived is not known after that. */
  signal?: AbortSignal | undefined;
  /** Somebody waits: these calls go before all others of the login, and fail where they would have to wait for long. */
  foreground?: boolean;
  /** Milliseconds from when a call goes until its answer is read; a test makes them short. */
  timeouts?: { read: number; write: number };
}

type Query = Record<string, string | number>;
type Method = JsonRequest['method'];

/** The calls of one login. Each takes a shape for the `result` it gives back. */
export interface Client {
  get<Shape extends z.ZodType>(path: string, shape: Shape, query?: Query): Promise<z.output<Shape>>;
  /** The first page of a list, and how many rows the whole has. */
  getPage<Row extends z.ZodType<{ id: string }>>(path: string, row: Row, query: Query): Promise<Page<z.output<Row>>>;
  /** A whole list, all its pages, each row once. Throws `malformed` where it changed while it was read. */
  getAll<Row extends z.ZodType<{ id: string }>>(path: string, row: Row, query: Query): Promise<z.output<Row>[]>;
  /** Sent once and never again, whatever comes of it. */
  send<Shape extends z.ZodType>(method: Method, path: string, shape: Shape, body?: unknown): Promise<z.output<Shape>>;
  /** Knows the secrets of this exchange: whatever of an answer becomes a text for people passes it. */
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

/** A client for the API at `url`, of which all clients of the login share one budget. */
export function openClient(url: string, login: Login, options: CallOptions): Client {
  const { signal, foreground = false, timeouts = TIMEOUTS } = options;
  // Each call that waits or is under way listens to it.
  if (signal !== undefined) setMaxListeners(0, signal);
  const headers = headersOf(login);
  const budget = budgetOf(url, login);
  const redactor = redactorOf([login.api_key]);

  const send = (method: Method, path: string, query: Query = {}, body?: unknown) =>
    budget.run(foreground, signal, async () => {
      const target = new URL(url + path);
      for (const [name, value] of Object.entries(query)) target.searchParams.set(name, String(value));
      const timeoutMs = method === 'GET' ? timeouts.read : timeouts.write;
      const answer = await requestJson({ method, url: target, headers, body, timeoutMs, signal });
      redactor.learn(answer.json);
      try {
        return openEnvelope(answer, redactor.hide);
      } catch (error) {
        if (error instanceof ProviderError && error.kind === 'rate_limited') budget.pause(error.retryAfter);
        throw error;
      }
    });

  const proof = proofOf(login, (place) => send('GET', place));

  // Throws `credentials` for a refusal where the login is found to be wrong.
  const once: typeof send = async (...call) => {
    try {
      const answer = await send(...call);
      proof.succeeded();
      return answer;
    } catch (error) {
      if (isDoubtful(error)) await proof.doubted(error);
      throw error;
    }
  };

  // A server may close a connection just when it is used again: a read is safe to ask once more.
  const read = async (path: string, query: Query) => {
    try {
      return await once('GET', path, query, undefined);
    } catch (error) {
      if (!isDropped(error)) throw error;
      return await once('GET', path, query, undefined);
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
    async getAll(path, row, query) {
      const first = await getPage(path, row, { ...query, page: 1 });
      const pages = [first];
      const count = Math.ceil(first.total / first.perPage);
      while (pages.length < count) {
        const width = Math.min(PAGES_AT_ONCE, count - pages.length);
        const numbers = Array.from({ length: width }, (_, index) => pages.length + 1 + index);
        pages.push(...(await Promise.all(numbers.map((page) => getPage(path, row, { ...query, page })))));
      }
      const rows = new Map(pages.flatMap((page) => page.rows).map((one) => [one.id, one]));
      const isWhole = pages.every(({ page, total }, index) => page === index + 1 && total === first.total);
      if (!isWhole || rows.size !== first.total) throw malformed('the list changed while it was read');
      return [...rows.values()];
    },
    async send(method, path, shape, body) {
      return take(shape, (await once(method, path, {}, body)).result);
    },
  };
}

// fetch would refuse such a header with a text that holds it.
function headersOf({ email, api_key }: Login): Record<string, string> {
  const isSendable = PRINTABLE.test(api_key) && (email === '' || PRINTABLE.test(email));
  if (!isSendable) throw new ProviderError('credentials', 'the key or the e-mail holds characters that none has');
  return email === '' ? { authorization: `Bearer ${api_key}` } : { 'x-auth-email': email, 'x-auth-key': api_key };
}

const ID = /^[\w-]{1,64}$/;

/** A path with ids in it: `path\`/zones/${id}\``. Throws ProviderError `refused` where one is none, such as `..`. */
export function path(texts: TemplateStringsArray, ...ids: string[]): string {
  if (!ids.every((id) => ID.test(id))) throw new ProviderError('refused', 'no such id', { status: 404 });
  return String.raw({ raw: texts }, ...ids);
}
