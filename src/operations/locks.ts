/** Work on one thing, which no two running operations may do: the DNS of a zone, or a part of it. */
export interface Lock {
  kind: string;
  /** A zone or a domain. */
  name: string;
  /** A part of the named thing, locked apart from it and from its other parts; ALL_PARTS for every part, but not the whole. */
  part?: string;
}

export const ALL_PARTS = '*';

/** A lock as it is stored; `part` is '' for the whole. */
export type StoredLock = Required<Lock>;

export const storedLock = ({ kind, name, part = '' }: Lock): StoredLock => ({ kind, name, part });

/** Returns the name of the item that works on what a lock covers, as people see it. */
export const itemName = ({ kind, name, part = '' }: Lock): string => [kind, name, part].filter(Boolean).join(' ');

/** Returns the name and the lock of the item that works on what the lock covers. */
export const itemOn = (lock: Lock): { item: string; lock: Lock } => ({ item: itemName(lock), lock });

/** Returns the lock of an item: the one that it declares, or else that of its name. */
export const lockOf = ({ item, lock }: { item: string; lock?: Lock }): StoredLock =>
  storedLock(lock ?? { kind: 'item', name: item });

/** Whether work on a part of a thing stops work on another part of it, or on the whole. */
export const meets = (held: string, wanted: string): boolean =>
  held === wanted || held === (wanted === '' ? '' : ALL_PARTS) || (wanted === ALL_PARTS && held !== '');
