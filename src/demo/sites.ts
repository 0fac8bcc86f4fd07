import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createNetServer, type AddressInfo, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { CloudflareState } from './cloudflare/state.ts';
import type { Trouble } from './domains.ts';
import { selfSigned } from './sites/certificate.ts';
import { forwardOf, zoneFinder, type ZoneFinder } from './sites/edge.ts';
import { pageOf } from './sites/files.ts';

const TLS_HELLO = 0x16;

/** What stands behind the sites. Without any of it every host answers a page of its own. */
export interface SitesOptions {
  /** Its zones forward, as its edge does. */
  cloudflare?: CloudflareState;
  /** The folder that an SSH server has as `/`. */
  root?: string;
  /** Where in it the site of a host lies, as the domain's `file_path` says. */
  rootOf?: (host: string) => string;
}

/** The sites of the demo on one port. `troubles` says by host what does not answer 200, and may be changed at any time. */
export interface Sites {
  port: number;
  /** Hosts whose connections are reset. */
  off: Set<string>;
  close: () => Promise<void>;
}

interface Street {
  troubles: Record<string, Trouble>;
  off: Set<string>;
  options: SitesOptions;
  find: ZoneFinder;
  /** Names that were forwarded to by https: they have it. */
  secured: Set<string>;
}

const hostOf = (request: IncomingMessage): string => (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');

/** Whether a site is down: it hangs, resets, or answers what its trouble says. */
function fails({ troubles, off }: Street, host: string, request: IncomingMessage, response: ServerResponse): boolean {
  const trouble = troubles[host];
  if (off.has(host) || trouble?.error === 'reset') {
    request.socket.resetAndDestroy();
    return true;
  }
  if (trouble?.error === 'timeout') return true;
  if (!trouble) return false;
  response.writeHead(trouble.status ?? 200, { 'Content-Type': 'text/html; charset=utf-8' });
  response.end(placeholder(host));
  return true;
}

const placeholder = (host: string): string => `<!doctype html><title>${host.replaceAll(/[<>&]/g, '')}</title>\n`;

function forwards(street: Street, host: string, request: IncomingMessage, response: ServerResponse): boolean {
  const forward = street.options.cloudflare && forwardOf(street.find, host, request.url ?? '/');
  if (!forward) return false;
  if (URL.canParse(forward.location)) street.secured.add(new URL(forward.location).hostname);
  response.writeHead(forward.status, { Location: forward.location });
  response.end();
  return true;
}

async function answer(street: Street, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const host = hostOf(request);
  // The edge forwards without asking the site behind it, so a site that is down forwards, too.
  if (forwards(street, host, request, response) || fails(street, host, request, response)) return;
  const { root, rootOf } = street.options;
  const page = root === undefined ? null : await pageOf(root, host, request.url ?? '/', rootOf);
  const { status, type, content } = page ?? {
    status: 200,
    type: 'text/html; charset=utf-8',
    content: placeholder(host),
  };
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(content) });
  response.end(request.method === 'HEAD' ? undefined : content);
}

/**
 * Serves every host there is on loopback: over plain HTTP, and over TLS those that something forwards to. Others refuse TLS
 * at once, so that checks go on to http: twenty thousand handshakes would be most of what such a check does.
 */
export async function startSites(troubles: Record<string, Trouble>, options: SitesOptions = {}): Promise<Sites> {
  const find: ZoneFinder = options.cloudflare ? zoneFinder(options.cloudflare) : () => undefined;
  const street: Street = { troubles, off: new Set(), options, find, secured: new Set() };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    answer(street, request, response).catch(() => request.socket.destroy());
  };
  const pair = selfSigned('demo');
  const context = createSecureContext(pair);
  const plain = createServer(listener);
  const secure = createTlsServer(
    {
      ...pair,
      SNICallback: (name, give) => (street.secured.has(name) ? give(null, context) : give(new Error('no TLS here'))),
    },
    listener,
  );
  secure.on('tlsClientError', (_error, socket) => socket.destroy());
  const sockets = new Set<Socket>();
  const front = createNetServer((socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)).on('error', () => undefined));
    socket.once('readable', () => {
      const first = socket.read() as Buffer | null;
      if (first === null) return;
      socket.unshift(first);
      (first[0] === TLS_HELLO && street.secured.size > 0 ? secure : plain).emit('connection', socket);
    });
  });
  front.listen({ port: 0, host: '127.0.0.1', backlog: 2048 });
  await once(front, 'listening');
  return {
    port: (front.address() as AddressInfo).port,
    off: street.off,
    async close() {
      const closed = once(front, 'close');
      front.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
