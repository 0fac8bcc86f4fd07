import { messageFor } from '../../operations/failure.ts';
import { AppError } from '../../shared/errors.ts';
import { forwardedTo } from './forwards.ts';
import { listForwards, type Forward, type MadeForward } from './rows.ts';
import { openZones } from './zones.ts';

// A browser follows no more of them.
const MOST_HOPS = 20;

const keyOf = (hop: MadeForward): string => JSON.stringify(hop);

/** Returns the redirects that lead from `start` to `end`, by what the product has made and is making, but for those in `without`; null: none do. */
async function wayBack(
  start: string,
  end: string,
  operation: number,
  without: ReadonlySet<string>,
): Promise<MadeForward[] | null> {
  const ways = new Map<string, MadeForward[]>([[start, []]]);
  let front = [start];
  for (let depth = 0; depth < MOST_HOPS && front.length > 0; depth += 1) {
    const fresh: string[] = [];
    for (const hop of await listForwards(front, operation)) {
      if (without.has(keyOf(hop))) continue;
      const way = [...(ways.get(hop.from) ?? []), hop];
      if (hop.to === end) return way;
      if (ways.has(hop.to)) continue;
      ways.set(hop.to, way);
      fresh.push(hop.to);
    }
    front = fresh;
  }
  return null;
}

/** Whether a rule of the zone still makes this redirect, or running work is to make it; false where the zone can't be read. */
async function stands({ from, to, account_id, is_held }: MadeForward): Promise<boolean> {
  if (is_held === 1) return true;
  if (account_id === null) return false;
  try {
    return (await forwardedTo(await openZones(account_id, [from]), from, from)).includes(to);
  } catch (error) {
    if (!messageFor(error)) throw error;
    return false;
  }
}

/**
 * Throws AppError `conflict` where redirects that the product has made and that still stand, or that running work but `operation` is to make, lead
 * from a main domain back to the name that is to forward to it, in whichever zones and accounts. Zones are read only where the stored redirects
 * lead back.
 */
export async function refuseLoop({ domain_name, forward_to }: Forward, operation: number): Promise<void> {
  const [lost, seen] = [new Set<string>(), new Set<string>()];
  for (;;) {
    const way = await wayBack(forward_to, domain_name, operation, lost);
    if (way === null) return;
    const unseen = way.find((hop) => !seen.has(keyOf(hop)));
    if (!unseen) {
      const path = [domain_name, forward_to, ...way.map((hop) => hop.to)].join(' → ');
      throw new AppError('conflict', 'rules.forwards_back', { domain: domain_name, path });
    }
    ((await stands(unseen)) ? seen : lost).add(keyOf(unseen));
  }
}
