// How switches of protection and moves share a setting of a zone: neither refuses the other, and the switch decides.
import type { Act, Item } from '../../operations/flow.ts';
import { isBegunUnder, isSetByOther } from '../../operations/lock-rows.ts';
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
const PACE = { everyMs: 500, limitMs: 60_000 };

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

/**
 * Returns an act of move `operation`, or the undo of one, that leaves a setting to a switch: one that has not ended, or has ended since the
 * move was asked for. It asks before it looks, and again once its intent is stored, for which a switch waits. `isBegun`: an earlier try has
 * stored it.
 */
export function leftToSwitch(kind: SwitchKind, zone: string, operation: number, act: Act, isBegun = false): Act {
  const isLeft = (): Promise<boolean> => isSetByOther({ kind, name: zone }, operation);
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
