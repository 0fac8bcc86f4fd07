import { Readable } from 'node:stream';
import { Router } from '@koa/router';
import Koa, { type Context, type Next } from 'koa';
import compress from 'koa-compress';
import helmet from 'koa-helmet';
import { actFor, forRequest } from '../services/access/calls.ts';
import { isKeptList } from '../services/portfolio/kept-lists.ts';
import { AppError, notFound } from '../shared/errors.ts';
import { invalidInput } from '../shared/invalid-input.ts';
import { ALWAYS_ADMITTED } from './http/admission.ts';
import { readBody, refuseIncomplete, refuseTooLarge } from './http/body.ts';
import {
  addressOf,
  admit,
  doorOf,
  originOf,
  secretsShown,
  refuseForeignHost,
  refuseCrossSite,
  languageOfContext,
  nobody,
  idempotencyKeyOf,
  STRANGER,
  type NamedRoute,
} from './http/caller.ts';
import { failureOf } from './http/errors.ts';
import { routes } from './index.ts';
import { hasEtag, sendKept } from './http/kept-answer.ts';
import { openApi } from './http/openapi.ts';
import { renderIn } from './http/render.ts';
import { logRequests } from './http/request-log.ts';
import { serialize, type FileAnswer, type Server } from './http/route.ts';

const SELF = ["'self'"];

const NONE = ["'none'"];

const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: NONE,
      scriptSrc: SELF,
      styleSrc: SELF,
      imgSrc: [...SELF, 'data:'],
      fontSrc: SELF,
      connectSrc: SELF,
      // For previews of sites, which are sandboxed.
      frameSrc: SELF,
      baseUri: NONE,
      formAction: NONE,
      frameAncestors: NONE,
    },
  },
  crossOriginOpenerPolicy: { policy: 'same-origin' },
  crossOriginResourcePolicy: { policy: 'same-origin' },
  referrerPolicy: { policy: 'no-referrer' },
  // This server has no TLS itself: HSTS is up to the proxy that adds TLS.
  strictTransportSecurity: false,
});

/** Checks origin, size, token, role and input, in this order: an anonymous caller must not learn whether a body is valid. */
async function answer(context: Context, named: NamedRoute, server: Server): Promise<unknown> {
  const { name, route } = named;
  refuseCrossSite(context);
  refuseTooLarge(context, route);
  const admitted = await admit(context, named, server);
  const asked = { ...context.query };
  const query = route.query?.safeParse(asked);
  if (query && !query.success) throw invalidInput(query.error, asked);
  const raw = route.body ? await readBody(context, route, server.config.dataDir) : undefined;
  const language = languageOfContext(context);
  try {
    // A body may take its time, and the caller may have been signed out, disabled or demoted meanwhile.
    const signed = (raw ? await admit(context, named, server) : admitted) ?? nobody;
    const body = route.body?.safeParse(raw?.fields);
    refuseIncomplete(body?.error, route, raw ?? { fields: undefined, files: {} });
    const address = addressOf(context, server);
    const call = {
      server,
      address,
      agent: context.get('user-agent'),
      origin: originOf(context, server),
      // A token that leaks must not tell the passwords of the whole team.
      secrets: route.access !== 'anyone' && signed.scope !== null ? 'masked' : secretsShown(context, server),
      language,
      render: renderIn(language),
      signed,
      get actor() {
        return signed.actor;
      },
      params: context['params'] as Record<string, string>,
      query: query?.data,
      body: body?.data,
      given: raw?.fields && typeof raw.fields === 'object' ? Object.keys(raw.fields) : [],
      files: raw?.files ?? {},
      idempotencyKey: idempotencyKeyOf(context),
      lastEventId: context.get('last-event-id'),
    };
    const caller = route.access === 'anyone' ? STRANGER : signed.actor;
    return await actFor(caller, doorOf(context, name, address), () => route.run(call));
  } finally {
    await raw?.cleanUp();
  }
}

/** Sends events as they come: neither compression nor a proxy's buffering may delay them. */
function stream(context: Context, events: Readable): void {
  context.compress = false;
  context.set('X-Accel-Buffering', 'no');
  context.set('Content-Type', 'text/event-stream');
  context.body = events;
}

// RFC 5987: also encodes the characters that encodeURIComponent leaves but a header can't carry.
const inHeader = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** Sends a file for download. Its content is untrusted: if a browser opens it, the policy keeps it from acting as a page of ours. */
function send(context: Context, { name, type, content, headers, etag }: FileAnswer): void {
  const plain = name.replace(/[^\w. -]/g, '_');
  const saved = {
    'Content-Disposition': `attachment; filename="${plain}"; filename*=UTF-8''${inHeader(name)}`,
    'Content-Security-Policy': "default-src 'none'; sandbox",
  };
  context.set(headers ?? saved);
  context.set('X-Content-Type-Options', 'nosniff');
  context.set('Content-Type', type);
  if (etag !== undefined) context.set({ ETag: etag, 'Cache-Control': 'private, no-cache' });
  if (etag !== undefined && hasEtag(context, etag)) context.status = 304;
  else context.body = content;
}

