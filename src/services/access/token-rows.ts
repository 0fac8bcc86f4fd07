import { executeUnaudited, select } from '../../../db/index.ts';
import type { TokenScope, TokenView } from '../../shared/access/tokens.ts';
import { ENROLMENT, type Enrolment } from './rows.ts';
import type { Role } from '../../shared/access/users.ts';

/** Returns the tokens of a user, of every user for null, newest first. */
export const listTokenRows = (user_id: number | null): Promise<TokenView[]> =>
  select(
    `SELECT t.id, u.login, t.name, t.scope, t.hint, t.created_at, t.expires_at, t.last_used_at
     FROM api_tokens t JOIN users u ON u.id = t.user_id
     WHERE $user_id IS NULL OR t.user_id = $user_id ORDER BY t.id DESC`,
    { user_id },
  );

/** Returns how many tokens a user has. */
export async function countTokens(user_id: number): Promise<number> {
  const [row] = await select<{ count: number }>('SELECT count(*) AS count FROM api_tokens WHERE user_id = $user_id', {
    user_id,
  });
  return row?.count ?? 0;
}

/** A token with its user. */
export interface TokenUser extends Enrolment {
  token_id: number;
  scope: TokenScope;
  last_used_at: string | null;
  expires_at: string | null;
  id: number;
  login: string;
  role: Role;
  telegram: string | null;
  created_at: string;
}

/** Returns a valid token of an active user by its hash; undefined: there is none. */
export async function findToken(token_hash: string, now: string): Promise<TokenUser | undefined> {
  const [row] = await select<TokenUser>(
    `SELECT t.id AS token_id, t.scope, t.last_used_at, t.expires_at, u.id, u.login, u.role, u.telegram, u.created_at, ${ENROLMENT}
     FROM api_tokens t JOIN users u ON u.id = t.user_id
     WHERE t.token_hash = $token_hash AND u.active = 1 AND (t.expires_at IS NULL OR t.expires_at > $now)`,
    { token_hash, now },
  );
  return row;
}

/** Returns the role of the active user of a valid token; undefined: there is none. */
export async function findTokenRole(id: number, now: string): Promise<Role | undefined> {
  const [row] = await select<{ role: Role }>(
    `SELECT u.role FROM api_tokens t JOIN users u ON u.id = t.user_id
     WHERE t.id = $id AND u.active = 1 AND (t.expires_at IS NULL OR t.expires_at > $now)`,
    { id, now },
  );
  return row?.role;
}

/** Sets the time at which a token was last used. */
export async function setTokenUsed(id: number, last_used_at: string): Promise<void> {
  await executeUnaudited('token_use', 'UPDATE api_tokens SET last_used_at = $last_used_at WHERE id = $id', {
    last_used_at,
    id,
  });
}
