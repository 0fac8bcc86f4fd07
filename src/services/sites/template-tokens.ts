import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { deriveKey } from '../../lib/key.ts';
import { notFound } from '../../shared/errors.ts';
import { ROLES } from '../../shared/access/users.ts';
import { liveSessions, type Signed } from '../access/session.ts';

const LINK_MS = 10 * 60 * 1000;

const Payload = z.tuple([
  z.number().int().positive(),
  // 0: the caller had a token and no session, so that the link opens nothing.
  z.number().int().nonnegative(),
  z.enum(ROLES),
  z.number().int().positive(),
]);

const signature = (key: Buffer, payload: string): Buffer =>
  createHmac('sha256', deriveKey(key, 'template links')).update(payload).digest();

/**
 * Returns a function that makes tokens for downloads of templates. A download needs no header, because a browser's own
 * sends none; a token is valid for ten minutes, and no longer than the session that asked for it.
 */
export function templateTokens(key: Buffer, { actor, session }: Pick<Signed, 'actor' | 'session'>) {
  return (id: number): string => {
    const payload = Buffer.from(JSON.stringify([id, session, actor.role, Date.now() + LINK_MS])).toString('base64url');
    return `${payload}.${signature(key, payload).toString('base64url')}`;
  };
}

function readPayload(key: Buffer, token: string): z.infer<typeof Payload> {
  const [payload = '', sign = '', ...rest] = token.split('.');
  const given = Buffer.from(sign, 'base64url');
  const wanted = signature(key, payload);
  // The last base64 character has unused bits: only the canonical spelling is accepted.
  const isOurs =
    given.length === wanted.length && timingSafeEqual(given, wanted) && given.toString('base64url') === sign;
  if (rest.length > 0 || !isOurs) throw notFound();
  return Payload.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
}

/**
 * Returns the id of the template that a token is for. Throws AppError `not_found` for a token that was changed or has
 * expired, and after its session has ended, or its user was disabled or given another role.
 */
export async function readTemplateToken(key: Buffer, token: string): Promise<number> {
  const [id, session, role, until] = readPayload(key, token);
  if (until < Date.now()) throw notFound();
  const live = await liveSessions([session]);
  if (live.get(session) !== role) throw notFound();
  return id;
}
