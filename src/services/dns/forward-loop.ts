import { messageFor } from '../../operations/failure.ts';
import { AppError } from '../../shared/errors.ts';
import { forwardedTo } from './forwards.ts';
import { listForwards } from './rows.ts';
import { openZones } from './zones.ts';

/** A redirect that the product has made, with the account of its zone; null: not known any more. */
interface Hop {
  from: string;
  to: string;
  account_id: number | null;
}

// A browser follows no more of them.
const MOST_HOPS = 20;

/** Returns the redirects that lead from `start` to `end`, by what the product has made; null: none do. */
async function wayBack(start: string, end: string): Promise<Hop[] | null> {
  const ways = new Map<string, Hop[]>([[start, []]]);
  let front = [start];
  for (let depth = 0; depth < MOST_HOPS && front.length > 0; depth += 1) {
    const fresh: string[] = [];
    for (const hop of await listForwards(front)) {
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

/** Whether a rule of the zone still makes this redirect; false where the zone can't be read. */
async function stands({ from, to, account_id }: Hop): Promise<boolean> {
  if (account_id === null) return false;
  try {
    return (await forwardedTo(await openZones(account_id, [from]), from, from)).includes(to);
  } catch (error) {
    if (!messageFor(error)) throw error;
    return false;
  }
}

/**
 * Throws AppError `conflict` where redirects that the product has made, and that still stand, lead from `to` back to `domain`, in
 * whichever zones and accounts. Zones are read only where the stored redirects lead back.
 */
export async function refuseLoop(domain: string, to: string): Promise<void> {
  const way = await wayBack(to, domain);
  if (way === null) return;
  for (const hop of way) if (!(await stands(hop))) return;
  const path = [domain, to, ...way.map((hop) => hop.to)].join(' → ');
  throw new AppError('conflict', 'rules.forwards_back', { domain, path });
}
