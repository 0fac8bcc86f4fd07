// The questions to a name that is to forward to a main domain: asked at the door, in a plan, and by each act right before its call.
import { zoneNameOf } from '../../lib/zone-name.ts';
import type { Act, Item } from '../../operations/flow.ts';
import { AppError } from '../../shared/errors.ts';
import { actorOf, confirmedAct, wholeZones } from '../access/ownership.ts';
import type { Actor } from '../access/scope.ts';
import { refuseLoop } from './forward-loop.ts';
import { listNamed, type Forward } from './rows.ts';

/** A name that is to forward to a main domain. */
export interface ForwardAsked extends Forward {
  /** The main domain was in the portfolio when that was asked for. */
  was_there?: true;
}

/**
 * Returns those of the names that are domains of the actor's. Throws what `refusal` returns for those that are, or whose zone is, another
 * user's. A zone in which nobody has a name is free.
 */
export async function ownAmong(
  actor: Actor,
  names: readonly string[],
  refusal: (names: string[]) => AppError,
): Promise<Set<string>> {
  const whole = await wholeZones(actor, names.map(zoneNameOf));
  const rows = await listNamed(actor, names);
  const others = new Set(rows.flatMap(({ domain_name, is_own }) => (is_own === 0 ? [domain_name] : [])));
  const foreign = names.filter((name) => !whole.has(zoneNameOf(name)) || others.has(name));
  if (foreign.length > 0) throw refusal(foreign);
  return new Set(rows.map(({ domain_name }) => domain_name));
}

/** The user that the work is for, and its operation. */
type Asker = Pick<Item, 'user_id' | 'operation_id'>;

/** Throws AppError `refused` where a main domain is another user's, or has left the portfolio since names were to be attached to it. */
export async function refuseTarget({ user_id }: Asker, { forward_to, was_there }: ForwardAsked): Promise<void> {
  const notYours = (): AppError => new AppError('refused', 'domain.not_yours', { domain: forward_to });
  const own = await ownAmong(await actorOf(user_id), [forward_to], notYours);
  if (was_there && !own.has(forward_to)) throw new AppError('refused', 'domain.gone', { domain: forward_to });
}

/** Throws as `refuseTarget` and `refuseLoop`. */
export async function refuseForward(asker: Asker, forward: ForwardAsked): Promise<void> {
  await refuseTarget(asker, forward);
  await refuseLoop(forward, asker.operation_id);
}

/** Returns an act that goes before a forward: what it finds to change it leaves where the main domain is refused. */
export function beforeForward(asker: Asker, forward: ForwardAsked, one: Act): Act {
  const act = confirmedAct(one, () => refuseTarget(asker, forward));
  return {
    ...act,
    look: async (isOver) => {
      const change = await act.look(isOver);
      if (change) await refuseTarget(asker, forward);
      return change;
    },
  };
}
