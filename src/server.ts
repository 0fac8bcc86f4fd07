import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
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
import { openProbes } from './probes.ts';
import { serveUi } from './ui-files.ts';
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
// Node would answer without a body: `refuseRequest` does.
const OPTIONS = { ...TIMEOUTS, requireHostHeader: false };
const GRACE_MS = 10_000;
const WITHOUT_SCHEDULER = new Set(WORK_KINDS.filter((kind) => kind !== 'schedule' && kind !== 'notices'));

// Node's errors for bytes that never become a request; all others get 400.
const UNREADABLE: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Returns the API's error envelope for a status that is HTTP's own. */
function envelopeOf(status: number): string {
  const text = STATUS_CODES[status] ?? '';
  return JSON.stringify({ error: text, code: text.toLowerCase().replaceAll(' ', '_') });
}

/** Answers bytes that are no valid request with the API's error envelope, and closes the connection. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = UNREADABLE[error.code ?? ''] ?? 400;
  const body = envelopeOf(status);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  socket.end(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

/** Refuses a request that HTTP does not allow, as `refuseUnreadable` does. */
function refuseRequest(response: ServerResponse, status: number): void {
  const body = envelopeOf(status);
  const head = { 'Content-Type': 'application/json', 'Content-Length': body.length, Connection: 'close' };
  response.writeHead(status, head).end(body);
}

const isNameless = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.1' && headers.host === undefined;

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
  const app = createApp(
    { config, key, log, events, version: packageVersion() },
    serveUi(packagePath('dist/ui'), config.demo),
  );
  const handle = app.callback();
  const admit = startAdmission(config.trustedProxies);
  const server = createServer(OPTIONS, (request, response) => {
    if (isNameless(request)) return refuseRequest(response, 400);
    if (probes.answer(request, response)) return;
    admit(request, response, () => void handle(request, response));
  });
  server.on('clientError', refuseUnreadable);
  server.on('checkExpectation', (_request, response: ServerResponse) => refuseRequest(response, 417));
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
