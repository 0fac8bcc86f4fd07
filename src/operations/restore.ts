import { select } from '../../db/index.ts';
import { AppError } from '../shared/errors.ts';
import { isFinal, type OperationItemRow, type OperationRow, type StoredAct } from '../shared/operations.ts';
import { flowOf } from './engine.ts';
import type { Flow, Item, ItemWork, NewItem } from './flow.ts';
import { countItems, itemStep } from './items.ts';
import { operationRow } from './lease.ts';
import { enqueue } from './queue.ts';

/** An item to be put back: what it was about, and what was done to it, the last first. */
interface Restored {
  data: unknown;
  acts: Item['acts'];
}

const kindOf = ({ input }: OperationRow): string => (JSON.parse(input) as { kind: string }).kind;

const workOf = (kind: string): ItemWork | undefined => flowOf(kind).items;

const original = ({ data, ...item }: Item): Item => ({ ...item, ...(data as Restored) });

/** Puts every item of an operation back to what it was before; one that somebody has changed since is left alone. */
export const restoreFlow: Flow = {
  kind: 'restore',
  steps: (operation) => {
    const work = workOf(kindOf(operation));
    if (!work) throw new Error(`work of kind ${kindOf(operation)} cannot be restored`);
    const back: ItemWork = {
      ...work,
      open: (lane, items, signal) => work.open(lane, items.map(original), signal),
      acts: (item, lane) => work.undo?.(original(item), lane) ?? [],
    };
    return [itemStep(back)];
  },
  total: async ({ total }) => total,
  finished: async ({ id }) => {
    const { done, noop, failed } = await countItems(id);
    return { key: 'operation.items_finished', params: { done, noop, failed } };
  },
};

/** Queues the restoring of an ended operation. Throws `conflict` where it has nothing that could be given back. */
export async function startRestore(
  userId: number | null,
  id: number,
  here = false,
  idem_key?: string,
): Promise<{ id: number; started: boolean }> {
  const { kind, state } = await operationRow(id);
  const rows = await select<OperationItemRow>(
    `SELECT * FROM operation_items WHERE operation_id = $id AND instr(acts, '"state":"done"') > 0 ORDER BY id DESC`,
    { id },
  );
  if (!isFinal(state) || rows.length === 0 || !workOf(kind)?.undo) {
    throw new AppError('conflict', 'operation.nothing_to_restore');
  }
  const items = rows.map(({ item, lane, data, acts }): NewItem => ({
    item,
    lane,
    data: {
      data: JSON.parse(data) as unknown,
      acts: (JSON.parse(acts) as StoredAct[]).filter((act) => act.state === 'done').toReversed(),
    } satisfies Restored,
  }));
  const message = { key: 'operation.restoring' } as const;
  return enqueue(
    { kind: 'restore', subject: String(id), user_id: userId, input: { kind, id }, message, items, idem_key },
    here,
  );
}
