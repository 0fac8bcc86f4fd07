import type { Context, Next } from 'koa';
import type { Door } from '../../services/access/calls.ts';
import { isIP } from 'node:net';
import { type Signed, authenticate } from '../../services/access/session.ts';
import { authenticateToken, isApiToken } from '../../services/access/token-caller.ts';
import type { SecretsShown } from '../../services/accounts/team.ts';
import { plainAddress } from '../../shared/plain-address.ts';
import { AppError } from '../../shared/errors.ts';
import { includesScope, type TokenScope } from '../../shared/access/tokens.ts';
import { type Language, languageOf } from '../../shared/i18n/index.ts';
import { noteRight } from './admission.ts';
import { scopeOf, type Route, type Server } from './route.ts';

/** The caller of a request without a session, such as a sign-in. */
export const STRANGER = { id: null, login: '' };

/**
 * Returns the door of a call. A browser names the origin of the page with every call that changes something; programs, which
 * use the API with the same token, don't.
 */
export const doorOf = (context: Context, route: string, address: string): Door => ({
  name: context.get('origin') === '' ? 'api' : 'ui',
  call: route,
  address,
  request_id: context.state['request'] as string,
});

/** Returns the language that the caller's browser asks for. */
export const languageOfContext = (context: Context): Language => languageOf(context.get('accept-language'));

const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1']);

/** Returns the host of a request target in absolute form, which takes precedence over `Host`; null for a path. */
function targetHost(url: string): string | null {
  if (url.startsWith('/') || url === '*') return null;
  return /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? '';
}

const bareHost = (host: string): string => host.toLowerCase().replace(/^\[|\]$|\.$/g, '');

/** Refuses hosts that are not ours, against DNS rebinding: only the configured name, loopback names and addresses are served. */
export function refuseForeignHost(server: Server) {
  const own = server.config.publicUrl ? bareHost(new URL(server.config.publicUrl).hostname) : null;
  const isOwn = (given: string): boolean => {
    const match = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/i.exec(given);
    const host = bareHost(match?.[1] ?? '');
    return LOOPBACK.has(host) || host === own || isIP(host) !== 0;
  };
  return async (context: Context, next: Next): Promise<void> => {
    const given = context.req.rawHeaders.filter(
      (name, index) => index % 2 === 0 && name.toLowerCase() === 'host',
    ).length;
    const target = targetHost(context.req.url ?? '');
    const foreign = [context.get('host'), ...(target === null ? [] : [target])].find((host) => !isOwn(host));
    if (given !== 1 || foreign !== undefined) {
      const host = (foreign ?? context.get('host')).slice(0, 100);
      throw new AppError('invalid', 'error.host', { host }, { code: 'unknown_host' });
    }
    await next();
  };
}

const socketOf = (context: Context): string => plainAddress(context.req.socket.remoteAddress ?? '');

/** Returns the address of a hop of `X-Forwarded-For`, which may be in brackets and have a port. */
function hopOf(text: string): string {
  const [, inBrackets, beforePort] = /^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? [];
  return plainAddress(inBrackets ?? beforePort ?? text);
}

/**
 * Returns the caller's address: the socket's, or the one that a trusted proxy reports. Of a hop that is no address nothing is taken, nor
 * of those before it, which the caller may have written.
 */
export function addressOf(context: Context, server: Server): string {
  const socket = socketOf(context);
  if (!server.config.trustedProxies.includes(socket)) return socket;
  const hops = context
    .get('x-forwarded-for')
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean)
    .map(hopOf);
  const caller = hops.findLast((hop) => !server.config.trustedProxies.includes(hop)) ?? '';
  return isIP(caller) === 0 ? socket : caller;
}

/** Returns the trace that a request goes on from, as a trusted proxy tells it: a stranger's could keep his requests out of every trace. */
export const traceOf = (context: Context, server: Server): string | null =>
  server.config.trustedProxies.includes(socketOf(context)) ? context.get('traceparent') || null : null;

