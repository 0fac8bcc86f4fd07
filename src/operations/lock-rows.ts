import { execute, select } from '../../db/index.ts';
import type { Use } from './flow.ts';
import { OPEN } from './item-rows.ts';
import type { OperationItemRow } from '../shared/operations/tables.ts';
import type { StoredLock } from './locks.ts';
import { RUNNING } from './rows.ts';

const WANTED = `WITH wanted AS MATERIALIZED
  (SELECT value ->> 'kind' AS kind, value ->> 'name' AS name, value ->> 'part' AS part FROM json_each($locks))`;

const WANTED_SINCE = WANTED.replace(' FROM json_each', `, CAST(value ->> 'since' AS INTEGER) AS since FROM json_each`);

// Two conditions instead of one, each found by an index: operations may lock thousands of parts of one name.
const meets = (part: string): string[] => [
  `${part} IN (w.part, CASE WHEN w.part = '' THEN '' ELSE '*' END)`,
  `w.part = '*' AND ${part} > ''`,
];

/**
 * Returns the id of an operation that has not ended and has one of these locks, or one that covers it, by an item that
 * has not ended or by itself; undefined: there is none.
 */
export async function findHolder(locks: readonly StoredLock[]): Promise<number | undefined> {
  const byItems = meets('i.lock_part').map(
    (isMet) => `SELECT o.id FROM operations o CROSS JOIN wanted w
       CROSS JOIN operation_items i ON i.operation_id = o.id AND i.lock_kind = w.kind AND i.lock_name = w.name AND ${isMet}
       WHERE o.${RUNNING} AND i.${OPEN}`,
  );
  const byLocks = meets('l.part').map(
    (
      isMet,
    ) => `SELECT o.id FROM wanted w CROSS JOIN operation_locks l ON l.kind = w.kind AND l.name = w.name AND ${isMet}
       CROSS JOIN operations o ON o.id = l.operation_id WHERE o.${RUNNING}`,
  );
  const [held] = await select<{ id: number }>(`${WANTED} ${[...byItems, ...byLocks].join(' UNION ALL ')} LIMIT 1`, {
    locks: JSON.stringify(locks),
  });
  return held?.id;
}

/** A lock, and the fence since which work under it counts. */
export type Since = StoredLock & { since: number };

/** An item of a later operation that has changed a thing: its lock, and its acts as JSON. */
export interface LaterWork extends StoredLock {
  operation_id: number;
  acts: string;
}

/**
 * Returns the items of operations other than `but` that have changed something since the fence of a lock, or in a later operation, under a
 * lock of the same name, whatever its kind and part, and were not given back. Which of them have changed the same thing, and later, their acts
 * tell: those of a process of an earlier version have no fence. Restores are left out: what they undo is what counts.
 */
export const listLaterWork = (locks: readonly Since[], but: number): Promise<LaterWork[]> =>
  select(
    `${WANTED_SINCE} SELECT i.operation_id, i.acts, i.lock_kind AS kind, i.lock_name AS name, i.lock_part AS part
     FROM (SELECT name, min(since) AS since FROM wanted GROUP BY name) w
     CROSS JOIN operation_items i ON i.lock_name = w.name CROSS JOIN operations o ON o.id = i.operation_id
     WHERE i.touched = 1 AND (o.fence >= w.since OR o.id > $but) AND o.id <> $but AND o.restored_kind IS NULL ORDER BY i.id`,
    { locks: JSON.stringify(locks), but },
  );

/** Returns such items, each with the kind of its operation, of operations with a lock on the same. */
export const listLaterOwners = (
  locks: readonly Since[],
  but: number,
): Promise<(OperationItemRow & { operation_kind: string })[]> =>
  select(
    `${WANTED_SINCE} SELECT i.*, o.kind AS operation_kind
     FROM (SELECT l.operation_id, min(w.since) AS since FROM wanted w
       CROSS JOIN operation_locks l ON l.kind = w.kind AND l.name = w.name GROUP BY l.operation_id) h
     CROSS JOIN operation_items i ON i.operation_id = h.operation_id CROSS JOIN operations o ON o.id = i.operation_id
     WHERE i.touched = 1 AND (o.fence >= h.since OR o.id > $but) AND o.id <> $but AND o.restored_kind IS NULL ORDER BY i.id`,
    { locks: JSON.stringify(locks), but },
  );

/** Summary of the operations on a thing. Two equal marks with nothing `open` prove that none has begun, or gone on, in between. */
export interface WorkMark {
  newest: number;
  operations: number;
  /** The highest of their fences, which each start raises. */
  begun: number;
  /** Number of those that have not ended. */
  open: number;
}

