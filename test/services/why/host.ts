// A server that answers for any host, over http and https, as a test says.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Pair, startAuthority } from '../../../src/demo/sites/certificate.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Host {
  /** The certificate authority of its certificates, PEM. */
  ca: string;
  port: number;
  tlsPort: number;
  /** Its answer, which a test may change. */
  answer: Handler;
  /** The certificate that it shows for a name; undefined: it has none. */
  certificate: (name: string) => Pair | undefined;
  issue: (name: string, until?: Date) => Pair;
  /** The hosts that were asked for, each with its path. */
  asked: string[];
  close: () => Promise<void>;
}

/** Starts the server on two ports of loopback. */
export async function startHost(answer: Handler, { ca, issue }: ReturnType<typeof startAuthority>): Promise<Host> {
  const sockets = new Set<Socket>();
  const listener: Handler = (request, response) => {
    host.asked.push(`${request.headers.host}${request.url}`);
    host.answer(request, response);
  };
  const plain = createServer(listener);
  const secure = createTlsServer(
    {
      SNICallback: (name, give) => {
        const pair = host.certificate(name);
        give(null, createSecureContext(pair ?? {}));
      },
    },
    listener,
  );
  secure.on('tlsClientError', (_error, socket) => socket.destroy());
  for (const server of [plain, secure]) {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket.on('error', () => undefined).once('close', () => sockets.delete(socket)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  const host: Host = {
    ca,
    port: (plain.address() as AddressInfo).port,
    tlsPort: (secure.address() as AddressInfo).port,
    answer,
    certificate: (name) => issue(name),
    issue,
    asked: [],
    close: async () => {
      const closed = [plain, secure].map((server) => once(server, 'close'));
      for (const server of [plain, secure]) server.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all(closed);
    },
  };
  return host;
}

/** Answers a page with a title and some text. */
export const page =
  (title: string, text = 'Words that a visitor reads on this page of the site'): Handler =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>${title}</title><body><h1>${title}</h1><p>${text}</p></body>`);
  };

/** Answers a status. */
export const status =
  (code: number, headers: Record<string, string> = {}): Handler =>
  (_request, response) => {
    response.writeHead(code, { 'content-type': 'text/html', ...headers });
    response.end(`<title>${code}</title>`);
  };
