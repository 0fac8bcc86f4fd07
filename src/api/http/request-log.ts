import type { Context, Next } from 'koa';
import { requestIdOf } from '../../lib/tracing/request-id.ts';
import { measure } from '../../lib/measures.ts';
import { inSpan, isTraced } from '../../lib/tracing/spans.ts';
import { traceOf } from './caller.ts';
import { SITE_PREVIEWS, TEMPLATE_FILES, type Server } from './route.ts';

function withoutToken(path: string): string {
  const open = [TEMPLATE_FILES, SITE_PREVIEWS].find((start) => path.startsWith(start));
  return open === undefined ? path : `${open}…`;
}

const isCall = ({ path }: Context): boolean => /^\/api(\/|$)/.test(path);

/** Answers a call in a span, named by its route: a path may name a domain. */
function traced(context: Context, server: Server, next: Next): Promise<void> {
  const { method } = context;
  const facts = { 'http.request.method': method, 'seo_admin.request': String(context.state['request']) };
  return inSpan({ name: method, kind: 'server', facts, parent: traceOf(context, server) }, async (span) => {
    await next();
    const route = context.state['route'] as string | undefined;
    if (route !== undefined) span.rename(`${method} ${route}`);
    span.set({ 'http.response.status_code': context.status, ...(route !== undefined && { 'http.route': route }) });
    if (context.status >= 500) span.fail();
  });
}

/** Gives each request its id, which is answered as `X-Request-Id`, and logs it at its end: its method, path, status, time and user. */
export function logRequests(server: Server) {
  return async (context: Context, next: Next): Promise<void> => {
    const start = performance.now();
    const request = requestIdOf(context.get('x-request-id'));
    context.state['request'] = request;
    context.set('X-Request-Id', request);
    await (isTraced() && isCall(context) ? traced(context, server, next) : next());
    // Without the query, which may hold search terms, and without the token of links that work without a session.
    const line = {
      request,
      method: context.method,
      path: withoutToken(context.path),
      status: context.status,
      ms: Math.round(performance.now() - start),
      user: context.state['user'] as number | undefined,
    };
    measure('request', { method: context.method, status: context.status, ms: line.ms });
    if (context.status >= 500 && !context.res.destroyed) server.log.error(line, 'request');
    else server.log.debug(line, 'request');
  };
}
