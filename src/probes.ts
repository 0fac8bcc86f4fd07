// The door of those who run the program: whether it lives, whether it is ready, and its measures.
import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from './lib/config.ts';
import type { Logger } from './lib/log.ts';
import { packageVersion } from './lib/package.ts';
import { openMetrics, type Metrics } from './services/system/metrics/metrics.ts';
import { requireReady } from './services/system/system.ts';
import { AppError } from './shared/errors.ts';

/** Answers `/livez`, `/readyz` and `/metrics`; false: the path is another one. */
export interface Probes {
  answer: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** From now on this process is not ready: it is about to stop. */
  stopping: () => void;
  close: () => void;
}

// Shorter ones can be guessed.
const SHORTEST_TOKEN = 16;
const PATHS = new Set(['/livez', '/readyz', '/metrics']);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Returns the digest of the token of `/metrics`; null: none is configured. Throws AppError `not_configured` where its file can't be used. */
function readToken({ metricsTokenFile: path }: Pick<Config, 'metricsTokenFile'>): Buffer | null {
  if (path === undefined) return null;
  let token: string;
  try {
    token = readFileSync(path, 'utf8').trim();
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? '';
    throw new AppError('not_configured', 'metrics.no_token', { path, reason }, { code: 'bad_configuration', cause });
  }
  if (token.length >= SHORTEST_TOKEN) return digest(token);
  throw new AppError(
    'not_configured',
    'metrics.token_short',
    { path, n: SHORTEST_TOKEN },
    { code: 'bad_configuration' },
  );
}

function send(response: ServerResponse, status: number, body: string, type: string, headers = {}): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

const sendJson = (response: ServerResponse, status: number, body: object, headers = {}): void =>
  send(response, status, JSON.stringify(body), 'application/json; charset=utf-8', headers);

/**
 * Opens the probes of a process whose database is open and migrated. They answer whatever the host name is, without a session:
 * `/livez` and `/readyz` say a word, `/metrics` needs its token. Throws AppError `not_configured` for a token that can't be used.
 */
export async function openProbes(config: Config, log: Logger): Promise<Probes> {
  const token = readToken(config);
  const metrics: Metrics | null = token && (await openMetrics(packageVersion()));
  let isStopping = false;

  const readiness = async (response: ServerResponse): Promise<void> => {
    try {
      if (isStopping) return sendJson(response, 503, { status: 'stopping' });
      await requireReady();
      sendJson(response, 200, { status: 'ready' });
    } catch (error) {
      log.warn({ err: error }, 'not ready');
      sendJson(response, 503, { status: 'database' });
    }
  };

  const page = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!token || !metrics) return sendJson(response, 404, { error: 'Not found', code: 'not_found' });
    const [, given = ''] = /^Bearer\s+(\S+)\s*$/i.exec(request.headers.authorization ?? '') ?? [];
    if (!timingSafeEqual(digest(given), token)) {
      const headers = { 'WWW-Authenticate': 'Bearer realm="metrics"' };
      return sendJson(response, 401, { error: 'Unauthorized', code: 'unauthorized' }, headers);
    }
    send(response, 200, await metrics.read(), metrics.type);
  };

  return {
    answer: (request, response) => {
      const [path = ''] = (request.url ?? '').split('?', 1);
      if (!PATHS.has(path)) return false;
      // A body that nobody asked for is not kept.
      request.resume();
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        sendJson(response, 405, { error: 'Method not allowed', code: 'method_not_allowed' }, { Allow: 'GET, HEAD' });
      } else if (path === '/livez') sendJson(response, 200, { status: 'alive' });
      else {
        const answered = path === '/readyz' ? readiness(response) : page(request, response);
        answered.catch((error: unknown) => {
          log.error({ err: error }, 'probe');
          response.destroy();
        });
      }
      return true;
    },
    stopping: () => {
      isStopping = true;
    },
    close: () => metrics?.stop(),
  };
}

/** Serves the probes alone for a process without a web server. Returns its address and how to close it. */
export async function listenForProbes(
  probes: Probes,
  host: string,
  port: number,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer({ headersTimeout: 8_000, requestTimeout: 10_000 }, (request, response) => {
    if (!probes.answer(request, response)) sendJson(response, 404, { error: 'Not found', code: 'not_found' });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
