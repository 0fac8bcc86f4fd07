import type { IncomingMessage, ServerResponse } from 'node:http';
import { languageOf, translate } from '../../shared/i18n/index.ts';
import { plainAddress } from '../../shared/plain-address.ts';

// Number of calls handled at a time: with more of them each takes longer, and throughput does not grow.
const PLACES = { reads: 24, writes: 16 };
// A call that takes longer probably waits for something outside: its place is freed.
const HOLD_MS = 1000;
// Admitted calls are to be answered within 2 s: this is the part for waiting, the rest is for the answer.
const PATIENCE_MS = 1500;
// A shorter line is never refused: on a slow machine a few callers wait.
const FEW = 48;
// Initial estimate of the time between two freed places.
const FIRST_MEAN_MS = 5;
const WEIGHT = 0.05;
// A refused connection is not read for so long: refusing a caller that retries at once takes capacity from others.
const DEAF_MS = 2000;
const RETRY_AFTER_S = 2;
// With fewer connections, callers without a right to anything cannot keep the process busy.
const MANY = 100;
// Timers that are so late tell that it is: in each turn it answers all that have asked, and takes one new connection.
const LATE_MS = 15;
const LOOK_MS = 50;
const LATE_KEPT = 0.97;
// A page is of about 30 files over six connections, which have shown no right yet: so many answers of each are not held.
const PAGE_FILES = 12;
// The pause after an answer to them, for each of their connections: the answer itself takes a quarter of it at most.
const SHARE_MS = 2;
const LONGEST_MS = 10_000;

/** Paths of calls that are never refused for load, and do not wait. */
export const ALWAYS_ADMITTED = new Set(['/api/health', '/api/login', '/api/logout', '/api/setup']);

/** Returns the path that the application will see: a target in absolute form (`GET http://host/path`) is served, too. */
const pathOf = (request: IncomingMessage): string =>
  request.url?.replace(/^https?:\/\/[^/?#]*/i, '').split('?', 1)[0] ?? '';

interface Waiting {
  response: ServerResponse;
  since: number;
  begin: () => void;
  refuse: () => void;
}

/** A number of places, and a line before them, limited to the calls that can probably be served in time. */
class Lane {
  private readonly line: Waiting[] = [];
  private free: number;
  private meanMs = FIRST_MEAN_MS;
  private lastFreed: number | undefined;

  constructor(places: number) {
    this.free = places;
  }

  enter(call: Waiting): void {
    const isMany = this.line.length >= FEW;
    if (isMany && this.line.length * this.meanMs > PATIENCE_MS) call.refuse();
    else {
      this.line.push(call);
      this.advance();
    }
  }

  private advance(): void {
    while (this.free > 0) {
      const call = this.line.shift();
      if (!call) return;
      // The client has disconnected.
      if (call.response.destroyed) continue;
      if (this.line.length >= FEW && performance.now() - call.since > PATIENCE_MS) call.refuse();
      else this.begin(call);
    }
  }

  private begin({ response, begin }: Waiting): void {
    this.free -= 1;
    let isHeld = true;
    const leave = (): void => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      this.free += 1;
      this.measure();
      this.advance();
    };
    const timer = setTimeout(leave, HOLD_MS).unref();
    response.once('close', leave);
    begin();
  }

  /** While a line waits, averages the time between two freed places: it tells how fast the line moves. */
  private measure(): void {
    const now = performance.now();
    if (this.lastFreed !== undefined) this.meanMs += (now - this.lastFreed - this.meanMs) * WEIGHT;
    this.lastFreed = this.line.length > 0 ? now : undefined;
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, isProxy: boolean): void {
  const error = translate(languageOf(request.headers['accept-language'] ?? ''), 'error.overloaded');
  const body = Buffer.from(JSON.stringify({ error, code: 'overloaded' }));
  response.writeHead(503, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Retry-After': RETRY_AFTER_S,
  });
  response.end(body);
  // A proxy's connection carries other callers, too.
  if (!isProxy) response.once('finish', () => turnAway(request, DEAF_MS));
}

/** Does not read from a connection for up to `ms`: its next call is parsed only then. */
function turnAway({ socket }: IncomingMessage, ms: number): void {
  socket.pause();
  setTimeout(() => socket.resume(), ms * (0.75 + Math.random() / 4)).unref();
}

/** Tells how late the timers of this process are, in milliseconds: the worst of the last moments. */
function watchDelay(): () => number {
  let late = 0;
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    late = Math.max(now - last - LOOK_MS, late * LATE_KEPT);
    last = now;
  }, LOOK_MS).unref();
  return () => late;
}

type Socket = IncomingMessage['socket'];

// Connections whose callers have shown a right, and those that had an answer without one.
const known = new WeakSet<Socket>();
const crowd = new Set<Socket>();

/** Notes that the caller of a request has shown a right: the connection does not wait while the process is busy. */
export function noteRight({ socket }: IncomingMessage): void {
  known.add(socket);
  crowd.delete(socket);
}

/** Returns how long a connection is not to be read after an answer that is open to all; 0: the process is not busy, or the caller is known. */
function watchCrowd(): (request: IncomingMessage, isFile: boolean) => number {
  const delay = watchDelay();
  const files = new WeakMap<Socket, number>();
  return ({ socket }, isFile) => {
    if (known.has(socket)) return 0;
    const read = files.get(socket) ?? 0;
    if (isFile && read < PAGE_FILES) {
      files.set(socket, read + 1);
      return 0;
    }
    if (!crowd.has(socket) && !socket.destroyed) {
      crowd.add(socket);
      socket.once('close', () => crowd.delete(socket));
    }
    return crowd.size > MANY && delay() > LATE_MS ? Math.min(crowd.size * SHARE_MS, LONGEST_MS) : 0;
  };
}

/** Calls `handle` when it is the request's turn, or answers it with 503 and `Retry-After`. */
export type Admission = (request: IncomingMessage, response: ServerResponse, handle: () => void) => void;

/** Whether an answer was given without a right to it: a refused token or sign-in, or what everybody may read. */
const isOpenToAll = (path: string, { statusCode }: ServerResponse): boolean =>
  statusCode >= 400 || !path.startsWith('/api/') || path === '/api/health';

/**
 * Limits the number of API calls handled at a time, and refuses calls that could not be answered within 2 s. While the process is busy
 * and many connections have shown no right (`noteRight`), one of them that was refused, or read what everybody may, is not read for a while.
 */
export function startAdmission(trustedProxies: readonly string[]): Admission {
  const lanes = { reads: new Lane(PLACES.reads), writes: new Lane(PLACES.writes) };
  const pauseAfter = watchCrowd();
  return (request, response, handle) => {
    const path = pathOf(request);
    const isProxy = trustedProxies.includes(plainAddress(request.socket.remoteAddress ?? ''));
    if (!isProxy) {
      response.once('finish', () => {
        if (!isOpenToAll(path, response)) return;
        const ms = pauseAfter(request, !path.startsWith('/api/') && response.statusCode < 400);
        if (ms > 0) turnAway(request, ms);
      });
    }
    if (!path.startsWith('/api/') || path === '/api/events' || ALWAYS_ADMITTED.has(path)) {
      handle();
      return;
    }
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    lanes[isRead ? 'reads' : 'writes'].enter({
      response,
      since: performance.now(),
      begin: handle,
      refuse: () => refuse(request, response, isProxy),
    });
  };
}
