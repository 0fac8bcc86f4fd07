import type { Engine } from '../engines.ts';
import { isEncoded } from '../hostname.ts';
import { DAY_MS } from '../time.ts';

/** Returns the day of a time as it is stored: days since 1970-01-01 in UTC. */
export const dayOf = (time: number | string): number =>
  Math.floor((typeof time === 'string' ? Date.parse(time) : time) / DAY_MS);

/** Returns a stored day as `YYYY-MM-DD`. */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** A domain that is looked for in results. */
export interface Sought {
  id: number;
  /** ASCII, in lower case. */
  domain_name: string;
}

/** The place of a domain, from 1, and the address that stands there. */
export interface Place {
  domain_id: number;
  place: number;
  url: string;
}

// The host of nearly all results, which parsing would leave as it is: parsing takes most of the time of a search in results.
const PLAIN = /^https?:\/\/([a-z\d.-]*\.[a-z]{2,})(?=[/?#]|$)/;

function parsedHost(url: string): string {
  try {
    const host = new URL(url).hostname.replace(/\.$/, '');
    return host.includes('xn--') && !isEncoded(host) ? '' : host;
  } catch {
    return '';
  }
}

/** Returns the ASCII host of an address without `www.`; an empty text where there is none. */
export function hostIn(url: string): string {
  const plain = PLAIN.exec(url)?.[1];
  return withoutWww(plain === undefined || plain.includes('xn--') ? parsedHost(url) : plain);
}

/** Returns a host without `www.`; `www.ru` is a name of its own. */
const withoutWww = (host: string): string => host.replace(/^www\.(?=.*\.)/, '');

const known = new WeakMap<readonly Sought[], ReadonlyMap<string, readonly number[]>>();

/** Returns the ids of domains by their names without `www.`, with and without which both may be sought. */
function idsOf(sought: readonly Sought[]): ReadonlyMap<string, readonly number[]> {
  const made = known.get(sought);
  if (made) return made;
  const ids = new Map<string, number[]>();
  for (const { id, domain_name } of sought) {
    const name = withoutWww(domain_name);
    ids.set(name, [...(ids.get(name) ?? []), id]);
  }
  known.set(sought, ids);
  return ids;
}

/**
 * Returns the place of each domain that is among the results: the first one of its own host, `www.` or not, or of a subdomain.
 * A subdomain that is sought itself does not count for its parent.
 */
export function placesIn(urls: readonly string[], sought: readonly Sought[]): Place[] {
  const ids = idsOf(sought);
  const found = new Map<number, Place>();
  for (const [index, url] of urls.entries()) {
    for (let name = hostIn(url); name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
      const own = ids.get(name);
      if (!own) continue;
      for (const domain_id of own) {
        if (!found.has(domain_id)) found.set(domain_id, { domain_id, place: index + 1, url });
      }
      break;
    }
  }
  return [...found.values()];
}

/** A move of a project's main domain; null: it is not known which domain that was. */
export interface Move {
  day: number;
  main_domain_id: number | null;
  transfer_domain_id: number | null;
}

/**
 * Returns which domains were mains of a project on a day, from those that are now and its moves, the oldest first. On the day of
 * a move both of its domains are.
 */
export function mainsOn(day: number, now: readonly number[], moves: readonly Move[]): ReadonlySet<number> {
  const mains = new Set(now);
  for (const move of moves.toReversed()) {
    if (move.day < day) break;
    if (move.day > day && move.transfer_domain_id !== null) mains.delete(move.transfer_domain_id);
    if (move.main_domain_id !== null) mains.add(move.main_domain_id);
  }
  return mains;
}

/** The most results on a page of an engine. */
export const PAGE_SIZE: Readonly<Record<Engine, number>> = { yandex: 10, google: 10 };
