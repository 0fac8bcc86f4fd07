// A fake outside world on loopback: sites that behave by their Host header, and a name server.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { decode, encode, AUTHORITATIVE_ANSWER, type Answer, type RecordType } from 'dns-packet';

/** The behaviour of a site. By default it answers an empty 200 at once. */
export interface Site {
  status?: number;
  delayMs?: number;
  location?: string;
  /** Bytes of body announced and sent; `Infinity` never ends. */
  body?: number;
  /** Raw bytes in latin1, sent in place of a response. */
  raw?: string;
  /** In place of a response: silence, a reset, a plain close, or a header that never ends. */
  fault?: 'hang' | 'reset' | 'close' | 'drip';
}

/** A request that was received; its URL includes the scheme. */
export interface Seen {
  url: string;
  headers: IncomingMessage['headers'];
}

export interface World {
  port: number;
  tlsPort: number;
  seen: Seen[];
  close(): Promise<void>;
}

const pem = (name: string) => readFileSync(fileURLToPath(new URL(`../corpus/tls/${name}.pem`, import.meta.url)));

/**
 * Starts an HTTP server, and an HTTPS server with a self-signed certificate. A site is found by `scheme://host/path`,
 * then by `host/path`, then by host; else the answer is 404.
 */
export async function startWorld(sites: Record<string, Site>): Promise<World> {
  const seen: Seen[] = [];
  const listener = (scheme: string) => (req: IncomingMessage, res: ServerResponse) => {
    const path = `${req.headers.host}${req.url}`;
    seen.push({ url: `${scheme}://${path}`, headers: req.headers });
    const site = sites[`${scheme}://${path}`] ?? sites[path] ?? sites[req.headers.host ?? ''] ?? { status: 404 };
    void play(site, req.socket, res);
  };
  const plain = createHttp(listener('http'));
  const tls = createHttps({ key: pem('key'), cert: pem('cert') }, listener('https'));
  // Errors of disconnected clients are ignored.
  plain.on('connection', (socket) => socket.on('error', () => {}));
  tls.on('secureConnection', (socket) => socket.on('error', () => {}));
  const ports = await Promise.all([listen(plain), listen(tls)]);
  return {
    port: ports[0],
    tlsPort: ports[1],
    seen,
    async close() {
      const closed = [plain, tls].map((server) => once(server, 'close'));
      for (const server of [plain, tls]) server.close().closeAllConnections();
      await Promise.all(closed);
    },
  };
}

async function listen(server: Server): Promise<number> {
  server.listen({ port: 0, host: '127.0.0.1', backlog: 2048 });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function play(site: Site, socket: Socket, res: ServerResponse): Promise<void> {
  if (site.delayMs !== undefined) await sleep(site.delayMs);
  if (site.fault === 'reset') reset(socket);
  else if (site.fault === 'close') socket.end();
  else if (site.raw !== undefined) socket.end(site.raw, 'latin1');
  else if (site.fault === 'drip') await drip(socket);
  else if (site.fault === undefined) await answer(site, res);
}

// A TLS socket gives no access to the TCP socket, so it is destroyed without a TLS close.
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

async function answer({ status = 200, location, body = 0 }: Site, res: ServerResponse): Promise<void> {
  res.writeHead(status, { ...(location === undefined ? {} : { location }), 'content-type': 'text/html' });
  if (Number.isFinite(body)) {
    res.end('x'.repeat(body));
    return;
  }
  while (!res.destroyed) {
    res.write('x'.repeat(65_536));
    await sleep(5);
  }
}

async function drip(socket: Socket): Promise<void> {
  socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
  while (!socket.destroyed) {
    socket.write('x');
    await sleep(20);
  }
}

/** Starts a listener that should receive nothing: counts connections and drops them. */
export async function startTrap(
  host = '127.0.0.1',
  port = 0,
): Promise<{ port: number; hits(): number; close(): void }> {
  let hits = 0;
  const server = createTcp((socket) => {
    hits += 1;
    socket.destroy();
  });
  server.listen({ port, host });
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, hits: () => hits, close: () => server.close() };
}

/** Starts a listener that accepts connections and never sends anything. */
export async function startSilence(): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createTcp((socket) => {
    socket.on('error', () => {});
    sockets.add(socket);
  });
  const port = await listen(server);
  return {
    port,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Returns a loopback port on which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = createTcp();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** The answers of the name server for a name. A name without records is NXDOMAIN, one with `{}` has no address. */
export interface Records {
  a?: string[] | (() => string[]);
  aaaa?: string[];
  rcode?: 'SERVFAIL' | 'REFUSED';
  delayMs?: number;
  /** Whether it never answers. */
  drop?: boolean;
}

/** Starts a name server over UDP. `asked` lists the questions as `TYPE name`. */
export async function startNames(
  names: Record<string, Records>,
): Promise<{ address: string; asked: string[]; close(): Promise<void> }> {
  const asked: string[] = [];
  const socket = createSocket('udp4').setMaxListeners(0);
  socket.on('message', (message, from) => {
    const query = decode(message);
    const question = query.questions?.[0];
    if (question === undefined) return;
    asked.push(`${question.type} ${question.name}`);
    const records = names[question.name.toLowerCase()];
    if (records?.drop) return;
    const reply = encode({
      type: 'response',
      id: query.id,
      flags: AUTHORITATIVE_ANSWER | rcodeOf(records),
      questions: [question],
      answers: answersFor(question.name, question.type, records),
    });
    const timer = setTimeout(() => socket.send(reply, from.port, from.address), records?.delayMs ?? 0);
    socket.once('close', () => clearTimeout(timer));
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

// RFC 1035, 4.1.1: the low four bits of the flags.
const RCODES = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };

const rcodeOf = (records: Records | undefined): number => {
  if (records === undefined) return RCODES.NXDOMAIN;
  return records.rcode === undefined ? 0 : RCODES[records.rcode];
};

function answersFor(name: string, type: RecordType, records: Records = {}): Answer[] {
  const a = typeof records.a === 'function' ? records.a() : (records.a ?? []);
  if (type === 'A') return a.map((data) => ({ type: 'A', name, ttl: 0, data }));
  if (type === 'AAAA') return (records.aaaa ?? []).map((data) => ({ type: 'AAAA', name, ttl: 0, data }));
  return [];
}
