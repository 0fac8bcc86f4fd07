import type { IncomingMessage, ServerResponse } from 'node:http';
import { readDelay, writeDelay } from '../services/load.ts';
import { languageOf, translate } from '../shared/i18n/index.ts';

// What is admitted is to be answered in 2 s; reads and writes wait for about this long at most, and what they cost
// besides takes as long again.
const MAX_DELAY_S = 0.8;
// A few callers on a slow machine wait: only many of them are refused.
const FEW = 48;
// Between two answers, until the first ones tell better.
const FIRST_MEAN_MS = 8;
const WEIGHT = 0.05;
// The same connection is heard again after this long: to refuse a caller who asks again at once costs what others need.
const DEAF_MS = 1500;
const RETRY_AFTER_S = 2;

/** Calls that are never refused for load. */
export const ALWAYS_ADMITTED = new Set(['/api/health', '/api/login', '/api/logout', '/api/setup']);

const pathOf = (request: IncomingMessage): string => request.url?.split('?', 1)[0] ?? '';

/** Seconds that the answers to a number of open calls take, by how fast the last ones came in a crowd. */
function watchAnswers(): { answered: (open: number) => void; delay: (open: number) => number } {
  let meanMs = FIRST_MEAN_MS;
  let last: number | undefined;
  return {
    answered: (open) => {
      const now = performance.now();
      if (last !== undefined) meanMs += (now - last - meanMs) * WEIGHT;
      // Between a few calls the pause says nothing.
      last = open >= FEW / 2 ? now : undefined;
    },
    delay: (open) => (open * meanMs) / 1000,
  };
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
    setTimeout(() => socket.resume(), DEAF_MS * (0.5 + Math.random() / 2)).unref();
  });
}

/** Decides at once which calls of the API are taken. */
export interface Admission {
  /** Whether a request is taken; one that is not has been answered with 503 and `Retry-After`. */
  admit: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** Refuses calls beyond what is likely to be answered in 2 s, by what waits and how fast it is answered. */
export function startAdmission(trustedProxies: readonly string[]): Admission {
  const answers = watchAnswers();
  let open = 0;

  const isOverloaded = (method: string): boolean => {
    if (open < FEW) return false;
    const queued = method === 'GET' ? readDelay() : Math.max(readDelay(), writeDelay());
    return Math.max(queued, answers.delay(open)) > MAX_DELAY_S;
  };

  return {
    admit: (request, response) => {
      const path = pathOf(request);
      if (!path.startsWith('/api/') || path === '/api/events' || ALWAYS_ADMITTED.has(path)) return true;
      if (isOverloaded(request.method ?? '')) {
        const address = request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
        refuse(request, response, trustedProxies.includes(address));
        return false;
      }
      open += 1;
      response.once('close', () => {
        open -= 1;
        answers.answered(open);
      });
      return true;
    },
  };
}
