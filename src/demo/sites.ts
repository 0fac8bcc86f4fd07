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

/** What stands behind the sites. Without any of it every host answers a page of its own. */
export interface SitesOptions {
  /** Its zones forward, as its edge does. */
  cloudflare?: CloudflareState;
  /** The folder that an SSH server has as `/`. */
  root?: string;
  /** Where in it the site of a host lies, as the domain's `file_path` says. */
  rootOf?: (host: string) => string;
}

/** What is wrong with a certificate: it is not there yet, or it is another name's. */
export type CertificateTrouble = 'issuing' | 'foreign';

/** The sites of the demo on one port. `troubles` says by host what does not answer 200, and may be changed at any time. */
export interface Sites {
  port: number;
  /** The authority of its certificates, PEM. */
  ca: string;
  /** Hosts that have TLS without the edge. */
  secured: Set<string>;
  certificates: Map<string, CertificateTrouble>;
  /** Hosts whose connections are reset. */
  off: Set<string>;
  /** Hosts whose rules the edge has not heard of yet. */
  deaf: Set<string>;
  close: () => Promise<void>;
}

interface Street {
  troubles: Record<string, Trouble>;
  off: Set<string>;
  deaf: Set<string>;
  options: SitesOptions;
  find: ZoneFinder;
  /** Names that were forwarded to by https have it, too. */
  secured: Set<string>;
  certificates: Map<string, CertificateTrouble>;
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
  response.end(trouble.html ?? placeholder(host));
  return true;
}

/** The page of a site that nobody has deployed: the same text for all, as the sites of one project have it. */
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

// A context takes tens of kilobytes, and a demo has tens of thousands of names.
const MOST_CONTEXTS = 500;

/** What TLS a name gets: a certificate, none while it is issued, or undefined where TLS is refused altogether. */
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
 * Serves every host there is on loopback: over plain HTTP, and over TLS those that the edge serves or that something forwards
 * to. Others refuse TLS at once, so that checks go on to http.
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
