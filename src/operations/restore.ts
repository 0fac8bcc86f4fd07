import { transaction } from '../../db/index.ts';
import type { OperationRow } from '../shared/operations/tables.ts';
import { AppError } from '../shared/errors.ts';
import type { Key } from '../shared/i18n/index.ts';
import { isFinal } from '../shared/operations.ts';
import { flowOf } from './engine.ts';
import { itemOf, type Act, type Difference, type Flow, type Item, type ItemWork, type NewItem } from './flow.ts';
import { itemStep } from './item-lane.ts';
import { countItems } from './items.ts';
import { busyWith, operationRow } from './lease.ts';
import { askedBefore, enqueue } from './queue.ts';
import { countStaying, listTouchedItems } from './item-rows.ts';
import { changesSince, type LeftOf } from './restore/later-work.ts';
import { listUses } from './lock-rows.ts';
import { isTouched, notesOf, PROOF } from './notes.ts';
import { findRunning } from './rows.ts';

/** Data of an item to restore: that of the original item, and the acts to undo, newest first. */
interface Restored {
  data: unknown;
  acts: Item['acts'];
}

const kindOf = ({ restored_kind }: OperationRow): string => restored_kind ?? '';

const workOf = (kind: string): ItemWork | undefined => flowOf(kind).items;

const original = ({ data, ...item }: Item): Item => ({ ...item, ...(data as Restored) });

/** Restores every item of an operation to its state before; items that somebody has changed since are left alone. */
export const restoreFlow: Flow = {
  kind: 'restore',
  steps: (operation) => {
    const work = workOf(kindOf(operation));
    if (!work) throw new Error(`work of kind ${kindOf(operation)} cannot be restored`);
    const { undo: _undo, rollback: _rollback, ...rest } = work;
    const back: ItemWork<RestoreLane> = {
      ...rest,
      open: async (lane, items, signal) => {
        const since = await changesSince(Number(operation.subject), items.map(original), work);
        return { own: await work.open(lane, items.map(original), signal), since };
      },
      close: async ({ own }) => work.close?.(own),
      acts: (item, { own, since }) => {
        const acts = work.undo?.(original(item), own) ?? [];
        const left = acts.map((act) => since(item.item, act));
        const by = left.find((one) => one.by !== undefined)?.by;
        return [...left.map(({ act }) => act), proofAct(acts, by)];
      },
    };
    return [itemStep(back as ItemWork)];
  },
  total: async ({ total }) => total,
  byItems: true,
  finished: async ({ id }) => {
    const { done, noop, failed } = await countItems(id);
    const stays = await countStaying(id);
    const key = stays > 0 ? 'operation.restored_stays' : 'operation.restored';
    return { key, params: { done, noop, failed, stays } };
  },
};

interface RestoreLane {
  own: unknown;
  since: LeftOf;
}

const textOf = (value: unknown): string =>
  value === null || value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value);

const inWords = ({ name, was, is }: Difference): string => `${name}: ${textOf(was)} → ${textOf(is)}`;

/** The message for what a later operation has changed: whether that one can be given back first depends on its kind. */
async function changedBy(id: number): Promise<Key> {
  const work = workOf((await operationRow(id)).kind);
  return work?.keeps ?? (work?.undo ? 'operation.changed_since' : 'operation.changed_for_good');
}

/**
 * The last act of a restore: reads everything again. Throws `conflict` (code `differs`) with each difference from the state
 * before the work; differences that stay on purpose are only noted. `by`: the later operation that has changed something of it.
 */
function proofAct(acts: readonly Act[], by?: number): Act {
  return {
    name: PROOF,
    class: 'read',
    tellsEnd: 'soon',
    look: async () => {
      const found: Difference[] = [];
      for (const act of acts) found.push(...((await act.differs?.()) ?? []));
      const wrong = found.filter(({ stays }) => !stays);
      if (wrong.length > 0) {
        const differences = wrong.map(inWords).join('; ');
        const key = by === undefined ? 'operation.differs' : await changedBy(by);
        throw new AppError('conflict', key, { differences, ...(by !== undefined && { id: by }) }, { code: 'differs' });
      }
      return found.length === 0 ? null : { before: null, after: found, stays: true, perform: async () => undefined };
    },
  };
}

/**
 * Queues the restore of an operation; reads its items in the transaction that queues. Throws `busy` if it has not ended,
 * `conflict` if it has nothing to restore, and what `enqueue` throws.
 */
export async function startRestore(
  userId: number | null,
  id: number,
  here = false,
  idem_key?: string,
): Promise<{ id: number; started: boolean }> {
  return transaction(async () => {
    const { kind, state } = await operationRow(id);
    const subject = String(id);
    const rows = await listTouchedItems(id);
    const asked = idem_key === undefined ? null : await askedBefore({ kind: 'restore', user_id: userId, idem_key });
    // Another try of it.
    if (!isFinal(state) && asked?.subject !== subject) throw await busyWith(id);
    // The same restore, which has taken items from the operation meanwhile.
    const isSame = asked?.subject === subject || (await findRunning('restore', subject)) !== undefined;
    const work = workOf(kind);
    if ((rows.length === 0 && !isSame) || !work?.undo) {
      throw new AppError('conflict', 'operation.nothing_to_restore');
    }
    const items = rows.map((row): NewItem => ({
      item: row.item,
      lock: { kind: row.lock_kind, name: row.lock_name, part: row.lock_part },
      lane: row.lane,
      lane_id: row.lane_id,
      data: {
        data: JSON.parse(row.data) as unknown,
        acts: notesOf(row).filter(isTouched).toReversed(),
      } satisfies Restored,
    }));
    const message = { key: 'operation.restoring' } as const;
    return enqueue(
      {
        kind: 'restore',
        restored_kind: kind,
        subject,
        user_id: userId,
        input: { kind, id },
        message,
        items,
        locks: rows.flatMap((row) => work.undoLocks?.(itemOf(row, userId)) ?? []),
        uses: await listUses(id),
        idem_key,
      },
      here,
    );
  });
}
