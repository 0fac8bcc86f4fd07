// The undo acts of an operation that is given back, less the changes that later operations have made on the same things.
import type { StoredAct } from '../../shared/operations.ts';
import { flowOf } from '../engine.ts';
import { itemOf, type Act, type Item, type ItemWork } from '../flow.ts';
import { listActsOf } from '../item-rows.ts';
import { listLaterOwners, listLaterWork, type Since } from '../lock-rows.ts';
import { meets, storedLock, type StoredLock } from '../locks.ts';
import { isSameTry, isTouched } from '../notes.ts';

/** Remainder of an undo act. `by`: the later operation that has changed something of it. */
interface Left {
  act: Act;
  by?: number;
}

/** Returns the remainder of an undo act of an item. */
export type LeftOf = (item: string, undo: Act) => Left;

/** The undo of an act of which nothing is left. Its row of ours stays as well: it is another's by now. */
const leftAlone = ({ name }: Act): Act => ({ name, class: 'set', look: async () => null });

/** An act of another operation, and the lock of its item. */
interface LateAct {
  operation: number;
  lock: StoredLock;
  act: StoredAct;
}

const fenceOf = ({ fence = 0 }: StoredAct): number => fence;

/** An act with its operation. */
type Done = Pick<LateAct, 'operation' | 'act'>;

/** Whether an act came after another one by their times, or, where an earlier version has noted none, by their operations. */
const isAfter = (other: Done, own: Done): boolean =>
  own.act.at === undefined || other.act.at === undefined ? other.operation > own.operation : other.act.at > own.act.at;

/**
 * Whether an act without a fence came after one with a fence. An earlier version has done it: before the upgrade, or in a process that it still
 * runs, which shows by a later operation and a later time.
 */
const isBeside = (bare: Done, fenced: Done): boolean =>
  bare.operation > fenced.operation && (bare.act.at ?? '') > (fenced.act.at ?? '');

/** Whether an act of another operation came later than one of our own. */
function isLater(other: Done, own: Done): boolean {
  const [one, two] = [own.act.fence, other.act.fence];
  if (one === two) return isAfter(other, own);
  if (two === undefined) return isBeside(other, own);
  return one === undefined ? !isBeside(own, other) : two > one;
}

const keyOf = ({ kind, name, part }: StoredLock): string => JSON.stringify([kind, name, part]);

/** Whether two acts have changed different outside objects: one name may mean a zone in each of two accounts. */
const isElsewhere = (one: StoredAct, other: StoredAct): boolean =>
  one.on !== undefined && other.on !== undefined && one.on !== other.on;

/** Names what an act has changed: its parts, or the locked thing and the outside object. Acts of one name with a name in common have changed the same. */
const thingsOf = (act: StoredAct, lock: StoredLock, { parts }: Act): readonly string[] =>
  parts ? parts.of(act) : [keyOf(lock), ...(act.on === undefined ? [] : [`on ${act.on}`])];

/** A lock of another name, with the fence of the first one. */
const under = ({ kind, part, since }: Since, name: string): Since => ({ kind, name, part, since });

// Names whose later work is read at once: an operation may have tens of thousands, each with many later acts.
const SLICE = 500;

/** Slices locks for reading, all of one name in the same slice. */
function byNames(locks: readonly Since[]): Since[][] {
  const slices: Since[][] = [];
  const places = new Map<string, number>();
  for (const lock of locks) {
    const place = places.get(lock.name) ?? Math.floor(places.size / SLICE);
    places.set(lock.name, place);
    (slices[place] ??= []).push(lock);
  }
  return slices;
}

/** Adds acts to those of a key. */
function gather(found: Map<string, LateAct[]>, key: string, ...acts: LateAct[]): void {
  const same = found.get(key);
  if (same) same.push(...acts);
  else found.set(key, acts);
}

/** Returns the acts that another operation has done to the things of these locks, perhaps since their fences, by the name of the act. */
async function lateActs(locks: readonly Since[], but: number) {
  const found = new Map<string, LateAct[]>();
  for (const slice of byNames(locks)) {
    for (const { operation_id, acts, ...lock } of await listLaterWork(slice, but)) {
      for (const act of (JSON.parse(acts) as StoredAct[]).filter(isTouched)) {
        gather(found, act.name.replace(/:.*/, ''), { operation: operation_id, lock, act });
      }
    }
  }
  // Each slice comes in order by itself.
  for (const acts of found.values()) acts.sort((one, other) => one.operation - other.operation);
  return found;
}

