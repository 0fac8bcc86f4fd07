import { messageFor } from '../../operations/failure.ts';
import type { Act, Item } from '../../operations/flow.ts';
import { notedActs } from '../../operations/items.ts';
import { Waiting } from '../../operations/waiting.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { StoredAct } from '../../shared/operations.ts';
import { minuteOf } from '../../shared/time.ts';
import { settingAct, settingBack } from '../dns/protection.ts';
import { leftToSwitch, setterOf, SETTINGS, SWITCHES, type Setter, type SwitchKind } from '../dns/switch-lock.ts';
import { atSource } from './blame.ts';
import { gateRules } from './gate.ts';
import type { MoveLane } from './lane.ts';
import type { Move } from './queue.ts';

// A switch of a whole portfolio may take longer: then the move ends with a warning.
const LONGEST_MS = 60_000;

const setLike = ({ source, target }: Move, lane: MoveLane, kind: SwitchKind): Act => {
  const setting = SETTINGS[kind];
  return settingAct(lane.target, target.zone, setting, async () => {
    const { value } = await atSource(source.name, async () => {
      const { id } = await lane.source.zone(source.zone);
      return lane.source.client.getSetting(id, setting);
    });
    // Few Cloudflare plans accept `off`; `essentially_off` is the nearest value.
    return setting === 'security_level' && value === 'off' ? 'essentially_off' : value;
  });
};

const isBegun = ({ acts }: Item<Move>, act: string): boolean =>
  acts.some(({ name, state }) => name === act && state === 'intent');

/** Gives a setting of the reserve's zone its value in the source's zone, unless a switch sets it. */
export function settingLike(item: Item<Move>, lane: MoveLane, kind: SwitchKind): Act {
  const { data, operation_id } = item;
  const act = setLike(data, lane, kind);
  return leftToSwitch(kind, data.target.zone, operation_id, act, isBegun(item, act.name));
}

/** Undoes `settingLike`, unless a switch has set the setting since. */
export const settingUndone = (
  { data: { target }, operation_id }: Item<Move>,
  lane: MoveLane,
  kind: SwitchKind,
  act: StoredAct,
): Act => leftToSwitch(kind, target.zone, operation_id, settingBack(lane.target, target.zone, SETTINGS[kind], act));

const nameAfter = ({ target }: Move, kind: SwitchKind): string => `${SETTINGS[kind]} ${target.name}`;

/** Returns the switch that a move has left a setting to, and that has not set it; null: there is none. */
async function leftTo(item: Item<Move>, kind: SwitchKind): Promise<Setter | null> {
  const notes = await notedActs(item);
  const stateOf = (act: string) => notes.find(({ name }) => name === act)?.state;
  if (stateOf(SETTINGS[kind]) !== 'noop' || stateOf(nameAfter(item.data, kind)) === 'done') return null;
  const setter = await setterOf(kind, item.data.target.zone, item.operation_id);
  return setter?.state === 'set' ? null : setter;
}

/**
 * Returns the act of the end of a move that asks for a setting which was left to a switch: it waits a minute for one that is still to set it,
 * and sets what one has ended without.
 */
export function settingAfter(item: Item<Move>, lane: MoveLane, kind: SwitchKind): Act {
  const { data, operation_id } = item;
  const name = nameAfter(data, kind);
  const act = setLike(data, lane, kind);
  const look: Act['look'] = async (isOver) => {
    const left = await leftTo(item, kind);
    const change = left || isBegun(item, name) ? await act.look() : null;
    if (!change || left?.state !== 'open') return change;
    if (isOver) return null;
    const { everyMs, limitMs } = gateRules().redirect;
    throw new Waiting(
      (until) => ({
        key: 'transfer.waits_switch',
        params: { target: data.target.name, id: left.id, until: minuteOf(until) },
      }),
      { everyMs: Math.min(everyMs, 1_000), limitMs: Math.min(limitMs, LONGEST_MS) },
    );
  };
  return leftToSwitch(kind, data.target.zone, operation_id, { ...act, name, look }, true);
}

/** Returns what is to be told of settings that were left to switches: not set, and other than in the source's zone, or not to be read there. */
export async function unsetSettings(item: Item<Move>, lane: MoveLane): Promise<Message[]> {
  const told: Message[] = [];
  for (const kind of SWITCHES) {
    const left = await leftTo(item, kind);
    if (!left) continue;
    const differs = await setLike(item.data, lane, kind)
      .look()
      .then(Boolean, (error: unknown) => {
        if (!messageFor(error)) throw error;
        return true;
      });
    const { source, target } = item.data;
    const params = { source: source.name, target: target.name, id: left.id };
    if (differs) told.push({ key: kind === 'tls' ? 'transfer.left_tls' : 'transfer.left_level', params });
  }
  return told;
}
