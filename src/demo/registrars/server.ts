import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onLoopback } from '../loopback.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeFault, untilAnswer, type Fault, type JournalEntry } from '../cloudflare/faults.ts';
import { Refusal, Shop, type ShopState } from './shop.ts';

/** A request to a fake registrar. `path` has no query; `address` is the caller's, as the service sees it. */
export interface ShopRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  address: string;
}

/** An answer in the service's own words. */
export interface ShopAnswer {
  status?: number;
  type: 'application/json' | 'text/xml' | 'text/html';
  body: string | Buffer;
}

/** A call as the service names it, such as `domain/create`, with its values. */
export interface ShopCall {
  name: string;
  input: Record<string, unknown>;
  login: string;
  password: string;
}

/** Returns a value of a call as text; empty, if it is none. */
export function textOf({ input }: Pick<ShopCall, 'input'>, name: string): string {
  const value = input[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** How a service speaks: it reads requests and writes answers, and has its own calls. */
export interface Dialect {
  /** Returns the call of a request; throws a Refusal for what is none. */
  read: (request: ShopRequest, sessions: Map<string, [login: string, password: string]>) => ShopCall;
  /** Performs a call and writes its answer; throws a Refusal. */
  answer: (shop: Shop, call: ShopCall, request: ShopRequest) => ShopAnswer;
  refuse: (refusal: Refusal, call: ShopCall | null) => ShopAnswer;
}

/** Options of a fake registrar. Defaults: the real clock, no latency, a free port. */
export interface ShopOptions {
  state: ShopState;
  now?: () => Date;
  latencyMs?: number;
  /** The address that it takes callers to have; by default that of the connection. */
  address?: string;
  /** Awaited before the answer to a call that was charged, or that changed an account, leaves. */
  onChange?: () => Promise<void>;
}

/** A running fake registrar. `faults` and `state` may be changed at any time; a fault's path is `/` and the call's name. */
export interface ShopServer {
  url: string;
  state: ShopState;
  faults: Fault[];
  requests: JournalEntry[];
  close: () => Promise<void>;
}

const JOURNAL_LIMIT = 100_000;
const NO_CALL: ShopCall = { name: '', input: {}, login: '', password: '' };

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const PAGE = '<!doctype html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1>';

function send(response: ServerResponse, entry: JournalEntry, { status = 200, type, body }: ShopAnswer): void {
  entry.status = status;
  response.writeHead(status, { 'content-type': type }).end(body);
}

/** Performs a call on the account that it logs in to; a refusal is written as the service writes it. */
function perform(
  dialect: Dialect,
  state: ShopState,
  now: () => Date,
  request: ShopRequest,
  call: ShopCall,
): ShopAnswer {
  try {
    return dialect.answer(new Shop(state, now, call.login, call.password, request.address), call, request);
  } catch (error) {
    if (error instanceof Refusal) return dialect.refuse(error, call);
    throw error;
  }
}

/** Sends the answer of some work, or what the fault makes of it. */
async function respond(
  response: ServerResponse,
  entry: JournalEntry,
  fault: Fault | undefined,
  work: () => Promise<ShopAnswer>,
) {
  if (fault?.kind === 'drop-before') return void response.destroy();
  if (fault?.kind === 'status') return send(response, entry, { status: fault.status, type: 'text/html', body: PAGE });
  if (fault?.kind === '429') {
    response.setHeader('retry-after', String(fault.retryAfter));
    return send(response, entry, { status: 429, type: 'text/html', body: PAGE });
  }
  const answer = await work();
  if (fault?.kind === 'act-then-drop') return void response.destroy();
  if (fault?.kind === 'malformed') return send(response, entry, { type: 'text/html', body: PAGE });
  await untilAnswer(fault);
  return send(response, entry, answer);
}

async function requestOf(incoming: IncomingMessage, address: string | undefined): Promise<ShopRequest> {
  return {
    method: incoming.method ?? 'GET',
    path: new URL(incoming.url ?? '/', 'http://localhost').pathname,
    headers: incoming.headers,
    body: await read(incoming),
    address: address ?? incoming.socket.remoteAddress ?? '',
  };
}

/** Tells the accounts of two states apart: charges, names and their name servers are in it. */
const markOf = ({ accounts }: ShopState): string => JSON.stringify(accounts);

/** Starts a fake registrar that speaks a dialect. */
export async function startShop(dialect: Dialect, options: ShopOptions): Promise<ShopServer> {
  const { state, now = () => new Date(), latencyMs = 0, onChange } = options;
  const faults: Fault[] = [];
  const requests: JournalEntry[] = [];
  const sessions = new Map<string, [login: string, password: string]>();

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await requestOf(incoming, options.address);
    let call = NO_CALL;
    let work = (): ShopAnswer => perform(dialect, state, now, request, call);
    try {
      call = dialect.read(request, sessions);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      work = () => dialect.refuse(error, null);
    }
    const entry: JournalEntry = {
      at: now().toISOString(),
      method: request.method,
      path: `/${call.name}`,
      query: {},
      body: call.input,
      login: call.login === '' ? null : call.login,
      status: 0,
    };
    requests.push(entry);
    if (requests.length > JOURNAL_LIMIT) requests.shift();
    await sleep(latencyMs);
    await respond(response, entry, takeFault(faults, entry), async () => {
      if (onChange === undefined) return work();
      const before = markOf(state);
      const answer = work();
      if (markOf(state) !== before) await onChange();
      return answer;
    });
  };

  const server = createServer((incoming, response) => void handle(incoming, response).catch(() => response.destroy()));
  return { ...(await onLoopback(server)), state, faults, requests };
}
