import { existsSync } from 'node:fs';
import { createServer, STATUS_CODES, type IncomingMessage, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Context } from 'koa';
import sirv from 'sirv';
import { closeDatabase } from '../db/index.ts';
import { startAdmission } from './api/http/admission.ts';
import { createApp } from './api/app.ts';
import type { Config } from './lib/config.ts';
import { deriveKey } from './lib/key.ts';
import type { Logger } from './lib/log.ts';
import { packagePath, packageVersion } from './lib/package.ts';
import { startEventStream } from './services/system/events.ts';
import { endAskedRuns } from './services/system/schedule-runs.ts';
import { WORK_KINDS } from './shared/system/work-kinds.ts';
import { AppError } from './shared/errors.ts';
import { openProbes } from './probes.ts';
import { openInstallation, startBackground, stopInTime } from './worker.ts';

/** Options of `serve`. Port 0 takes a free one. */
export interface ServeOptions {
  config: Config;
  log: Logger;
  host: string;
  port: number;
  scheduler: boolean;
}

/** A running server. `close` finishes requests in flight, for at most 10 s, and closes the database; false: not all work has ended in time (`stopInTime`). */
export interface Serving {
  url: string;
  migrated: string[];
  close: () => Promise<boolean>;
}

// Against slow clients: a request's head and body must arrive in time, or the socket is closed. Node's own limits are 60 s
// and 300 s, checked every 30 s.
const TIMEOUTS = {
  headersTimeout: 8_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
};
const GRACE_MS = 10_000;
const WITHOUT_SCHEDULER = new Set(WORK_KINDS.filter((kind) => kind !== 'schedule' && kind !== 'notices'));

// Names of domains end like files, and those of projects may: these paths are the app's, never a file's.
const PAGES_BY_NAME = ['/sites/', '/projects/'];
// What is seen before the sign-in is a small page of its own.
const BEFORE_SIGN_IN = /^\/(?:login|setup)\/?$/i;

/** Returns the file to look for instead of an address; undefined: the address itself. */
function pageOf(path: string): string | undefined {
  if (BEFORE_SIGN_IN.test(path)) return '/sign-in.html';
  return PAGES_BY_NAME.some((start) => path.startsWith(start)) ? '/' : undefined;
}

/** Serves the built UI; every path that is no file gets the app's page, and so does that of a domain. Files with hashed names are cached for good, others never unchecked. */
function uiServer(): (context: Context) => Promise<void> {
  const folder = packagePath('dist/ui');
  if (!existsSync(folder)) {
    return async () => {
      throw new AppError('not_configured', 'error.no_ui');
    };
  }
  // sirv scans the folder: it is opened at the first request, not to delay the start.
  let serve: ReturnType<typeof sirv> | undefined;
  const open = () =>
    sirv(folder, {
      single: true,
      brotli: true,
      gzip: true,
      etag: true,
      setHeaders: (response, path) =>
        response.setHeader(
          'Cache-Control',
          path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        ),
    });
  return (context) =>
    new Promise((resolve) => {
      context.respond = false;
      context.res.statusCode = 200;
      context.res.once('close', resolve);
      serve ??= open();
      const url = pageOf(context.path);
      const asked = url === undefined ? context.req : Object.assign(Object.create(context.req), { url });
      serve(asked as IncomingMessage, context.res, () => {
        context.res.statusCode = 404;
        context.res.end('Not found');
      });
    });
}

// Node's errors for bytes that never become a request; all others get 400.
const UNREADABLE: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers bytes that are no valid request with the API's error envelope, and closes the connection. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = UNREADABLE[error.code ?? ''] ?? 400;
  const text = STATUS_CODES[status] ?? '';
  const body = JSON.stringify({ error: text, code: text.toLowerCase().replaceAll(' ', '_') });
  const head = [`HTTP/1.1 ${status} ${text}`, 'Content-Type: application/json', `Content-Length: ${body.length}`];
  socket.end(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

/** Stops accepting connections, waits for answers under way, and closes the remaining connections after GRACE_MS. */
function stopListening(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    // A keep-alive connection becomes idle after its answer, and would delay the close until its client leaves.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    const end = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(end);
      resolve();
    });
  });
}

function listen(server: HttpServer, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const { address, family, port: taken } = server.address() as AddressInfo;
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`);
    });
  });
}

/** Opens and migrates the database, starts UI, API, worker and schedule. Resolves once the server listens. */
export async function serve({ config, log, host, port, scheduler }: ServeOptions): Promise<Serving> {
  const installation = await openInstallation(config, log);
  const key = deriveKey(installation.key, 'session tokens');
  const events = startEventStream(log);
  const probes = await openProbes(config, log);
  const app = createApp({ config, key, log, events, version: packageVersion() }, uiServer());
  const handle = app.callback();
  const admit = startAdmission(config.trustedProxies);
  const server = createServer(TIMEOUTS, (request, response) => {
    if (probes.answer(request, response)) return;
    admit(request, response, () => void handle(request, response));
  });
  server.on('clientError', refuseUnreadable);
  const url = await listen(server, host, port);
  const background = startBackground(log, scheduler ? undefined : WITHOUT_SCHEDULER);
  const end = async (): Promise<void> => {
    probes.stopping();
    await Promise.all([background.stop(), events.close(), stopListening(server)]);
    await endAskedRuns();
    probes.close();
    await closeDatabase();
  };
  return { url, migrated: installation.migrated, close: () => stopInTime(config, log, end()) };
}
