import { transaction } from '../../../db/index.ts';
import { hashToken } from '../../lib/token.ts';
import { TOKEN_PREFIX } from '../../shared/access/tokens.ts';
import type { Role } from '../../shared/access/users.ts';
import { AppError } from '../../shared/errors.ts';
import { KnownCallers } from './known-callers.ts';
import { mustEnrol, type Signed } from './session.ts';
import { findToken, findTokenRole, setTokenUsed, type TokenUser } from './token-rows.ts';

// The time of the last use is stored once a minute; otherwise each request would write.
const USED_EVERY_MS = 60_000;

const known = new KnownCallers<TokenUser>();

async function readToken(token: string): Promise<{ caller: TokenUser; expires: number }> {
  const caller = await findToken(hashToken(token), new Date().toISOString());
  if (!caller) throw new AppError('bad_token', 'error.bad_token');
  return { caller, expires: caller.expires_at === null ? Infinity : Date.parse(caller.expires_at) };
}

/** Not awaited: a request that only reads must neither queue behind writers nor fail where the disk is full. */
function noteUse(caller: TokenUser): void {
  if (caller.last_used_at !== null && Date.now() - Date.parse(caller.last_used_at) < USED_EVERY_MS) return;
  caller.last_used_at = new Date().toISOString();
  transaction(() => setTokenUsed(caller.token_id, caller.last_used_at ?? '')).catch(() => undefined);
}

/** Returns the role of the user of an API token that is valid now; undefined: it was revoked or has expired, or its user was disabled. */
export const roleOfToken = (id: number): Promise<Role | undefined> => findTokenRole(id, new Date().toISOString());

/** Whether what a caller sends is an API token and not that of a session. */
export const isApiToken = (token: string): boolean => token.startsWith(TOKEN_PREFIX);

/**
 * Returns the user of an API token, by the database as it is now. Throws AppError `bad_token` for one that was revoked or has
 * expired, or whose user was disabled: at once where this process did it, within a second where another one did.
 */
export async function authenticateToken(token: string): Promise<Signed> {
  const caller = known.find(token) ?? (await known.read(token, () => readToken(token)));
  noteUse(caller);
  const { id, login, role, telegram, created_at, scope } = caller;
  return {
    actor: { id, login, role },
    session: 0,
    api_token: caller.token_id,
    scope,
    mustEnrol: mustEnrol(caller),
    user: { id, login, role, telegram, created_at, active: true },
    still: async () => void (await readToken(token)),
  };
}
