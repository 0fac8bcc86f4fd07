import type { Act, Item } from '../../operations/flow.ts';
import type { StoredAct } from '../../shared/operations.ts';
import { settingAct, settingBack } from '../dns/protection.ts';
import { leftToSwitch, SETTINGS, type SwitchKind } from '../dns/switch-lock.ts';
import { atSource } from './blame.ts';
import type { MoveLane } from './lane.ts';
import type { Move } from './queue.ts';

/** Gives a setting of the reserve's zone its value in the source's zone, unless a switch sets it. */
export function settingLike(
  { data: { source, target }, acts, operation_id }: Item<Move>,
  lane: MoveLane,
  kind: SwitchKind,
): Act {
  const setting = SETTINGS[kind];
  const act = settingAct(lane.target, target.zone, setting, async () => {
    const { value } = await atSource(source.name, async () => {
      const { id } = await lane.source.zone(source.zone);
      return lane.source.client.getSetting(id, setting);
    });
    // Few Cloudflare plans accept `off`; `essentially_off` is the nearest value.
    return setting === 'security_level' && value === 'off' ? 'essentially_off' : value;
  });
  const isBegun = acts.some(({ name, state }) => name === setting && state === 'intent');
  return leftToSwitch(kind, target.zone, operation_id, act, isBegun);
}

/** Undoes `settingLike`, unless a switch has set the setting since. */
export const settingUndone = (
  { data: { target }, operation_id }: Item<Move>,
  lane: MoveLane,
  kind: SwitchKind,
  act: StoredAct,
): Act => leftToSwitch(kind, target.zone, operation_id, settingBack(lane.target, target.zone, SETTINGS[kind], act));
