/** A place that was opened lately, under the name by which it was chosen. */
export interface RecentPlace {
  id: string;
  name: string;
  to: string;
}

const KEY = 'recent-places';
const MOST = 5;

interface Kept {
  user: number;
  places: RecentPlace[];
}

const isPlace = (one: unknown): one is RecentPlace =>
  typeof one === 'object' &&
  one !== null &&
  ['id', 'name', 'to'].every((field) => typeof (one as Record<string, unknown>)[field] === 'string');

/** Returns the places that a user opened lately in this browser; those of anybody else are not read. */
export function recentPlaces(user: number): RecentPlace[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept>;
    return kept.user === user && Array.isArray(kept.places) ? kept.places.filter(isPlace).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Puts a place in front of those that a user opened lately. */
export function rememberPlace(user: number, place: RecentPlace): void {
  const places = [place, ...recentPlaces(user).filter(({ id }) => id !== place.id)].slice(0, MOST);
  localStorage.setItem(KEY, JSON.stringify({ user, places } satisfies Kept));
}

/** Called when a session ends: the next person at this browser must not read the names. */
export const forgetPlaces = (): void => localStorage.removeItem(KEY);
