// The questions to a name that is to forward to a main domain: asked at the door, in a plan, and by each act right before its call.
import { zoneNameOf } from '../../lib/zone-name.ts';
import type { Act, Item } from '../../operations/flow.ts';
import { AppError } from '../../shared/errors.ts';
import { actorOf, foreignZone } from '../access/ownership.ts';
import type { Actor } from '../access/scope.ts';
import { refuseLoop } from './forward-loop.ts';
import { listNamed, type Forward } from './rows.ts';

/** A name that is to forward to a main domain. */
export interface ForwardAsked extends Forward {
  /** The main domain was in the portfolio when that was asked for. */
  was_there?: true;
}

/**
 * Returns those of the names that are domains of the actor's. Throws what `refusal` returns where a name, or its zone, is another user's. A zone in
 * which nobody has a name is free.
 */
export async function ownAmong(
  actor: Actor,
  names: readonly string[],
  refusal: (name: string) => AppError,
): Promise<Set<string>> {
  const zone = await foreignZone(actor, names.map(zoneNameOf));
  const foreign = names.find((name) => zoneNameOf(name) === zone);
  if (foreign !== undefined) throw refusal(foreign);
  const rows = await listNamed(actor, names);
  for (const { domain_name, is_own } of rows) if (is_own === 0) throw refusal(domain_name);
  return new Set(rows.map(({ domain_name }) => domain_name));
}

/** The user that the work is for, and its operation. */
type Asker = Pick<Item, 'user_id' | 'operation_id'>;

/** Throws AppError `refused` where a main domain is another user's, or has left the portfolio since names were to be attached to it. */
export async function refuseTarget({ user_id }: Asker, { forward_to, was_there }: ForwardAsked): Promise<void> {
  const notYours = (domain: string): AppError => new AppError('refused', 'domain.not_yours', { domain });
  const own = await ownAmong(await actorOf(user_id), [forward_to], notYours);
  if (was_there && !own.has(forward_to)) throw new AppError('refused', 'domain.gone', { domain: forward_to });
}

/** Throws as `refuseTarget` and `refuseLoop`. */
export async function refuseForward(asker: Asker, forward: ForwardAsked): Promise<void> {
  await refuseTarget(asker, forward);
  await refuseLoop(forward, asker.operation_id);
}

/** Returns an act that goes before a forward: what it finds to change it leaves where the main domain is refused. */
export const beforeForward = (asker: Asker, forward: ForwardAsked, act: Act): Act => ({
  ...act,
  look: async (isOver) => {
    const change = await act.look(isOver);
    if (change) await refuseTarget(asker, forward);
    return change;
  },
});
