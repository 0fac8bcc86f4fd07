import { decideHostKey } from '../../services/accounts/server-keys.ts';
import { teamRowNamed } from '../../services/accounts/team.ts';
import { HostKeyDecision } from '../../shared/accounts/host-keys.ts';
import type { Context } from '../context.ts';
import type { Result } from '../output.ts';
import { parseInput } from '../parse.ts';
import { renderFor } from '../render.ts';

/**
 * Applies an administrator's decision about a changed host key. The whole key has to be typed, so none is accepted
 * unseen.
 */
async function decide(context: Context, which: string, decision: HostKeyDecision): Promise<Result> {
  const { actor } = await context.open();
  const { id, name } = await teamRowNamed('servers', which);
  return { data: { id, name }, text: renderFor(context)(await decideHostKey(actor, id, decision)) };
}

/** `server accept-key`. */
export async function acceptKey(context: Context, { key }: { key: string }, which: string): Promise<Result> {
  return decide(context, which, parseInput(HostKeyDecision, { accept: key }));
}

/** `server keep-key`. */
export const keepKey = (context: Context, _flags: object, which: string): Promise<Result> =>
  decide(context, which, { dismiss: true });