/**
 * Returns the origin of the page that calls, to which passkeys are bound: the one that the browser names if it is ours, which is
 * the configured one or that of the request's host.
 */
export function originOf(context: Context, server: Server): string {
  const named = context.get('origin');
  const own = server.config.publicUrl ? new URL(server.config.publicUrl).origin : null;
  if (URL.canParse(named) && (named === own || new URL(named).host === context.get('host'))) return named;
  return own ?? `http://${context.get('host')}`;
}

const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'via'];

/**
 * Returns whether secrets may be sent in clear: only over TLS, as a trusted proxy reports, or to a caller on this machine. A
 * loopback request with forwarding headers may come through a proxy that is not listed, from anywhere: it is masked.
 */
export function secretsShown(context: Context, server: Server): SecretsShown {
  const socket = socketOf(context);
  const isSafe = server.config.trustedProxies.includes(socket)
    ? /^\s*https\s*$/i.test(context.get('x-forwarded-proto'))
    : /^(127\.|::1$)/.test(socket) && FORWARDING.every((header) => context.get(header) === '');
  return isSafe ? 'clear' : 'masked';
}

/** Returns the caller by the token of a session or of a program. Throws AppError `no_token` without one, and what `authenticate` throws. */
async function signedOf(context: Context, server: Server): Promise<Signed> {
  const header = context.get('authorization').trim();
  const token = header.replace(/^Bearer\s+/i, '');
  if (!token || /^Bearer$/i.test(token)) throw new AppError('no_token', 'error.no_token');
  return isApiToken(token) ? authenticateToken(token) : authenticate(server.key, token);
}

/** Replaces the caller on a route for `anyone`: reading it there is a bug, and throws. */
export const nobody = new Proxy({} as Signed, {
  get: () => {
    throw new Error('this route has no signed-in caller');
  },
});

/** A route of the table with its name and its method. */
export interface NamedRoute {
  name: string;
  method: string;
  route: Route;
}

/** Refuses an API token whose scope lacks what a route needs (null: a session). */
function refuseScope({ scope }: Signed, needed: TokenScope | null): void {
  if (scope === null || (needed !== null && includesScope(scope, needed))) return;
  const key = needed === null ? 'tokens.session_only' : 'tokens.scope_needed';
  throw new AppError('forbidden', key, { scope: needed ?? '' });
}

/** Returns the caller of a route, null: it is for anyone. Throws AppError for one whose token, role or second factor does not do. */
export async function admit(context: Context, { method, route }: NamedRoute, server: Server): Promise<Signed | null> {
  if (route.access === 'anyone') return null;
  const signed = await signedOf(context, server);
  noteRight(context.req);
  context.state['user'] = signed.actor.id;
  if (route.access === 'admin' && signed.actor.role !== 'admin') throw new AppError('forbidden', 'error.forbidden');
  refuseScope(signed, scopeOf(method, route));
  if (signed.mustEnrol && !route.enrols)
    throw new AppError('forbidden', 'factor.must_add', {}, { code: 'second_factor_missing' });
  return signed;
}

/** Refuses unsafe calls from pages of other sites. They cannot read a token, but could send a form. */
export function refuseCrossSite(context: Context): void {
  if (context.method !== 'GET' && context.get('sec-fetch-site') === 'cross-site') {
    throw new AppError('forbidden', 'error.cross_site');
  }
}

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,200}$/;

/** Returns the call's `Idempotency-Key`. Throws AppError `invalid` for one that is not of 1 to 200 printable ASCII characters. */
export function idempotencyKeyOf(context: Context): string | undefined {
  const given = context.req.headers['idempotency-key'];
  if (given === undefined) return undefined;
  if (typeof given === 'string' && IDEMPOTENCY_KEY.test(given)) return given;
  throw new AppError('invalid', 'error.idempotency_key', {}, { code: 'bad_idempotency_key' });
}
