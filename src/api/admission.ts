import type { IncomingMessage, ServerResponse } from 'node:http';
import { languageOf, translate } from '../shared/i18n/index.ts';

// Calls that are worked on at a time: with more of them each takes longer, and none more are answered in a second.
const PLACES = { reads: 24, writes: 16 };
// A call that takes longer waits for something outside, and gives its place on.
const HOLD_MS = 1000;
// What is admitted is to be answered in 2 s: this is for waiting, the rest for the answer.
const PATIENCE_MS = 1500;
// A few callers on a slow machine wait: only many of them are refused.
const FEW = 48;
// Between two places that come free, until the first ones tell better.
const FIRST_MEAN_MS = 5;
const WEIGHT = 0.05;
// The same connection is heard again after this long: to refuse a caller who asks again at once costs what others need.
const DEAF_MS = 2000;
const RETRY_AFTER_S = 2;

/** Calls that are never refused for load, and do not wait. */
export const ALWAYS_ADMITTED = new Set(['/api/health', '/api/login', '/api/logout', '/api/setup']);

/** The path that the application will see: a target in absolute form (`GET http://host/path`) is served like any other. */
const pathOf = (request: IncomingMessage): string =>
  request.url?.replace(/^https?:\/\/[^/?#]*/i, '').split('?', 1)[0] ?? '';

interface Waiting {
  response: ServerResponse;
  since: number;
  begin: () => void;
  refuse: () => void;
}

/** A number of places, and a line before them that is no longer than what is likely to be served in time. */
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
      // Its client has left.
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

  /** The pause between two free places tells how fast the line moves, as long as there is one. */
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
  // A proxy's connection carries others as well.
  if (isProxy) return;
  const { socket } = request;
  response.once('finish', () => {
    socket.pause();
    setTimeout(() => socket.resume(), DEAF_MS * (0.75 + Math.random() / 4)).unref();
  });
}

/** Calls `handle` once a request's turn has come, or answers it with 503 and `Retry-After`. */
export type Admission = (request: IncomingMessage, response: ServerResponse, handle: () => void) => void;

/** Works on a bounded number of calls of the API at a time, and refuses those that could not be answered in 2 s. */
export function startAdmission(trustedProxies: readonly string[]): Admission {
  const lanes = { reads: new Lane(PLACES.reads), writes: new Lane(PLACES.writes) };
  return (request, response, handle) => {
    const path = pathOf(request);
    if (!path.startsWith('/api/') || path === '/api/events' || ALWAYS_ADMITTED.has(path)) {
      handle();
      return;
    }
    const address = request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    lanes[isRead ? 'reads' : 'writes'].enter({
      response,
      since: performance.now(),
      begin: handle,
      refuse: () => refuse(request, response, trustedProxies.includes(address)),
    });
  };
}
