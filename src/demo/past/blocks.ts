import { DAY_MS } from '../../shared/time.ts';
import { blockedFor } from '../domains.ts';
import type { Move } from './moves.ts';
import { before, HOUR_MS, type Domain } from './time.ts';

/** A time in which a domain stood in the blocklist; `until` null: it does. */
export interface Block {
  domain: Domain;
  from: number;
  until: number | null;
}

// Names that were listed for a while and answered all along: an index of the portfolio, days ago, and for how long.
const LISTED_ONCE = [
  { index: 36, ago: 71, days: 3 },
  { index: 7, ago: 58, days: 1.5 },
  { index: 40, ago: 33.4, days: 6 },
  { index: 8, ago: 21.2, days: 2.1 },
  { index: 41, ago: 12.7, days: 1.2 },
  { index: 38, ago: 3.3, days: 3 },
];
// A name that was left stays listed for so many days.
const AFTER_MOVE_DAYS = 13;

/** When a name that was left was found to be blocked. */
export const blockedBefore = ({ at, isAuto }: Pick<Move, 'at' | 'isAuto'>): number =>
  at - (isAuto ? 0.4 * HOUR_MS : 7 * HOUR_MS);

/** Returns the blocks of the past, in the order of their begin; no domain has two. */
export function blocksOf(domains: readonly Domain[], moves: readonly Move[], now: Date): Block[] {
  const blocks = new Map<number, Block>();
  for (const { index, ago, days } of LISTED_ONCE) {
    const domain = domains[index];
    if (domain?.status !== 'available') continue;
    const from = before(now, ago);
    blocks.set(domain.id, { domain, from, until: from + days * DAY_MS });
  }
  for (const move of moves) {
    const { from: domain, at } = move;
    const until = domain.status === 'blocked' ? null : at + AFTER_MOVE_DAYS * DAY_MS;
    blocks.set(domain.id, { domain, from: blockedBefore(move), until });
  }
  for (const [index, domain] of domains.entries()) {
    if (domain.status !== 'blocked' || blocks.has(domain.id)) continue;
    blocks.set(domain.id, { domain, from: before(now, blockedFor(index)), until: null });
  }
  return [...blocks.values()].toSorted((one, other) => one.from - other.from);
}
