import { keep, readKept } from './reader/storage.ts';

/** A recent entry of a user in this browser. */
interface Recent {
  id: string;
}

/** A place that was opened lately, under the name by which it was chosen. */
export interface RecentPlace extends Recent {
  name: string;
  to: string;
}

const PREFIX = 'recent-';

interface Kept<One> {
  user: number;
  list: One[];
}

/** A user's recent entries in this browser, newest first; those of another user are not read. */
export interface RecentList<One extends Recent> {
  read: (user: number) => One[];
  /** Puts entries in front, each once. */
  remember: (user: number, ...ones: One[]) => void;
}

/** Returns the list kept under a name, of `most` entries. `fields` are texts; a stored entry without them is not read. */
export function recentList<One extends Recent>(
  name: string,
  { most, fields }: { most: number; fields: readonly (keyof One & string)[] },
): RecentList<One> {
  const key = PREFIX + name;
  const isOne = (one: unknown): one is One =>
    typeof one === 'object' &&
    one !== null &&
    ['id', ...fields].every((field) => typeof (one as Record<string, unknown>)[field] === 'string');
  const read = (user: number): One[] => {
    try {
      const kept = JSON.parse(readKept(key) ?? '{}') as Partial<Kept<unknown>>;
      return kept.user === user && Array.isArray(kept.list) ? kept.list.filter(isOne).slice(0, most) : [];
    } catch {
      return [];
    }
  };
  const remember = (user: number, ...ones: One[]): void => {
    const ids = new Set(ones.map(({ id }) => id));
    const list = [...ones, ...read(user).filter(({ id }) => !ids.has(id))].slice(0, most);
    keep(key, JSON.stringify({ user, list } satisfies Kept<One>));
  };
  return { read, remember };
}

/** The places that were opened lately. */
export const recentPlaces = recentList<RecentPlace>('places', { most: 5, fields: ['name', 'to'] });

/** Called when a session ends: the next person at this browser must not read the names. */
export function forgetRecent(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}
