import type { Context, Next } from 'koa';
import { measure } from '../../lib/measures.ts';
import { SITE_PREVIEWS, TEMPLATE_FILES, type Server } from './route.ts';

function withoutToken(path: string): string {
  const open = [TEMPLATE_FILES, SITE_PREVIEWS].find((start) => path.startsWith(start));
  return open === undefined ? path : `${open}…`;
}

/** Logs each request at its end: its method, path, status, time and user. */
export function logRequests(server: Server) {
  return async (context: Context, next: Next): Promise<void> => {
    const start = performance.now();
    await next();
    // Without the query, which may hold search terms, and without the token of links that work without a session.
    const line = {
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
