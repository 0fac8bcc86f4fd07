import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createNetServer, type AddressInfo, type Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { CloudflareState } from './cloudflare/state.ts';
import type { Trouble } from './domains.ts';
import { startAuthority } from './sites/certificate.ts';
import { forwardOf, isServed, zoneFinder, type ZoneFinder } from './sites/edge.ts';
import { pageOf } from './sites/files.ts';

const TLS_HELLO = 0x16;

/** Sources of the sites. Without any of them every host answers with a placeholder page. */
export interface SitesOptions {
  /** Rules of its zones redirect, as at the real edge. */
  cloudflare?: CloudflareState;
  /** The folder that is `/` on the SSH server. */
  root?: string;
  /** Returns the folder of a host's site in it, as the domain's `file_path`. */
  rootOf?: (host: string) => string;
}

/** Fault of a certificate: not issued yet, or for another name. */
export type CertificateTrouble = 'issuing' | 'foreign';

/** The sites of the demo on one port. The sets and maps may be changed at any time. */
export interface Sites {
  port: number;
  /** The certificate authority, PEM. */
  ca: string;
  /** Hosts that have TLS although the edge does not serve them. */
  secured: Set<string>;
  certificates: Map<string, CertificateTrouble>;
  /** Hosts whose connections are reset. */
  off: Set<string>;
  /** Hosts whose rules have not reached the edge yet: they do not redirect. */
  deaf: Set<string>;
  close: () => Promise<void>;
}

interface Street {
  troubles: Record<string, Trouble>;
  off: Set<string>;
  deaf: Set<string>;
  options: SitesOptions;
  find: ZoneFinder;
  /** Hosts with TLS besides those of the edge: also targets of a redirect. */
  secured: Set<string>;
  certificates: Map<string, CertificateTrouble>;
}

const hostOf = (request: IncomingMessage): string => (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');

/** Whether a site is down; if so, resets the connection, lets it hang, or answers with its fault. */
function fails({ troubles, off }: Street, host: string, request: IncomingMessage, response: ServerResponse): boolean {
  const trouble = troubles[host];
  if (off.has(host) || trouble?.error === 'reset') {
    request.socket.resetAndDestroy();
    return true;
  }
  if (trouble?.error === 'timeout') return true;
  if (!trouble) return false;
  response.writeHead(trouble.status ?? 200, { 'Content-Type': 'text/html; charset=utf-8' });
  response.end(trouble.html ?? placeholder(host));
  return true;
}

/** The page of a site that was never deployed: the same text for all, as on the sites of one project. */
function placeholder(host: string): string {
  const name = host.replaceAll(/[<>&]/g, '').replace(/^www\./, '');
  return `<!doctype html>
<html lang="ru">
<head><meta charset="utf-8"><title>${name}: советы на каждый день</title><link rel="canonical" href="https://${name}/"></head>
<body><h1>${name}</h1>
<p>Здесь собрано главное: обзоры, подборки и короткие ответы на вопросы читателей. Новые статьи выходят каждую неделю,
а старые мы перечитываем и правим, чтобы советы не устаревали. Начните с раздела для новичков, если вы здесь впервые.</p>
<p>Напишите нам, если нашли ошибку или хотите предложить тему. Отвечаем в течение двух рабочих дней.</p>
</body></html>
`;
}

// Limit of cached contexts: one takes tens of kilobytes, and a demo may have tens of thousands of names.
const MOST_CONTEXTS = 500;

/** Makes a function that returns the TLS context of a name: empty while its certificate is issued, undefined to refuse TLS. */
function contextsOf({ secured, certificates, find }: Street, issue: ReturnType<typeof startAuthority>['issue']) {
  const known = new Map<string, SecureContext>();
  const none = createSecureContext({});
  return (name: string): SecureContext | undefined => {
    const trouble = certificates.get(name);
    if (trouble === 'issuing') return none;
    if (!secured.has(name) && !isServed(find, name)) return undefined;
    const subject = trouble === 'foreign' ? 'another.invalid' : name;
    const made = known.get(subject) ?? createSecureContext(issue(subject));
    if (known.size >= MOST_CONTEXTS) known.clear();
    known.set(subject, made);
    return made;
  };
}

function forwards(street: Street, host: string, request: IncomingMessage, response: ServerResponse): boolean {
  const forward =
    street.options.cloudflare && !street.deaf.has(host) && forwardOf(street.find, host, request.url ?? '/');
  if (!forward) return false;
  if (URL.canParse(forward.location)) street.secured.add(new URL(forward.location).hostname);
  response.writeHead(forward.status, { Location: forward.location });
  response.end();
  return true;
}

async function answer(street: Street, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const host = hostOf(request);
  // The edge redirects without asking the site behind it, so a site that is down redirects, too.
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
 * Serves every host on loopback: over plain HTTP, and over TLS those that the edge serves or that were targets of a redirect.
 * Others refuse TLS at once, so that checks fall back to http. `troubles` has the faults by host, and may be changed at any
 * time.
 */
export async function startSites(troubles: Record<string, Trouble>, options: SitesOptions = {}): Promise<Sites> {
  const find: ZoneFinder = options.cloudflare ? zoneFinder(options.cloudflare) : () => undefined;
  const street: Street = {
    troubles,
    off: new Set(),
    deaf: new Set(),
    options,
    find,
    secured: new Set(),
    certificates: new Map(),
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    answer(street, request, response).catch(() => request.socket.destroy());
  };
  const { ca, issue } = startAuthority();
  const contextOf = contextsOf(street, issue);
  const plain = createServer(listener);
  const secure = createTlsServer(
    {
      SNICallback: (name, give) => {
        const context = contextOf(name);
        if (context) give(null, context);
        else give(new Error('no TLS here'));
      },
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
      (first[0] === TLS_HELLO ? secure : plain).emit('connection', socket);
    });
  });
  front.listen({ port: 0, host: '127.0.0.1', backlog: 2048 });
  await once(front, 'listening');
  return {
    port: (front.address() as AddressInfo).port,
    ca,
    off: street.off,
    deaf: street.deaf,
    secured: street.secured,
    certificates: street.certificates,
    async close() {
      const closed = once(front, 'close');
      front.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
