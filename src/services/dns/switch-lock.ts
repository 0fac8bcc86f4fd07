// How switches of protection and moves share a setting of a zone: neither refuses the other, and the switch decides.
import type { Act, Item } from '../../operations/flow.ts';
import { isBegunUnder, listSetters, type SetterRow } from '../../operations/lock-rows.ts';
import { storedLock, type Lock } from '../../operations/locks.ts';
import { LeftAlone, Waiting } from '../../operations/waiting.ts';
import { minuteOf } from '../../shared/time.ts';

/** The kinds of switches: each sets one setting of a zone. */
export type SwitchKind = 'tls' | 'under_attack';

/** The kinds of switches, which are those of the locks of their items as well. */
export const SWITCHES: readonly SwitchKind[] = ['tls', 'under_attack'];

/** The setting that a switch sets. */
export const SETTINGS = { tls: 'tls_1_3', under_attack: 'security_level' } as const;

/** The lock of a move for a setting of a zone: as a part it meets other moves, and no switch. */
export const moveOfSetting = (kind: SwitchKind, zone: string): Lock => ({ kind, name: zone, part: 'move' });

// Longer than the call of a move waits for its turn and for its answer: then its process is gone, and who goes on with it asks again.
const PACE = { everyMs: 250, limitMs: 60_000 };

/**
 * Returns an act of a switch, which looks once no move is about to set the same: what that has sent would arrive after it. A plan, which is
 * of no operation, waits for nothing.
 */
export const afterMove = (
  kind: SwitchKind,
  zone: string,
  { operation_id }: Pick<Item, 'operation_id'>,
  act: Act,
): Act => ({
  ...act,
  look: async (isOver) => {
    const lock = storedLock(moveOfSetting(kind, zone));
    const isFree = isOver || operation_id === 0 || !(await isBegunUnder(lock, SETTINGS[kind]));
    if (isFree) return act.look(isOver);
    throw new Waiting((until) => ({ key: 'protect.waits_move', params: { zone, until: minuteOf(until) } }), PACE);
  },
});

/** A switch that decides on a setting: it has set it, or is still to, or has ended without. `id`: its operation. */
export interface Setter {
  id: number;
  state: 'set' | 'open' | 'unset';
}

/** Returns the switch that decides on a setting instead of move `operation`: one that has not ended, or has ended since the move was asked for; null: there is none. */
export async function setterOf(kind: SwitchKind, zone: string, operation: number): Promise<Setter | null> {
  const rows = await listSetters({ kind, name: zone }, operation);
  const one = (state: Setter['state'], row: SetterRow | undefined): Setter | null =>
    row ? { id: row.operation_id, state } : null;
  return (
    one(
      'set',
      rows.find(({ state }) => state === 'done' || state === 'noop'),
    ) ??
    one(
      'open',
      rows.find(({ is_open }) => is_open === 1),
    ) ??
    one('unset', rows.at(-1))
  );
}

/**
 * Returns an act of move `operation`, or the undo of one, that leaves a setting to a switch, unless that has ended without setting it. It asks
 * before it looks, but where an earlier try has stored its intent (`isBegun`), and again once its intent is stored, for which a switch waits.
 */
export function leftToSwitch(kind: SwitchKind, zone: string, operation: number, act: Act, isBegun = false): Act {
  const isLeft = async (): Promise<boolean> =>
    ['set', 'open'].includes((await setterOf(kind, zone, operation))?.state ?? '');
  return {
    ...act,
    look: async (isOver) => {
      if (!isBegun && (await isLeft())) return null;
      const change = await act.look(isOver);
      if (!change) return null;
      const perform = async (): Promise<void> => {
        if (await isLeft()) throw new LeftAlone();
        await change.perform();
      };
      return { ...change, perform };
    },
  };
}
