import type { IncomingHttpHeaders } from 'node:http';
import { refuse } from './reply.ts';
import type { CloudflareState, Login } from './state.ts';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const KEY = /^[0-9a-f]{37}$/;
const TOKEN = /^[A-Za-z0-9_-]{40,}$/;

const INVALID_HEADERS = 'Invalid request headers';

function byToken(logins: readonly Login[], authorization: string): Login {
  const token = authorization.replace(/^Bearer /, '');
  const login = logins.find((login) => login.token !== undefined && login.token === token);
  if (login) return login;
  const isToken = authorization.startsWith('Bearer ') && TOKEN.test(token);
  if (!isToken) refuse(400, 6003, INVALID_HEADERS, [[6111, 'Invalid format for Authorization header']]);
  return refuse(403, 9109, 'Invalid access token');
}

/** Returns the login of a call. Refuses as the API does: missing or malformed headers, an unknown pair, an unknown token. */
export function loginOf({ logins }: CloudflareState, headers: IncomingHttpHeaders): Login {
  const { authorization } = headers;
  const email = headers['x-auth-email'];
  const key = headers['x-auth-key'];
  const hasPair = email !== undefined || key !== undefined;
  if (authorization !== undefined) {
    if (hasPair) refuse(400, 6003, INVALID_HEADERS, [[6111, 'Invalid format for Authorization header']]);
    return byToken(logins, authorization);
  }
  if (typeof email !== 'string' || typeof key !== 'string') {
    refuse(400, 9106, 'Missing X-Auth-Key, X-Auth-Email or Authorization headers');
  }
  const login = logins.find((login) => login.api_key !== undefined && login.api_key === key && login.email === email);
  if (login) return login;
  if (!EMAIL.test(email)) refuse(400, 6003, INVALID_HEADERS, [[6102, 'Invalid format for X-Auth-Email header']]);
  if (!KEY.test(key)) refuse(400, 6003, INVALID_HEADERS, [[6103, 'Invalid format for X-Auth-Key header']]);
  return refuse(403, 9103, 'Unknown X-Auth-Key or X-Auth-Email');
}
