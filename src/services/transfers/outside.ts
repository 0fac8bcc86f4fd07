import type { Message } from '../../shared/i18n/index.ts';
import type { Choice, ProjectFacts, Unready } from '../../shared/transfers/transfer-pick.ts';
import type { Actor } from '../access/scope.ts';
import { readMove } from './queue.ts';
import { readinessOf } from './readiness.ts';

/** The faults of domains seen outside, by id: of reserves, and of mains that could not be forwarded. */
export interface Unfit {
  reserves: ReadonlyMap<number, Unready>;
  mains: ReadonlyMap<number, Message>;
}

/** No look was made. */
export const NOT_LOOKED: Unfit = { reserves: new Map(), mains: new Map() };

// Each look asks the CDN and two sites. Pairs beyond the limit are judged by the gate of their transfer.
const MOST_LOOKS = 10;

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
 * Looks outside at each chosen pair, as a plan does, and has `choose` choose again with the faults, until every chosen
 * pair was looked at; no further round begins after ten looks. Not inside a transaction.
 */
export async function lookOutside(
  actor: Actor,
  factsWith: (unfit: Unfit) => Promise<ProjectFacts>,
  choose: (facts: ProjectFacts) => Choice[],
): Promise<Unfit> {
  const reserves = new Map<number, Unready>();
  const mains = new Map<number, Message>();
  const unfit: Unfit = { reserves, mains };
  const seen = new Set<string>();
  while (seen.size < MOST_LOOKS) {
    const pairs = choose(await factsWith(unfit)).flatMap(({ main, target }) => (target ? [{ main, target }] : []));
    const fresh = pairs.filter(({ main, target }) => !seen.has(`${main.id} ${target.id}`));
    if (fresh.length === 0) break;
    for (const { main, target } of fresh) {
      seen.add(`${main.id} ${target.id}`);
      const fault = await faultOf(actor, main.id, target.id);
      if (typeof fault === 'string') reserves.set(target.id, fault);
      else if (fault) mains.set(main.id, fault);
    }
  }
  return unfit;
}
