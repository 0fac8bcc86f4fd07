import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { deriveKey } from '../../lib/key.ts';
import { notFound } from '../../shared/errors.ts';
import { ROLES } from '../../shared/access/users.ts';
import { liveSessions, type Signed } from '../access/session.ts';
import { roleOfToken } from '../access/token-caller.ts';

const LINK_MS = 10 * 60 * 1000;

const Payload = z.tuple([
  z.number().int().positive(),
  // The session that asked, 0 where it was an API token.
  z.number().int().nonnegative(),
  z.number().int().positive().nullable(),
  z.enum(ROLES),
  z.number().int().positive(),
]);

const signature = (key: Buffer, payload: string): Buffer =>
  createHmac('sha256', deriveKey(key, 'template links')).update(payload).digest();

/**
 * Returns a function that makes tokens for downloads of templates. A download needs no header, because a browser's own
 * sends none; a token is valid for ten minutes, and no longer than the session or the API token that asked for it.
 */
export function templateTokens(
  key: Buffer,
  { actor, session, api_token }: Pick<Signed, 'actor' | 'session' | 'api_token'>,
) {
  return (id: number): string => {
    const payload = Buffer.from(JSON.stringify([id, session, api_token, actor.role, Date.now() + LINK_MS])).toString(
      'base64url',
    );
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
  // A link of an earlier version is one that has expired.
  const { data } = Payload.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  if (!data) throw notFound();
  return data;
}

/**
 * Returns the id of the template that a token is for. Throws AppError `not_found` for a token that was changed or has
 * expired, and after its session or API token has ended, or its user was disabled or given another role.
 */
export async function readTemplateToken(key: Buffer, token: string): Promise<number> {
  const [id, session, api_token, role, until] = readPayload(key, token);
  if (until < Date.now()) throw notFound();
  const now = api_token === null ? (await liveSessions([session])).get(session) : await roleOfToken(api_token);
  if (now !== role) throw notFound();
  return id;
}
