import { existsSync } from 'node:fs';
import { createServer, STATUS_CODES, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Context } from 'koa';
import sirv from 'sirv';
import { closeDatabase, openDatabase } from '../db/index.ts';
import { migrate } from '../db/migrate.ts';
import { startAdmission } from './api/admission.ts';
import { createApp } from './api/app.ts';
import type { Config } from './lib/config.ts';
import { probeWrite } from './lib/disk.ts';
import { deriveKey, ensureDataDir } from './lib/key.ts';
import type { Logger } from './lib/log.ts';
import { packagePath, packageVersion } from './lib/package.ts';
import { registerFlows } from './operations/engine.ts';
import { startSchedule } from './operations/schedule.ts';
import { startWorker } from './operations/worker.ts';
import { flows } from './services/system/flows.ts';
import { startFeed } from './services/system/events.ts';
import { jobs } from './services/system/jobs.ts';
import { openKeys } from './services/access/keys.ts';
import { AppError } from './shared/errors.ts';

/** What `serve` was asked for. Port 0 takes a free one. */
export interface ServeOptions {
  config: Config;
  log: Logger;
  host: string;
  port: number;
  scheduler: boolean;
}

/** A server that answers. `close` finishes what is in flight and releases the database. */
export interface Serving {
  url: string;
  migrated: string[];
  close: () => Promise<void>;
}

// Slow clients: a request's head and body must arrive in time, or the socket goes. Node's own limits are 60 s and 300 s,
// looked at every 30 s.
const TIMEOUTS = {
  headersTimeout: 8_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
};
const GRACE_MS = 10_000;

/** Serves the built UI: every path that is no file is the app itself. Hashed names never change, the page always may. */
function uiServer(): (context: Context) => Promise<void> {
  const folder = packagePath('dist/ui');
  if (!existsSync(folder)) {
    return async () => {
      throw new AppError('not_configured', 'error.no_ui');
    };
  }
  // The folder is looked through when the first file is asked for: it would hold up the start.
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
      serve(context.req, context.res, () => {
        context.res.statusCode = 404;
        context.res.end('Not found');
      });
    });
}

// What never becomes a request, as Node names it; anything else is 400.
const UNREADABLE: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers bytes that make no request in the envelope of the API, and closes. */
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

/** Takes no new connections, waits for answers that are under way, and cuts what is left after the grace. */
function stopListening(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    // A kept connection is idle once its answer is out, and would hold the server up until its client leaves.
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

/** Opens and migrates the database, then serves UI and API. Returns once it answers. */
export async function serve({ config, log, host, port, scheduler }: ServeOptions): Promise<Serving> {
  // SQLite says of a full disk whatever it was about to do.
  ensureDataDir(config.dataDir);
  await probeWrite(config.dataDir);
  await openDatabase(config.databaseFile, { severalReaders: true });
  const migrated = await migrate();
  const key = deriveKey(await openKeys(config), 'session tokens');
  const feed = startFeed(log);
  const app = createApp({ config, key, log, feed, version: packageVersion() }, uiServer());
  const handle = app.callback();
  const admit = startAdmission(config.trustedProxies);
  const server = createServer(TIMEOUTS, (request, response) => {
    admit(request, response, () => void handle(request, response));
  });
  server.on('clientError', refuseUnreadable);
  const url = await listen(server, host, port);
  registerFlows(flows(config));
  const worker = startWorker(log);
  const schedule = scheduler ? startSchedule(jobs(config, log), log) : undefined;
  const close = async (): Promise<void> => {
    await Promise.all([schedule?.stop(), feed.close(), stopListening(server), worker.stop()]);
    await closeDatabase();
  };
  return { url, migrated, close };
}
