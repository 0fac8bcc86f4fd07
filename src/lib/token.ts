import { createHash, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { AppError } from '../shared/errors.ts';
import type { TokenPayload } from '../shared/access/users.ts';

const ISSUER = 'seo-admin';
const AUDIENCE = 'seo-admin';
/** A session ends after this time, even in use. */
export const SESSION_SECONDS = 12 * 60 * 60;
// For so long a network is known as well.
const FORMER_SECONDS = 90 * 24 * 60 * 60;
// Tolerance for a clock that was set back, and for servers whose clocks differ, by 90 s at most: a fresh token then seems to be issued
// in the future.
const MAX_SKEW_SECONDS = 120;

const Claims = z.object({
  id: z.number().int().positive(),
  login: z.string(),
  role: z.enum(['admin', 'user']),
  sid: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  iat: z.number().int(),
  exp: z.number().int(),
});

// Memoized, because jsonwebtoken tries a Buffer as a public key first, at every call: a millisecond each.
const keyObjects = new WeakMap<Buffer, KeyObject>();

function keyObjectOf(key: Buffer): KeyObject {
  const kept = keyObjects.get(key) ?? createSecretKey(key);
  keyObjects.set(key, kept);
  return kept;
}

/** Returns 32 random bytes as base64url: a session id or a one-time link's token. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const LETTERS_A_CODE = 16;

/** Returns a random text of 80 bits that people can type, in groups of four, without letters that look like others. */
export function randomCode(): string {
  const letters = Array.from(randomBytes(LETTERS_A_CODE), (byte) => LETTERS[byte % LETTERS.length] ?? '');
  return (letters.join('').match(/.{4}/g) ?? []).join('-');
}

/** Returns the hash of a token that is stored: a copy of the database must not be enough to sign in. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Signs a token (HS256) for a session. Its payload is for the browser's menu only; the server asks the database. */
export function signToken(
  key: Buffer,
  user: Pick<TokenPayload, 'id' | 'login' | 'role' | 'telegram'>,
  sid: string,
): string {
  const { id, login, role, telegram } = user;
  return jwt.sign({ id, login, role, telegram, sid }, keyObjectOf(key), {
    algorithm: 'HS256',
    issuer: ISSUER,
    audience: AUDIENCE,
    expiresIn: SESSION_SECONDS,
  });
}

/** The signature and the form of a token; it may be so many seconds old, and past its end with `isOver`. */
function claimsOf(key: Buffer, token: string, maxAge: number, isOver: boolean): z.infer<typeof Claims> {
  const { header, payload } = jwt.verify(token, keyObjectOf(key), {
    complete: true,
    algorithms: ['HS256'],
    issuer: ISSUER,
    audience: AUDIENCE,
    maxAge,
    ignoreExpiration: isOver,
  });
  // `crit`, `b64` and `zip` would change what was signed, and jsonwebtoken ignores them.
  if (Object.keys(header).some((name) => name !== 'alg' && name !== 'typ')) throw new Error('unknown header');
  const claims = Claims.parse(payload);
  if (claims.iat > Date.now() / 1000 + MAX_SKEW_SECONDS) throw new Error('issued in the future');
  return claims;
}

/**
 * Returns the claims of a token that we signed, for us, not expired and complete. jsonwebtoken by default accepts tokens
 * without expiry, any HMAC algorithm and unknown headers; all three are checked here. Throws AppError `bad_token`.
 */
export function verifyToken(key: Buffer, token: string): z.infer<typeof Claims> {
  try {
    return claimsOf(key, token, SESSION_SECONDS, false);
  } catch (cause) {
    throw new AppError('bad_token', 'error.bad_token', {}, { cause });
  }
}

/** Returns the login of a token that we signed in the last 90 days, be its session over; null for any other text. It opens nothing. */
export function formerLogin(key: Buffer, token: string): string | null {
  try {
    return claimsOf(key, token, FORMER_SECONDS, true).login;
  } catch {
    return null;
  }
}
