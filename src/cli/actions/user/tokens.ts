import { createToken, listTokens, revokeToken } from '../../../services/access/tokens.ts';
import { namesMissing } from '../../../shared/errors.ts';
import { TokenInput, type TokenView } from '../../../shared/access/tokens.ts';
import type { Context } from '../../context.ts';
import { columnsOf, type Result } from '../../output.ts';
import { parseInput } from '../../parse.ts';

const COLUMNS = columnsOf<TokenView>({
  id: true,
  login: true,
  name: true,
  scope: true,
  hint: true,
  created_at: true,
  expires_at: true,
  last_used_at: true,
});

/** `token list`: those of the user of `--as`, or of everybody. */
export async function list(context: Context): Promise<Result> {
  const { actor } = await context.open();
  const items = await listTokens(actor);
  return { items, columns: COLUMNS, summary: { total: items.length } };
}

interface CreateFlags {
  scope: string;
  days: number;
  neverExpires?: boolean;
}

/** `token create`: prints the token, which can't be shown again. Without `--as` it is the first administrator's. */
export async function create(context: Context, flags: CreateFlags, name: string): Promise<Result> {
  const { actor } = await context.open();
  const { scope, days, neverExpires = false } = flags;
  const input = parseInput(TokenInput, { name, scope, days: neverExpires ? null : days });
  const { token, view } = await createToken(actor, input);
  context.talk(context.say('tokens.once'));
  return { data: { ...view, token }, text: token };
}

/** `token revoke`: the token is refused from the next call on. */
export async function revoke(context: Context, _flags: object, id: number): Promise<Result> {
  const { actor } = await context.open();
  const name = await revokeToken(actor, id).catch(namesMissing('token', id));
  return { data: { id, name }, text: context.say('tokens.revoked') };
}
