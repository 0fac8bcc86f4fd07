import type { Message } from '../../shared/i18n/index.ts';
import type { Choice, ProjectFacts, Unready } from '../../shared/transfers/transfer-pick.ts';
import type { Actor } from '../access/scope.ts';
import { readMove } from './queue.ts';
import { readinessOf } from './readiness.ts';

/**
 * The faults of domains seen outside, by id: of reserves, and of mains that could not be forwarded. `pairs`: those that were
 * looked at.
 */
export interface Unfit {
  reserves: ReadonlyMap<number, Unready>;
  mains: ReadonlyMap<number, Message>;
  pairs: ReadonlySet<string>;
}

/** No look was made. */
export const NOT_LOOKED: Unfit = { reserves: new Map(), mains: new Map(), pairs: new Set() };

// Each look asks the CDN and two sites. Pairs beyond the limit are judged by the gate of their transfer.
const MOST_LOOKS = 10;

const pairOf = ({ main, target }: Choice): string | null => (target ? `${main.id} ${target.id}` : null);

/** Says of chosen pairs that were not looked at that they were not. */
export function tellUnseen(choices: readonly Choice[], { pairs }: Unfit): Choice[] {
  return choices.map((choice) => {
    const pair = pairOf(choice);
    if (pair === null || pairs.has(pair)) return choice;
    return { ...choice, reason: { ...choice.reason, key: 'auto_transfer.chosen_unseen' } };
  });
}

/**
 * Returns the fault of a pair, that of the main as a message; null: none was seen. A service that does not answer is no
 * fault: the gate asks it again.
 */
async function faultOf(actor: Actor, source_id: number, target_id: number): Promise<Unready | Message | null> {
  const move = await readMove({ source_id, target_id }, { action: 'auto' });
  const { readiness, warnings, refused } = await readinessOf(actor, move);
  if (refused !== null) return { key: 'auto_transfer.main_refused', params: { reason: refused } };
  const { zone, certificate, likeness } = readiness;
  if (zone.status === 'unknown') return null;
  if (warnings.some(({ key }) => key === 'transfer.not_proxied')) {
    return { key: 'auto_transfer.main_not_proxied' };
  }
  if (zone.status !== 'active') return 'zone';
  if (certificate === 'foreign' || certificate === 'issuing') return 'certificate';
  return likeness && likeness.verdict !== 'like' && likeness.why !== 'no_answer' ? 'site' : null;
}

/**
 * Looks outside at the chosen pairs, as a plan does, and has `choose` choose again with the faults, until every chosen
 * pair was looked at; at ten pairs at most, those of a round at the same time. Not inside a transaction.
 */
export async function lookOutside(
  actor: Actor,
  factsWith: (unfit: Unfit) => Promise<ProjectFacts>,
  choose: (facts: ProjectFacts) => Choice[],
): Promise<Unfit> {
  const reserves = new Map<number, Unready>();
  const mains = new Map<number, Message>();
  const pairs = new Set<string>();
  const unfit: Unfit = { reserves, mains, pairs };
  const look = async ({ main, target }: Choice): Promise<void> => {
    if (!target) return;
    const fault = await faultOf(actor, main.id, target.id);
    if (typeof fault === 'string') reserves.set(target.id, fault);
    else if (fault) mains.set(main.id, fault);
  };
  while (pairs.size < MOST_LOOKS) {
    const fresh = choose(await factsWith(unfit))
      .map((choice) => ({ choice, pair: pairOf(choice) ?? '' }))
      .filter(({ pair }) => pair !== '' && !pairs.has(pair))
      .slice(0, MOST_LOOKS - pairs.size);
    if (fresh.length === 0) break;
    for (const { pair } of fresh) pairs.add(pair);
    await Promise.all(fresh.map(({ choice }) => look(choice)));
  }
  return unfit;
}
