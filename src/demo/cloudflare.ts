import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallOptions } from './cloudflare/call.ts';
import { takeFault, untilAnswer, type Fault, type JournalEntry } from './cloudflare/faults.ts';
import { loginOf } from './cloudflare/login.ts';
import { RATE_LIMIT, rateLimiter, type Allowance, type RateLimit } from './cloudflare/rate.ts';
import { failure, isRefusal, success, type ApiError } from './cloudflare/reply.ts';
import { answer } from './cloudflare/router.ts';
import { emptyState, openStore, type CloudflareState, type Login, type Store, type Zone } from './cloudflare/state.ts';
import { newZone, type NewZone } from './cloudflare/zones.ts';

const BASE = '/client/v4';
// Beyond this the oldest entries are dropped: else a demo that runs for weeks would keep every call.
const JOURNAL_LIMIT = 100_000;

/** Options of the fake. Defaults: an empty state, the real clock and rate limit, no latency, a free port. */
export interface CloudflareOptions extends Partial<CallOptions> {
  state?: CloudflareState;
  now?: () => Date;
  rateLimit?: RateLimit;
  latencyMs?: number;
  port?: number;
  /** Called after every call that changed something. */
  onChange?: () => void;
}

/** A fake of Cloudflare. `state` and `faults` may be read and changed at any time; zones are added through `addZone`. */
export interface CloudflareFake {
  /** The base address, ending in /client/v4. */
  url: string;
  state: CloudflareState;
  faults: Fault[];
  requests: JournalEntry[];
  addZone: (zone: NewZone) => Zone;
  removeZone: (id: string) => void;
  close: () => Promise<void>;
}

/** An answer to send. A body that is a string is sent as HTML. */
interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

const refusal = (status: number, errors: readonly ApiError[]): Answer => ({ status, body: failure(errors) });

async function read(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  const isPage = typeof body === 'string';
  const text = isPage ? body : JSON.stringify(body);
  response.writeHead(status, { ...headers, 'Content-Type': isPage ? 'text/html' : 'application/json' });
  response.end(status === 204 ? undefined : text);
}

interface Fake {
  store: Store;
  options: CallOptions & { latencyMs: number; onChange: () => void };
  faults: Fault[];
  requests: JournalEntry[];
  allow: (user: string) => Allowance;
}

/** Performs a call; a refusal becomes the API's error envelope. */
function perform({ store, options }: Fake, login: Login, entry: JournalEntry, query: URLSearchParams): Answer {
  try {
    if (typeof entry.body === 'string') return refusal(400, [{ code: 9207, message: 'Failed to parse JSON body' }]);
    const reply = answer(`${entry.method} ${entry.path}`, { store, login, query, body: entry.body, options });
    if (entry.method !== 'GET') options.onChange();
    return { status: reply.status ?? 200, body: success(reply) };
  } catch (error) {
    if (isRefusal(error)) return refusal(error.status, error.errors);
    throw error;
  }
}

const tooMany = (headers: Record<string, string>): Answer => ({
  ...refusal(429, [{ code: 10_429, message: 'You have reached the rate limit. Please wait and try again later.' }]),
  headers,
});

/** Answers a call: login, then rate limit, then a fault that is due, then the work. Null: cut the connection. */
async function respond(
  fake: Fake,
  request: IncomingMessage,
  entry: JournalEntry,
  query: URLSearchParams,
): Promise<Answer | null> {
  let login: Login;
  try {
    login = loginOf(fake.store.state, request.headers);
  } catch (error) {
    if (isRefusal(error)) return refusal(error.status, error.errors);
    throw error;
  }
  entry.login = login.email;
  if (login.latency_ms) await sleep(login.latency_ms);
  const { headers, retryAfter } = fake.allow(login.email);
  if (retryAfter !== null) return tooMany(headers);
  const fault = takeFault(fake.faults, entry);
  if (fault?.kind === 'drop-before') return null;
  if (fault?.kind === '429') return tooMany({ ...headers, 'Retry-After': String(fault.retryAfter) });
  if (fault?.kind === 'status') return { status: fault.status, body: fault.body ?? failure([]), headers };
  const result = perform(fake, login, entry, query);
  if (fault?.kind === 'act-then-drop') return null;
  if (fault?.kind === 'malformed') return { status: 200, body: '<html>error code: 520</html>', headers };
  await untilAnswer(fault);
  return { ...result, headers };
}

async function handle(fake: Fake, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://loopback');
  const path = pathname.startsWith(`${BASE}/`) ? pathname.slice(BASE.length) : `//${pathname}`;
  const entry: JournalEntry = {
    at: fake.store.now(),
    method: request.method ?? '',
    path,
    query: Object.fromEntries(searchParams),
    body: await read(request),
    login: null,
    status: 0,
  };
  fake.requests.push(entry);
  if (fake.requests.length > JOURNAL_LIMIT) fake.requests.splice(0, JOURNAL_LIMIT / 10);
  if (fake.options.latencyMs > 0) await sleep(fake.options.latencyMs);
  const result = await respond(fake, request, entry, searchParams);
  if (result === null) {
    request.socket.destroy();
    return;
  }
  entry.status = result.status;
  send(response, result);
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen({ port, host: '127.0.0.1', backlog: 2048 });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Starts the fake on loopback: Cloudflare's API v4 over HTTP, with state, limits and faults. */
export async function startCloudflare(options: CloudflareOptions = {}): Promise<CloudflareFake> {
  const { state = emptyState(), now = () => new Date(), onChange = () => {}, latencyMs = 0 } = options;
  const store = openStore(state, () => now().toISOString());
  const { activationSeconds = 3_600, unfilteredPageRules = 'all' } = options;
  const fake: Fake = {
    store,
    options: { activationSeconds, unfilteredPageRules, latencyMs, onChange },
    faults: [],
    requests: [],
    allow: rateLimiter(options.rateLimit ?? RATE_LIMIT),
  };
  const server = createServer((request, response) => {
    handle(fake, request, response).catch((error: unknown) => {
      if (response.destroyed) return;
      send(response, { status: 500, body: String(error instanceof Error ? error.stack : error) });
    });
  });
  const port = await listen(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}${BASE}`,
    state,
    faults: fake.faults,
    requests: fake.requests,
    addZone(facts) {
      const zone = newZone(store, facts);
      store.add(zone);
      return zone;
    },
    removeZone: (id) => store.remove(id),
    async close() {
      const closed = once(server, 'close');
      server.close().closeAllConnections();
      await closed;
    },
  };
}
