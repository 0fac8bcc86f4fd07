import type { Message } from '../shared/i18n/index.ts';
import { ITEM_STATES, type ItemState, type StoredAct } from '../shared/operations.ts';
import type { Flow, Item, ItemWork } from './flow.ts';
import { itemStep } from './item-lane.ts';
import { countItemsByState, listItemRows } from './item-rows.ts';
import { notesOf } from './notes.ts';

/** Number of items by state. */
export type ItemCounts = Record<ItemState, number>;

/** Makes a flow that works item by item; `finished` returns the final message from the counts by state. */
export function itemFlow<L, D, I>(
  kind: string,
  work: ItemWork<L, D, I>,
  finished: (counts: ItemCounts) => Message = changedItems,
): Flow {
  return {
    kind,
    steps: () => [itemStep(work as ItemWork)],
    total: async ({ total }) => total,
    finished: async ({ id }) => finished(await countItems(id)),
    byItems: true,
    items: work as ItemWork,
  };
}

/** The final message of most flows. */
const changedItems = ({ done, noop, failed }: ItemCounts): Message => ({
  key: 'operation.items_finished',
  params: { done, noop, failed },
});

/** Counts the items of an operation by state. */
export async function countItems(id: number): Promise<ItemCounts> {
  const rows = await countItemsByState(id);
  const counts = Object.fromEntries(ITEM_STATES.map((state) => [state, 0])) as ItemCounts;
  for (const { state, n } of rows) counts[state] = n;
  return counts;
}

/** Returns the acts of an item as they are stored now; its `acts` are those of the begin of its try. */
export async function notedActs({ operation_id, item }: Pick<Item, 'operation_id' | 'item'>): Promise<StoredAct[]> {
  const own = (await listItemRows(operation_id)).find((row) => row.item === item);
  return own ? notesOf(own) : [];
}
