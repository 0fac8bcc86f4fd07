import type { Message } from '../shared/i18n/index.ts';
import { ITEM_STATES, type ItemState } from '../shared/operations.ts';
import type { Flow, ItemWork } from './flow.ts';
import { itemStep } from './item-lane.ts';
import { countItemsByState } from './item-rows.ts';

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
