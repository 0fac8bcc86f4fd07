import type { OperationItemView, StoredAct } from '../operations.ts';

/** The stages of a move, in order, each with its acts. */
const ACTS = {
  ready: ['check', 'snapshot', 'zone'],
  files: ['upload'],
  dns: ['unforward', 'dns', 'tls_1_3', 'security_level'],
  site: ['keep', 'activate'],
  gate: ['gate'],
  redirect: ['redirect'],
  roles: ['swap', 'one_rule'],
  seen: ['verify'],
} as const;

export type MoveStage = keyof typeof ACTS;
export const MOVE_STAGES = Object.keys(ACTS) as MoveStage[];

/** How far a stage is. `failed`: the move has stopped there. */
export interface StageView {
  stage: MoveStage;
  state: 'done' | 'running' | 'waiting' | 'failed';
}

/** Returns the place of an act's stage; -1 where it has none. */
function placeOf({ name }: StoredAct): number {
  // Names that have forwarded here before are led on.
  if (name.startsWith('chain:')) return MOVE_STAGES.indexOf('roles');
  // The settings of the new main domain, asked for again.
  if (name.includes(' ')) return MOVE_STAGES.indexOf('seen');
  return MOVE_STAGES.findIndex((stage) => (ACTS[stage] as readonly string[]).includes(name));
}

/** Returns the acts of a stage that were begun, in the order in which they were. */
export const actsOf = (stage: MoveStage, acts: readonly StoredAct[]): StoredAct[] =>
  acts.filter((act) => placeOf(act) === MOVE_STAGES.indexOf(stage));

/**
 * Returns the stages of a move by what its item has done. A stage that was passed without an act is left out: there was no site to
 * take along. A move that goes back has failed in the stage that it had reached.
 */
export function stagesOf({ state, acts }: Pick<OperationItemView, 'state' | 'acts'>): StageView[] {
  const places = acts.map((act) => placeOf(act));
  const last = Math.max(-1, ...places);
  const isOver = state === 'done' || state === 'noop';
  const isBack = acts.some((act) => act.state === 'undoing' || act.state === 'undone');
  // The last act is under way, or the first of the next stage is about to begin; within a stage nothing tells these apart.
  const isUnderWay = acts.some((act, index) => places[index] === last && act.state === 'intent');
  const at = isUnderWay || isBack || last === -1 ? Math.max(last, 0) : last + 1;
  return MOVE_STAGES.flatMap((stage, place): StageView[] => {
    const isEmpty = !places.includes(place);
    if (isOver) return isEmpty ? [] : [{ stage, state: 'done' }];
    if (place < at) return isEmpty ? [] : [{ stage, state: 'done' }];
    if (place > at) return [{ stage, state: 'waiting' }];
    return [{ stage, state: state === 'failed' || state === 'cancelled' || isBack ? 'failed' : 'running' }];
  });
}