/** Returns a signal that fires when the client leaves before it has its answer. */
function clientOf(context: Context): AbortSignal {
  const client = new AbortController();
  context.res.once('close', () => {
    if (!context.res.writableFinished) client.abort();
  });
  return client.signal;
}

/**
 * Answers a call for its client. Reads for a disconnected client are dropped; not those of calls that may start work, which goes
 * on without the client once it has begun, nor those of streams.
 */
function answerFor(context: Context, named: NamedRoute, server: Server): Promise<unknown> {
  const client = clientOf(context);
  const work = (): Promise<unknown> => answer(context, named, server);
  if (ALWAYS_ADMITTED.has(context.path)) return forRequest({ urgent: true }, client, work);
  const isRead = context.method === 'GET' && named.route.answer !== 'events';
  return forRequest(isRead ? { signal: client } : {}, client, work);
}

function routerOf(server: Server): Router {
  const router = new Router({ strict: false, sensitive: true });
  for (const named of routes) {
    const { name, method, path, route } = named;
    if (!['anyone', 'user', 'admin'].includes(route.access)) throw new Error(`${name} declares no access`);
    router.register(path, [method], async (context: Context) => {
      context.state['route'] = path;
      const result = await answerFor(context, named, server);
      if (isKeptList(result)) await sendKept(context, result);
      else if (result instanceof Readable) stream(context, result);
      else if (route.answer === 'file') send(context, result as FileAnswer);
      else {
        context.type = 'application/json';
        context.body = serialize(result);
      }
    });
  }
  return router;
}

/** Turns everything thrown into the JSON envelope; Koa's own handler would drop headers and answer in plain text. */
function catchErrors(server: Server) {
  return async (context: Context, next: Next): Promise<void> => {
    try {
      await next();
      if (context.path.startsWith('/api') && context.status === 404 && context.body == null) throw notFound();
    } catch (error) {
      const log = server.log.child({ request: context.state['request'] as string });
      const failure = failureOf(error, languageOfContext(context), log);
      context.status = failure.status;
      context.type = 'application/json';
      if (failure.retryAfter !== undefined) context.set('Retry-After', String(failure.retryAfter));
      context.body = JSON.stringify(failure.body);
    }
  };
}

/** Sets the header `Allow`, and returns the refusal of a method that an address does not take. */
function notAllowed(context: Context, methods: readonly string[]): AppError {
  const allowed = methods.join(', ');
  context.set('Allow', allowed);
  return new AppError('invalid', 'error.method', { allowed }, { code: 'method_not_allowed' });
}

/** Throws `method_not_allowed` for a known path with another method. */
function refuseMethod(context: Context, router: Router): void {
  const { path } = router.match(context.path, context.method);
  const allowed = [...new Set(path.flatMap((layer) => layer.methods))];
  if (allowed.length > 0) throw notAllowed(context, allowed);
}

/**
 * Creates the HTTP door as a Koa application: `/api` by the route table, everything else by `serveUi`. Throws if a route
 * declares no access.
 */
export function createApp(lent: Omit<Server, 'contract'>, serveUi: (context: Context) => Promise<void>): Koa {
  const server: Server = { ...lent, contract: () => openApi(routes, lent.version) };
  const app = new Koa();
  const router = routerOf(server);
  const dispatch = router.routes();
  app.on('error', (error: NodeJS.ErrnoException) => {
    // A client that disconnects early is no error of ours.
    if (!['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(error.code ?? ''))
      server.log.error({ err: error }, 'connection');
  });
  app.use(logRequests(server));
  app.use(catchErrors(server));
  app.use(securityHeaders);
  app.use(refuseForeignHost(server));
  app.use(async (context, next) => {
    if (!/^\/api(\/|$)/.test(context.path)) {
      if (!['GET', 'HEAD'].includes(context.method)) throw notAllowed(context, ['HEAD', 'GET']);
      return serveUi(context);
    }
    context.set('Cache-Control', 'no-store');
    await next();
  });
  app.use(compress({ threshold: 2048, br: { params: { 1: 4 } }, gzip: { level: 1 } }));
  app.use(async (context, next) => {
    await (dispatch as unknown as Koa.Middleware)(context, async () => {
      refuseMethod(context, router);
      await next();
    });
  });
  return app;
}
