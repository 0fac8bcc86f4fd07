import { transaction } from '../../../db/index.ts';
import { deleteRow, findRow, insertRow, updateRow } from '../../../db/rows.ts';
import { hashToken, randomToken } from '../../lib/token.ts';
import { apiTokens } from '../../shared/access/tables.ts';
import { TOKEN_DAYS, TOKEN_PREFIX, type TokenInput, type TokenView } from '../../shared/access/tokens.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import { DAY_MS } from '../../shared/time.ts';
import { isAdmin, type Actor, type StillMay } from './scope.ts';
import { countTokens, listTokenRows } from './token-rows.ts';
import { defaultOwner } from './users.ts';

const MOST_OF_USER = 50;
const HINT_LENGTH = 4;

/** Returns the actor's own tokens, newest first; the host's command line sees those of every user. */
export const listTokens = (actor: Actor): Promise<TokenView[]> => listTokenRows(actor.id);

function refuseTooMuch(actor: Actor, { scope, days }: TokenInput): void {
  if (isAdmin(actor)) return;
  const refused = { scope: scope === 'admin', days: days === null };
  for (const [field, isRefused] of Object.entries(refused)) {
    if (isRefused)
      throw new AppError('refused', 'tokens.admins_only', {}, { fields: { [field]: 'tokens.admins_only' } });
  }
}

/**
 * Makes a token of the actor's and returns it; only its hash is stored, so that it can't be shown again. Throws AppError `refused`
 * for what administrators alone may have, `conflict` for a user with fifty tokens, and what `still` throws.
 */
export async function createToken(
  actor: Actor,
  input: TokenInput,
  still?: StillMay,
): Promise<{ token: string; view: TokenView }> {
  refuseTooMuch(actor, input);
  const token = `${TOKEN_PREFIX}${randomToken()}`;
  const user_id = await defaultOwner(actor);
  const view = await transaction(async () => {
    await still?.();
    if ((await countTokens(user_id)) >= MOST_OF_USER)
      throw new AppError('conflict', 'tokens.too_many', { n: MOST_OF_USER });
    const now = Date.now();
    const id = await insertRow(apiTokens, {
      user_id,
      name: input.name,
      scope: input.scope,
      token_hash: hashToken(token),
      hint: token.slice(-HINT_LENGTH),
      created_at: new Date(now).toISOString(),
      expires_at: input.days === null ? null : new Date(now + input.days * DAY_MS).toISOString(),
    });
    return (await listTokenRows(user_id)).find((row) => row.id === id);
  });
  if (!view) throw notFound();
  return { token, view };
}

/** Deletes a token of the actor's: it is refused from the next request on. Throws AppError `not_found`. */
export async function revokeToken(actor: Actor, id: number): Promise<string> {
  return transaction(async () => {
    const token = await findRow(apiTokens, id);
    if (!token || (actor.id !== null && token.user_id !== actor.id)) throw notFound();
    await deleteRow(apiTokens, id);
    return token.name;
  });
}

/** Deletes every token of a user, inside a transaction. */
export async function revokeTokensOf(user_id: number): Promise<void> {
  for (const { id } of await listTokenRows(user_id)) await deleteRow(apiTokens, id);
}

/** Gives the tokens without an end of a user who is an administrator no more a year from now, inside a transaction. */
export async function limitTokensOf(user_id: number): Promise<void> {
  const expires_at = new Date(Date.now() + TOKEN_DAYS.most * DAY_MS).toISOString();
  const endless = (await listTokenRows(user_id)).filter((token) => token.expires_at === null);
  for (const { id } of endless) await updateRow(apiTokens, id, { expires_at });
}