/** Returns a function that lists the acts of later items that work on a whole thing, as on both zones of a transfer. */
async function laterOwners(locks: readonly Since[], but: number) {
  const found = new Map<string, LateAct[]>();
  const thing = ({ kind, name }: StoredLock): string => JSON.stringify([kind, name]);
  for (const row of await listLaterOwners(locks, but)) {
    const item = itemOf(row, null);
    for (const lock of (flowOf(row.operation_kind).items?.locks?.(item) ?? []).map(storedLock)) {
      const acts = item.acts.filter(isTouched).map((act) => ({ operation: row.operation_id, lock, act }));
      gather(found, thing(lock), ...acts);
    }
  }
  return (wanted: StoredLock): LateAct[] =>
    (found.get(thing(wanted)) ?? []).filter(({ lock }) => meets(lock.part, wanted.part));
}

/** Returns the acts by what they have changed, as an undo act of their name tells it. */
function byThing(acts: readonly LateAct[], undo: Act): Map<string, LateAct[]> {
  const found = new Map<string, LateAct[]>();
  for (const late of acts) {
    for (const thing of thingsOf(late.act, late.lock, undo)) gather(found, thing, late);
  }
  return found;
}

/** Returns a function that gives the acts of the names of an undo act by what they have changed; made once for each name. */
function indexer(late: ReadonlyMap<string, LateAct[]>): (undo: Act) => Map<string, LateAct[]> {
  const indexed = new Map<string, Map<string, LateAct[]>>();
  return (undo) => {
    const known = indexed.get(undo.name);
    if (known) return known;
    const index = byThing(
      [undo.name, undo.parts?.also ?? ''].flatMap((name) => late.get(name) ?? []),
      undo,
    );
    indexed.set(undo.name, index);
    return index;
  };
}

/**
 * Reads what has become of the acts of operation `id` that these items are about. Asked under the locks of a run, which a later one has to
 * ask again. The world alone does not tell: what is there may be what somebody else has put there in the same words.
 */
export async function changesSince(id: number, items: readonly Item[], work: ItemWork): Promise<LeftOf> {
  const names = items.map(({ item }) => item);
  const rows = (await listActsOf(id, names)).map(({ item, acts, ...lock }) => ({
    item,
    lock,
    acts: (JSON.parse(acts) as StoredAct[]).filter(isTouched),
  }));
  const locks = rows.map(({ item, acts, lock }) => ({
    ...lock,
    item,
    since: Math.min(...acts.map(fenceOf)),
  }));
  const others = new Map(items.map((item) => [item.item, work.names?.(item) ?? []]));
  const named = locks.flatMap((lock) => [lock, ...(others.get(lock.item) ?? []).map((name) => under(lock, name))]);
  const [late, owners] = [await lateActs(named, id), await laterOwners(locks, id)];
  const indexOf = indexer(late);
  const now = new Map(rows.map((row) => [row.item, row]));
  const noted = new Map(items.map(({ item, acts }) => [item, acts]));
  return (item, undo) => {
    const row = now.get(item);
    const act = noted.get(item)?.find(({ name }) => name === undo.name);
    if (!row || !act) return { act: undo };
    if (!row.acts.some((one) => isSameTry(one, act))) return { act: leftAlone(undo) };
    const own = { operation: id, act };
    const owner = owners(row.lock).find((one) => isLater(one, own));
    if (owner) return { act: leftAlone(undo), by: owner.operation };
    const index = indexOf(undo);
    const changed = thingsOf(act, row.lock, undo).flatMap((thing) => {
      const by = index.get(thing)?.find((one) => isLater(one, own) && !isElsewhere(act, one.act));
      return by ? [{ thing, by: by.operation }] : [];
    });
    if (!changed[0]) return { act: undo };
    const things = new Set(changed.map(({ thing }) => thing));
    return { act: undo.parts ? undo.parts.without(things) : leftAlone(undo), by: changed[0].by };
  };
}
