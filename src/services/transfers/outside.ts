import type { Choice, ProjectFacts, Unready } from '../../shared/transfers/transfer-pick.ts';
import type { Actor } from '../access/scope.ts';
import { readMove } from './queue.ts';
import { readinessOf } from './readiness.ts';

/** Domains with faults seen outside: reserves by id, and ids of mains that could not be forwarded. */
export interface Unfit {
  reserves: ReadonlyMap<number, Unready>;
  mains: ReadonlySet<number>;
}

/** No look was made. */
export const NOT_LOOKED: Unfit = { reserves: new Map(), mains: new Set() };

// Each look asks the CDN and two sites. Pairs beyond the limit are judged by the gate of their transfer.
const MOST_LOOKS = 10;

/**
 * Returns the fault of a pair; null: none was seen. A service that does not answer is no fault: the gate asks it again.
 */
async function faultOf(actor: Actor, source_id: number, target_id: number): Promise<Unready | 'main' | null> {
  const move = await readMove({ source_id, target_id }, { action: 'auto' });
  const { readiness, warnings } = await readinessOf(actor, move);
  const { zone, certificate, likeness } = readiness;
  if (zone.status === 'unknown') return null;
  if (warnings.some(({ key }) => key === 'transfer.not_proxied')) return 'main';
  if (zone.status !== 'active') return 'zone';
  if (certificate === 'foreign' || certificate === 'issuing') return 'certificate';
  return likeness && likeness.verdict !== 'like' && likeness.why !== 'no_answer' ? 'site' : null;
}

/**
 * Looks outside at each chosen pair, as a plan does, and has `choose` choose again with the faults, until every chosen
 * pair was looked at; no further round begins after ten looks. Not inside a transaction.
 */
export async function lookOutside(
  actor: Actor,
  factsWith: (unfit: Unfit) => Promise<ProjectFacts>,
  choose: (facts: ProjectFacts) => Choice[],
): Promise<Unfit> {
  const reserves = new Map<number, Unready>();
  const mains = new Set<number>();
  const unfit: Unfit = { reserves, mains };
  const seen = new Set<string>();
  while (seen.size < MOST_LOOKS) {
    const pairs = choose(await factsWith(unfit)).flatMap(({ main, target }) => (target ? [{ main, target }] : []));
    const fresh = pairs.filter(({ main, target }) => !seen.has(`${main.id} ${target.id}`));
    if (fresh.length === 0) break;
    for (const { main, target } of fresh) {
      seen.add(`${main.id} ${target.id}`);
      const fault = await faultOf(actor, main.id, target.id);
      if (fault === 'main') mains.add(main.id);
      else if (fault) reserves.set(target.id, fault);
    }
  }
  return unfit;
}