/** Returns the mark of the operations, `but` one, on things of a kind, or on parts of them. */
export async function findWorkMark(kind: string, names: readonly string[], but = 0): Promise<WorkMark> {
  const [mark] = await select<WorkMark>(
    `SELECT COALESCE(max(o.id), 0) AS newest, count(*) AS operations, COALESCE(max(o.fence), 0) AS begun,
       CAST(COALESCE(sum(CASE WHEN o.${RUNNING} THEN 1 ELSE 0 END), 0) AS INTEGER) AS "open"
     FROM operations o WHERE o.id <> $but AND o.id IN (
       SELECT operation_id FROM operation_items WHERE lock_kind = $kind AND lock_name IN (SELECT value FROM json_each($names))
       UNION SELECT operation_id FROM operation_locks WHERE kind = $kind AND name IN (SELECT value FROM json_each($names)))`,
    { kind, names: JSON.stringify(names), but },
  );
  return mark ?? { newest: 0, operations: 0, begun: 0, open: 0 };
}

/** Inserts the locks that an operation has besides its items. They count until it ends, and again while it is tried again. */
export async function insertLocks(operation: number, locks: readonly StoredLock[]): Promise<void> {
  await execute(
    `INSERT INTO operation_locks (operation_id, kind, name, part)
     SELECT DISTINCT $operation, value ->> 'kind', value ->> 'name', value ->> 'part' FROM json_each($locks)`,
    { operation, locks: JSON.stringify(locks) },
  );
}

/** Returns the locks that an operation has besides its items. */
export const listLocks = (operation: number): Promise<StoredLock[]> =>
  select('SELECT kind, name, part FROM operation_locks WHERE operation_id = $operation ORDER BY id', { operation });

/** Returns all locks of operations that have not ended, by items that have not ended or by themselves. */
export const listHeldLocks = (): Promise<StoredLock[]> =>
  select(
    `SELECT i.lock_kind AS kind, i.lock_name AS name, i.lock_part AS part FROM operations o
       CROSS JOIN operation_items i ON i.operation_id = o.id WHERE o.${RUNNING} AND i.${OPEN}
     UNION ALL SELECT l.kind, l.name, l.part FROM operations o CROSS JOIN operation_locks l ON l.operation_id = o.id WHERE o.${RUNNING}`,
  );

/** An item on a thing. `is_open`: it is still to be worked on, or its act was begun. */
export type SetterRow = Pick<OperationItemRow, 'operation_id' | 'state'> & { is_open: 0 | 1 };

/** Returns the items on a thing of operations but this one that have not ended, or have ended since this one was asked for; the oldest first. */
export const listSetters = (
  { kind, name }: Pick<StoredLock, 'kind' | 'name'>,
  operation: number,
): Promise<SetterRow[]> =>
  select(
    `SELECT i.operation_id, i.state, CASE WHEN o.${RUNNING} AND (i.state = 'intent' OR (i.state = 'queued' AND o.cancel_requested = 0))
       THEN 1 ELSE 0 END AS is_open
     FROM operation_items i CROSS JOIN operations o ON o.id = i.operation_id
     WHERE i.lock_kind = $kind AND i.lock_name = $name AND o.id <> $operation
       AND (o.${RUNNING} OR o.finished_at > (SELECT created_at FROM operations WHERE id = $operation)) ORDER BY i.id`,
    { kind, name, operation },
  );

/**
 * Whether an item of an operation that has not ended, and has this lock besides its items, has begun an act of this name, or of this name with
 * another word behind it, or its undo, whose end is not noted.
 */
export const isBegunUnder = async (lock: StoredLock, act: string): Promise<boolean> =>
  (
    await select(
      `SELECT 1 FROM operation_locks l CROSS JOIN operations o ON o.id = l.operation_id
       CROSS JOIN operation_items i ON i.operation_id = o.id CROSS JOIN json_each(i.acts) a
       WHERE l.kind = $kind AND l.name = $name AND l.part = $part AND o.${RUNNING}
         AND substr((a.value ->> 'name') || ' ', 1, length($act) + 1) = $act || ' '
         AND a.value ->> 'state' IN ('intent', 'undoing') LIMIT 1`,
      { ...lock, act },
    )
  ).length > 0;

/** Inserts what an operation uses. */
export async function insertUses(operation: number, uses: readonly Use[]): Promise<void> {
  await execute(
    `INSERT INTO operation_uses (operation_id, kind, used_id)
     SELECT $operation, value ->> 'kind', CAST(value ->> 'id' AS INTEGER) FROM json_each($uses)`,
    { operation, uses: JSON.stringify(uses) },
  );
}

/** Returns what an operation uses. */
export const listUses = (operation: number): Promise<Use[]> =>
  select('SELECT kind, used_id AS id FROM operation_uses WHERE operation_id = $operation ORDER BY id', { operation });
